"""Where labels go: beside their mark or a short line away, never on a mark or label, off the whiskers if possible.

Greedy by importance, as point labels on maps are (Christensen, Marks and Shieber, ACM TOG 14(3), 1995): each label
takes the cheapest of its free places, and later ones keep off it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

Edges = tuple[float, float, float, float]
"""Left, top, right and lower edge of a box: boxes that many others are held against are taken apart once."""

CROSSING_PX2 = 30.0
"""A line 2 px wide across one line of text: the least disturbance that counts."""

CROSSING_COST = 10.0
MOST_CROSSINGS = 3
"""A label that more lines cross, or one lengthwise, is left out: it could not be read."""

VALUE_COST = 5.0
"""Cost of a label without its value: more than that of a short leader, less than that of one crossed whisker."""

RINGS = ((22.0, 3.0), (38.0, 6.0), (58.0, 8.5), (84.0, 12.0), (110.0, 14.0))
"""How far from their mark labels with a leader stand, in px, and what that costs."""

NAME_GAP_PX, LINE_GAP_PX = 8.0, 2.5
"""Room beside a line's name: to the ends of its step, and to the step itself."""

APART_PX = 2.0
"""Labels come no closer than this to marks and other labels."""

LEADER_PX = 3.0
"""Width that is kept free along a leader."""


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
    """A mark that wants a label: its centre, its radius, and the sizes with name and value, and with the name only.

    A ``needed`` label is shown even where lines cross it, and its leader may cross other marks.
    """

    x: float
    y: float
    radius: float
    full: tuple[float, float] | None
    short: tuple[float, float]
    needed: bool = False

    @property
    def mark(self) -> Box:
        """The box of the mark."""
        return Box(self.x - self.radius, self.y - self.radius, 2 * self.radius, 2 * self.radius)


Leader = tuple[tuple[float, float], tuple[float, float]]
"""A line from a mark's edge to the nearest point of its label."""


@dataclass(frozen=True, slots=True)
class Placed:
    """A label's box, whether it carries the value too, on which side its text is aligned, and its leader if far off."""

    box: Box
    full: bool
    align: str
    leader: Leader | None = None


def place_labels(
    wishes: Sequence[LabelWish], lines: Sequence[Box], taken: Iterable[Box], bounds: Box, gap: float = 6.0
) -> list[Placed | None]:
    """One placement a wish, in order of importance; None when every place collides.

    The value is dropped before the name is. ``lines`` (whiskers, limits) are avoided where there is a choice; a label
    that too many cross wherever it stands is None too, unless it is needed.
    """
    hard = [_edges(box) for box in (*taken, *(wish.mark for wish in wishes))]
    crossing = [_edges(line) for line in lines]
    placed: list[Placed | None] = []
    for wish in wishes:
        place = _cheapest(wish, hard, crossing, bounds, gap)
        if place:
            hard += map(_edges, (place.box, *leader_boxes(place.leader)))
        placed.append(place)
    return placed


_ALONG = (1.0, 0.5, 0.0, *(step / 16 for step in range(15, 0, -1) if step != 8))
"""Where along a step a name may stand, its ends and its middle before the rest."""


def place_along(
    points: Sequence[tuple[float, float]],
    size: tuple[float, float],
    hard: Iterable[Box],
    lines: Sequence[Box],
    bounds: Box,
) -> Box | None:
    """The best place for a line's name over or under one of its level steps; None where each of them is taken.

    Steps further right come first. A name is no answer, so it stays away where more than one line would cross it.
    """
    free, least = None, CROSSING_COST * 2
    taken = list(hard)
    for order, box in enumerate(_beside_steps(points, size)):
        if bounds.holds(box) and not any(box.meets(other, APART_PX) for other in taken):
            crossings = round(sum(box.overlap(line) for line in lines) / CROSSING_PX2)
            if (cost := 0.1 * order + CROSSING_COST * crossings) < least:
                free, least = box, cost
    return free


def _beside_steps(points: Sequence[tuple[float, float]], size: tuple[float, float]) -> Iterator[Box]:
    """Places over, then under each level step that is long enough: at its ends, its middle, then between."""
    width, height = size
    for (x0, y0), (x1, y1) in reversed(list(pairwise(points))):
        room = x1 - x0 - 2 * NAME_GAP_PX - width
        if y0 == y1 and room >= 0:
            for x in (x0 + NAME_GAP_PX + room * share for share in _ALONG):
                yield Box(x, y0 - LINE_GAP_PX - height, width, height)
                yield Box(x, y0 + LINE_GAP_PX, width, height)


def _cheapest(wish: LabelWish, hard: Sequence[Edges], lines: Sequence[Edges], bounds: Box, gap: float) -> Placed | None:
    reach = _edges(_reach(wish))
    near_hard, near_lines = _near(reach, hard, APART_PX), _near(reach, lines)
    own = _near(_edges(wish.mark), near_hard)
    barred = [] if wish.needed else [edges for edges in near_hard if edges not in own]
    best, least = None, math.inf if wish.needed else CROSSING_COST * (MOST_CROSSINGS + 1)
    for distance, cost in ((0.0, 0.0), *RINGS):
        if cost >= least:
            break  # further off nothing is cheaper
        for extra, box, full, align in _places(wish, distance, gap):
            edges = _edges(box)
            if cost + extra < least and bounds.holds(box) and not _meets_any(edges, near_hard, APART_PX):
                total = cost + extra + CROSSING_COST * round(_covered_px2(edges, near_lines) / CROSSING_PX2)
                leader = _leader(wish, box) if distance and total < least else None
                if total < least and not _crosses(leader, barred):
                    best, least = Placed(box, full, align, leader), total
    return best


