"""Is the code ready for another chip? Sources are read as text and syntax trees: never run, never imported."""
