"""Scenarios side by side: the inputs in which they differ, their answers, options in common, and one sentence."""
