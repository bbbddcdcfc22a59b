"""What measurements taught: factors fitted to the user's own logs, and predictions judged against measured tables."""
