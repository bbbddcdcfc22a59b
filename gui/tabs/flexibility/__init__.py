"""The Flexibility tab."""
