"""Where labels go: beside their mark, never on another mark or label, and off the whiskers if that is possible."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

CROSSING_PX2 = 30.0
"""A line 2 px wide across one line of text: the least disturbance that counts."""


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle in pixels."""

    x: float
    y: float
    width: float
    height: float

    def meets(self, other: Box, gap: float = 0.0) -> bool:
        """True when the two overlap or come closer than the gap."""
        apart_x = self.x + self.width + gap <= other.x or other.x + other.width + gap <= self.x
        apart_y = self.y + self.height + gap <= other.y or other.y + other.height + gap <= self.y
        return not (apart_x or apart_y)

    def overlap(self, other: Box) -> float:
        """Area in px² that both cover."""
        width = min(self.x + self.width, other.x + other.width) - max(self.x, other.x)
        height = min(self.y + self.height, other.y + other.height) - max(self.y, other.y)
        return max(width, 0.0) * max(height, 0.0)

    def holds(self, other: Box) -> bool:
        """True when the other lies wholly inside."""
        inside_x = self.x <= other.x and other.x + other.width <= self.x + self.width
        return inside_x and self.y <= other.y and other.y + other.height <= self.y + self.height


@dataclass(frozen=True, slots=True)
class LabelWish:
    """A mark that wants a label: its centre, its radius, and the sizes with name and value, and with the name only."""

    x: float
    y: float
    radius: float
    full: tuple[float, float] | None
    short: tuple[float, float]


@dataclass(frozen=True, slots=True)
class Placed:
    """A label's box, whether it carries the value too, and on which side its text is aligned."""

    box: Box
    full: bool
    align: str


def place_labels(
    wishes: Sequence[LabelWish], lines: Sequence[Box], taken: Iterable[Box], bounds: Box, gap: float = 6.0
) -> list[Placed | None]:
    """One placement a wish, in order of importance; None when every place collides.

    The value is dropped before the name is. ``lines`` (whiskers, limits) are avoided where there is a choice.
    """
    hard = list(taken) + [Box(w.x - w.radius, w.y - w.radius, 2 * w.radius, 2 * w.radius) for w in wishes]
    placed: list[Placed | None] = []
    for wish in wishes:
        place = _best(wish, wish.full, True, hard, lines, bounds, gap) if wish.full else None
        place = place or _best(wish, wish.short, False, hard, lines, bounds, gap)
        if place:
            hard.append(place.box)
        placed.append(place)
    return placed


def _best(
    wish: LabelWish,
    size: tuple[float, float],
    full: bool,
    hard: list[Box],
    lines: Sequence[Box],
    bounds: Box,
    gap: float,
) -> Placed | None:
    free = [
        (round(sum(box.overlap(line) for line in lines) / CROSSING_PX2), order, Placed(box, full, align))
        for order, (box, align) in enumerate(_places(wish, size, gap))
        if bounds.holds(box) and not any(box.meets(other, 2.0) for other in hard)
    ]
    return min(free, key=lambda item: item[:2])[2] if free else None


def _places(wish: LabelWish, size: tuple[float, float], gap: float) -> list[tuple[Box, str]]:
    """Right, left, below, above, then the four corners."""
    width, height = size
    right, left = wish.x + wish.radius + gap, wish.x - wish.radius - gap - width
    below, above = wish.y + wish.radius + gap * 0.6, wish.y - wish.radius - gap * 0.6 - height
    middle_x, middle_y = wish.x - width / 2, wish.y - height / 2
    near_right, near_left = wish.x + gap, wish.x - gap - width
    corners = [
        (near_right, below, "left"),
        (near_left, below, "right"),
        (near_right, above, "left"),
        (near_left, above, "right"),
    ]
    sides = [
        (right, middle_y, "left"),
        (left, middle_y, "right"),
        (middle_x, below, "centre"),
        (middle_x, above, "centre"),
    ]
    return [(Box(x, y, width, height), align) for x, y, align in sides + corners]
