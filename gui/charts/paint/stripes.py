"""Stripes of hatched areas as polygons."""

from __future__ import annotations

HATCH_PITCH = 7.0
HATCH_GAP = 2.2


def hatch_stripes(left: float, right: float, top: float, bottom: float) -> list[list[tuple[float, float]]]:
    """Rising stripes over a rectangle, each a polygon cut at its sides: no clipping, so that PDFs stay plain."""
    height, stripes, x = bottom - top, [], left - (bottom - top)
    while x < right:
        corners = [(x, bottom), (x + height, top), (x + height + HATCH_GAP, top), (x + HATCH_GAP, bottom)]
        inside = _cut(_cut(corners, left, 1.0), right, -1.0)
        if len(inside) > 2:
            stripes.append(inside)
        x += HATCH_PITCH
    return stripes


def _cut(corners: list[tuple[float, float]], edge: float, sign: float) -> list[tuple[float, float]]:
    """The part of a polygon on one side of a vertical edge (Sutherland and Hodgman, CACM 1974)."""
    kept: list[tuple[float, float]] = []
    for (x0, y0), (x1, y1) in zip(corners, corners[1:] + corners[:1], strict=True):
        if (x0 - edge) * sign >= 0:
            kept.append((x0, y0))
        if (x0 - edge) * (x1 - edge) < 0:
            kept.append((edge, y0 + (y1 - y0) * (edge - x0) / (x1 - x0)))
    return kept
