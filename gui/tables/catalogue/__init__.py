"""The lists of the catalogue."""
