"""Parts of the bill, one file a part, each declaring itself as a ``COMPONENT``; the registry finds them."""
