"""Models that run: transformers, other networks, and known ones of both."""
