"""The Describe tab."""
