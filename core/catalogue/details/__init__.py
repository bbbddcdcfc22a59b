"""What there is to know of an entry: its names, its facts with units and sources, what belongs to it."""
