"""A fault of the program, written down without what is private."""
