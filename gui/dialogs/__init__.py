"""Questions to the user, and what answers questions of the user."""
