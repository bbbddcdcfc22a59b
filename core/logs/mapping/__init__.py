"""Tables that no format recognises, read by what a person says of their columns."""
