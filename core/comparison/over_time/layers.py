"""Chips or servers of one offer that phases share: those that come and go together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise


def layers(needs: Sequence[tuple[str, int]]) -> Iterator[tuple[int, list[int]]]:
    """How many come and go together, and the places of the phases that need them, of the offer and the number that each
    phase needs: of four for one phase and ten for the next, four are in both and six in one."""
    for offer in dict.fromkeys(offer for offer, _ in needs):
        numbers = {place: number for place, (one, number) in enumerate(needs) if one == offer}
        for below, level in pairwise([0, *sorted({*numbers.values()})]):
            yield level - below, [place for place, number in numbers.items() if number >= level]
