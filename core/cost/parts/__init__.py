"""Parts of the bill, one file a part."""
