"""Hardware of one's own."""
