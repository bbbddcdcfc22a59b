"""Textures of the parts of bars on paper, where colours may be printed in grey: each part keeps one, as its colour."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain

from gui.charts.paint.stripes import HATCH_PITCH, hatch_stripes

Polygon = Sequence[tuple[float, float]]
Sides = tuple[float, float, float, float]
"""Left, right, top and bottom of what is filled."""
_Cut = Callable[[Sides], Iterator[Polygon]]


def texture(key: str, sides: Sides) -> Iterator[Polygon]:
    """What is left white of a rectangle filled with a colour: nothing of compute and of what is told as other."""
    return _TEXTURES.get(key, _none)(sides)


def _none(_: Sides) -> Iterator[Polygon]:
    return iter(())


def _upright(pitch: float, gap: float) -> _Cut:
    def cut(sides: Sides) -> Iterator[Polygon]:
        left, right, top, bottom = sides
        x = left + pitch - gap
        while x + gap < right:
            yield _box(x, x + gap, top, bottom)
            x += pitch

    return cut


def _level(shares: Sequence[float], gap: float) -> _Cut:
    def cut(sides: Sides) -> Iterator[Polygon]:
        left, right, top, bottom = sides
        for share in shares:
            middle = top + share * (bottom - top)
            yield _box(left, right, middle - gap / 2, middle + gap / 2)

    return cut


def _dots(sides: Sides) -> Iterator[Polygon]:
    left, right, top, bottom = sides
    for row, share in enumerate((0.3, 0.7)):
        x, y = left + 2.0 + 2.5 * row, top + share * (bottom - top)
        while x + 2.0 < right:
            yield _box(x, x + 2.0, y - 1.0, y + 1.0)
            x += 5.0


def _falling(sides: Sides) -> Iterator[Polygon]:
    """Rising stripes seen in a mirror."""
    left, right, top, bottom = sides
    stripes = hatch_stripes(left, right, top, bottom)
    return ([(left + right - x, y) for x, y in stripe] for stripe in stripes)


def _crossed(sides: Sides) -> Iterator[Polygon]:
    return chain(hatch_stripes(*sides), _falling(sides))


def _box(left: float, right: float, top: float, bottom: float) -> Polygon:
    return (left, top), (right, top), (right, bottom), (left, bottom)


_TEXTURES: dict[str, _Cut] = {
    "part:storage": _upright(4.0, 1.2),
    "part:egress": _falling,
    "part:operations": _level((0.33, 0.67), 1.4),
    "part:setting_up": _dots,
    "part:porting": _upright(HATCH_PITCH + 2.0, 3.0),
    "part:pipeline": _crossed,
    "part:energy": _level((0.5,), 2.4),
}
