"""How free: criteria scored from evidence. The score never enters cost."""
