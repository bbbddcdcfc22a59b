"""Hand-off files: a chosen candidate as text that other tools start it from. Nothing is run; gaps are marked."""
