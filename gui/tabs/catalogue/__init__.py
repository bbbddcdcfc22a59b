"""The Catalogue tab."""
