"""Formats of logs, one file a format."""
