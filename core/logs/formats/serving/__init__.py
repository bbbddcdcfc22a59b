"""Logs of servers that answer requests: summaries of load tests, and what engines print while they run."""
