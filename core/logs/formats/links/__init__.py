"""Logs of links: between chips, and between a chip and its host."""