def _reach(wish: LabelWish) -> Box:
    """What the places of a label can touch."""
    width, height = wish.full or wish.short
    far = wish.radius + RINGS[-1][0] + 2
    width, height = max(width, wish.short[0]) + far, max(height, wish.short[1]) + far
    return Box(wish.x - width, wish.y - height, 2 * width, 2 * height)


def _edges(box: Box) -> Edges:
    return box.x, box.y, box.x + box.width, box.y + box.height


def _near(one: Edges, others: Sequence[Edges], gap: float = 0.0) -> list[Edges]:
    """The others that a box meets; see :meth:`Box.meets`."""
    x, y, right, low = one[0] - gap, one[1] - gap, one[2] + gap, one[3] + gap
    return [other for other in others if other[0] < right and x < other[2] and other[1] < low and y < other[3]]


def _meets_any(one: Edges, others: Sequence[Edges], gap: float = 0.0) -> bool:
    """True when a box meets one of the others."""
    x, y, right, low = one[0] - gap, one[1] - gap, one[2] + gap, one[3] + gap
    for left, top, end, foot in others:  # noqa: SIM110 - a generator takes twice as long, thousands of times a frame
        if left < right and x < end and top < low and y < foot:
            return True
    return False


def _covered_px2(one: Edges, others: Sequence[Edges]) -> float:
    """Area in px² that a box covers of others; see :meth:`Box.overlap`."""
    (x, y, right, low), covered = one, 0.0
    for left, top, end, foot in _near(one, others):
        covered += (min(right, end) - max(x, left)) * (min(low, foot) - max(y, top))
    return covered


def _crosses(leader: Leader | None, barred: Sequence[Edges]) -> bool:
    """True when a leader touches one of the barred boxes."""
    if leader is None:
        return False
    (x0, y0), (x1, y1) = leader
    half = LEADER_PX / 2
    whole = min(x0, x1) - half, min(y0, y1) - half, max(x0, x1) + half, max(y0, y1) + half
    near = _near(whole, barred)
    return bool(near) and any(_meets_any(_edges(step), near) for step in leader_boxes(leader))


def _places(wish: LabelWish, distance: float, gap: float) -> Iterator[tuple[float, Box, bool, str]]:
    """The places of a label beside its mark, or on a ring: what each adds to the cost of the ring, its box, whether it
    carries the value, and on which side its text is aligned."""
    sizes = [(wish.full, True, 0.0)] if wish.full else []
    for size, full, dropped in [*sizes, (wish.short, False, VALUE_COST if wish.full else 0.0)]:
        boxes = _around(wish, size, distance) if distance else _beside(wish, size, gap)
        for order, (box, align) in enumerate(boxes):
            yield dropped + 0.1 * order, box, full, align


def _beside(wish: LabelWish, size: tuple[float, float], gap: float) -> list[tuple[Box, str]]:
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


def _around(wish: LabelWish, size: tuple[float, float], distance: float) -> list[tuple[Box, str]]:
    """A ring of places whose near edge is so far from the mark: six to the right, six to the left."""
    width, height = size
    boxes = []
    for turn in (-30, 30, -10, 10, -65, 65):
        across, down = math.cos(math.radians(turn)), math.sin(math.radians(turn))
        off_x, y = (wish.radius + distance) * across, wish.y + (wish.radius + distance) * down - height / 2
        y += height / 2 * down
        boxes += [(Box(wish.x + off_x, y, width, height), "left")]
        boxes += [(Box(wish.x - off_x - width, y, width, height), "right")]
    return boxes


def _leader(wish: LabelWish, box: Box) -> Leader | None:
    """From the mark's edge to the nearest point of the box; None when they touch."""
    x = min(max(wish.x, box.x), box.x + box.width)
    y = min(max(wish.y, box.y + 2), box.y + box.height - 2)
    length = math.hypot(x - wish.x, y - wish.y)
    if length <= wish.radius:
        return None
    share = wish.radius / length
    return (wish.x + share * (x - wish.x), wish.y + share * (y - wish.y)), (x, y)


def leader_boxes(leader: Leader | None) -> list[Box]:
    """Small boxes along a leader, close enough that no mark or text fits between."""
    if leader is None:
        return []
    (x0, y0), (x1, y1) = leader
    n_steps = max(math.ceil(math.hypot(x1 - x0, y1 - y0) / LEADER_PX), 1)
    shares = [step / n_steps for step in range(n_steps)]
    half = LEADER_PX / 2
    return [Box(x0 + s * (x1 - x0) - half, y0 + s * (y1 - y0) - half, LEADER_PX, LEADER_PX) for s in shares]
