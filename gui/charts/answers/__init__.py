"""Figures of answers beside the comparison's own, the same on screen and on paper: a file for each answer."""
