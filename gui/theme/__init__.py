"""Colours, type, icons and the style sheet, light and dark."""
