"""Figures painted in pixels, on screen and on paper alike."""
