"""Money over time."""
