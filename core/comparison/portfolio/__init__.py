"""Several workloads over months: one pool or split ones, a committed base and what is above it, models packed."""
