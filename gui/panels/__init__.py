"""What stands in tabs and docks."""
