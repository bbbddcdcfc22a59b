"""Published measurements, read row by row: what ran, on what, how."""
