"""Questions about one candidate, each with its figures, its words and its explanation."""
