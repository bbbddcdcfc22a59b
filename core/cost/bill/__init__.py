"""What parts of the bill are made of: candidates as arrays, lines, hours, power, prices by steps."""
