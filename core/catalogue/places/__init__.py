"""Where users, data and machines are."""
