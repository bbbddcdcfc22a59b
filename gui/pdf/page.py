"""The sheet: A4 at 96 dots per inch, so that a logical pixel on paper is one on screen."""

from __future__ import annotations

DPI = 96
WIDTH_PX = 8.27 * DPI
HEIGHT_PX = 11.69 * DPI
SIDE_PX = 61.0
INNER_PX = WIDTH_PX - 2 * SIDE_PX
HEADER_Y_PX = 42.0
HEADER_RULE_PX = 58.0
TOP_PX = 80.0
FOOTER_RULE_PX = HEIGHT_PX - 54.0
FOOTER_Y_PX = HEIGHT_PX - 38.0
BOTTOM_PX = FOOTER_RULE_PX - 16.0
ROOM_PX = BOTTOM_PX - TOP_PX
"""Height for content on a page."""
