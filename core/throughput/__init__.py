"""How fast: roofline, networks, memory, layouts, training steps and serving."""
