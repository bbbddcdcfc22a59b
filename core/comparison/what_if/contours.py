"""Lines between the regions of a map, by marching squares over the middles of its cells."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Polyline = Array
Point = tuple[float, float]
Segment = tuple[Point, Point]


def contours(xs: Array, ys: Array, winner: NDArray[np.intp], lead: Array) -> tuple[Polyline, ...]:
    """Where the winner changes, as polylines in the units of ``xs`` and ``ys``, each of shape (n points, 2).

    Between two cells of different winners the line goes where their leads, drawn towards 0, would meet; halfway where
    either lead is not known: nothing says on which side of the middle one stops to fit.
    """
    strength = np.maximum(lead, 1e-9)
    segments = [
        segment
        for row in range(len(ys) - 1)
        for column in range(len(xs) - 1)
        for segment in _of_square(xs, ys, winner, strength, row, column)
    ]
    return tuple(np.array(line) for line in _joined(segments))


def _of_square(xs: Array, ys: Array, winner: NDArray[np.intp], strength: Array, row: int, column: int) -> list[Segment]:
    """The lines within four neighbours: between the two sides that it crosses, or, where three regions or more meet,
    from each to the middle."""
    corners = [(row, column), (row, column + 1), (row + 1, column + 1), (row + 1, column)]
    if len({int(winner[corner]) for corner in corners}) == 1:
        return []
    crossed = [
        _meeting(xs, ys, strength, one, other)
        for one, other in zip(corners, [*corners[1:], corners[0]], strict=True)
        if winner[one] != winner[other]
    ]
    if len(crossed) == 2:
        return [(crossed[0], crossed[1])]
    middle = (float(np.mean([x for x, _ in crossed])), float(np.mean([y for _, y in crossed])))
    return [(one, middle) for one in crossed]


def _meeting(xs: Array, ys: Array, strength: Array, one: tuple[int, int], other: tuple[int, int]) -> Point:
    """Where the leads of two neighbours would meet; the same whichever is named first."""
    first, second = sorted((one, other))
    share = float(strength[first] / (strength[first] + strength[second]))
    share = 0.5 if math.isnan(share) else share
    x = xs[first[1]] + share * (xs[second[1]] - xs[first[1]])
    y = ys[first[0]] + share * (ys[second[0]] - ys[first[0]])
    return float(x), float(y)


def _joined(segments: list[Segment]) -> list[list[Point]]:
    """Segments that share an end, put together to lines."""
    ends: dict[Point, list[int]] = {}
    for number, segment in enumerate(segments):
        for point in segment:
            ends.setdefault(point, []).append(number)
    left = set(range(len(segments)))
    starts = [point for point, own in ends.items() if len(own) != 2] + list(ends)
    lines = []
    for start in starts:
        for number in ends[start]:
            if number in left:
                lines.append(_followed(start, number, segments, ends, left))  # noqa: PERF401  (``left`` shrinks)
    return lines


def _followed(
    start: Point, number: int, segments: list[Segment], ends: dict[Point, list[int]], left: set[int]
) -> list[Point]:
    """The line that begins with a segment and goes on until it ends, forks or closes."""
    line = [start]
    while True:
        left.discard(number)
        one, other = segments[number]
        line.append(other if line[-1] == one else one)
        ahead = [nearby for nearby in ends[line[-1]] if nearby in left]
        if len(ends[line[-1]]) != 2 or not ahead:
            return line
        number = ahead[0]
