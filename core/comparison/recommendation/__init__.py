"""The pick and its defence: reasons, flip points, warnings."""
