"""Pages of the comparison plan, one file a page."""
