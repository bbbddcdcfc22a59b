"""The user's settings: theme, recent files, window layout."""
