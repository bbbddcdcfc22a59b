"""The table of candidates."""
