"""Common advice of the guides: rules as data, conditions as code."""
