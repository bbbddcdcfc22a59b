"""Readers of what small training programs and trackers print, one file each."""
