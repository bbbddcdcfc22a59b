"""What was seen: log files read into one neutral record."""
