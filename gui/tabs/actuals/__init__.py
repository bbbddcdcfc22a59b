"""Day two on screen: entries against the plan, where they lead, and what to do."""
