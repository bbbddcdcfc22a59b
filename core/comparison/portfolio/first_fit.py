"""Small models put on chips: those put there by hand first, then the rest by first fit, the largest first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from core.comparison.portfolio.packing import Box, Item, PackedChip, Packing, chip_with, why_not

WHY_WORDS = {
    "load": "more load than the chip's limit",
    "time": "answers would miss their limits of time",
    "memory": "more memory than the chip has",
    "copy": "another copy is there",
}


@dataclass
class _Chip:
    items: list[Item] = field(default_factory=list)
    copies: list[int] = field(default_factory=list)
    pinned: list[bool] = field(default_factory=list)

    def refuses(self, item: Item, box: Box) -> str:
        """Why the item does not fit here; empty where it does."""
        if any(one.workload == item.workload for one in self.items):
            return "copy"
        return why_not([*self.items, item], box)

    def take(self, item: Item, copy: int, is_pinned: bool) -> None:
        """The item lies here from now on."""
        self.items.append(item)
        self.copies.append(copy)
        self.pinned.append(is_pinned)


@dataclass(frozen=True, slots=True)
class FirstFit:
    """Chips with their models; ``refused`` has what was put by hand where it does not fit, with why, and ``alone`` what
    fits on no chip even by itself."""

    chips: tuple[PackedChip, ...]
    refused: tuple[tuple[Item, int, str], ...]
    alone: tuple[tuple[Item, str], ...]
    items: tuple[Item, ...]
    """One copy of each."""


def first_fit(items: Sequence[Item], box: Box, copies: int = 1, pins: Mapping[str, int] | None = None) -> FirstFit:
    """Each item on the first chip on which it fits, the largest by its greater share of memory or load first.

    ``copies`` of each, on chips of their own, share its requests evenly. ``pins`` maps workloads to the number of the
    chip, from 1, on which their first copy is put by hand. No chip holds more than ``box``.
    """
    each = [replace(one, rate=one.rate / copies) for one in items]
    alone = tuple((one, why) for one in each if (why := why_not([one], box)))
    small = [one for one in each if all(one is not other for other, _ in alone)]
    by_size = sorted(small, key=lambda one: (-_size(one, box), one.workload))
    chips: dict[int, _Chip] = {}
    refused: list[tuple[Item, int, str]] = []
    placed = _pinned(by_size, box, pins or {}, chips, refused)
    for item in by_size:
        for copy in range(1 + (item.workload in placed), copies + 1):
            _first(item, box, chips).take(item, copy, False)
    kept = enumerate((chips[number] for number in sorted(chips)), start=1)
    made = tuple(chip_with(number, one.items, box, one.pinned, one.copies) for number, one in kept)
    return FirstFit(made, tuple(refused), alone, tuple(each))


def _pinned(
    items: Sequence[Item],
    box: Box,
    pins: Mapping[str, int],
    chips: dict[int, _Chip],
    refused: list[tuple[Item, int, str]],
) -> set[str]:
    """Workloads that lie where they were put by hand."""
    placed = set()
    for item in items:
        number = pins.get(item.workload)
        if number is None:
            continue
        why = chips.get(number, _Chip()).refuses(item, box)
        if why:
            refused.append((item, number, WHY_WORDS[why]))
        else:
            chips.setdefault(number, _Chip()).take(item, 1, True)
            placed.add(item.workload)
    return placed


def _first(item: Item, box: Box, chips: dict[int, _Chip]) -> _Chip:
    """The first chip on which an item fits: those that nothing lies on yet, below one used by hand, count as well."""
    numbers = range(1, max(chips, default=0) + 2)
    first = next(number for number in numbers if not chips.get(number, _Chip()).refuses(item, box))
    return chips.setdefault(first, _Chip())


def refused_on(packing: Packing, workload: str, number: int) -> str:
    """Why one more model does not fit with those on a chip, a key of :data:`WHY_WORDS`; empty where it does. A chip
    beyond the last one is empty."""
    lying = next((chip.items for chip in packing.chips if chip.number == number), ())
    others = _Chip([_item_of(packing, one.workload) for one in lying])
    return others.refuses(_item_of(packing, workload), packing.box)


def with_one_more(packing: Packing, workload: str, number: int) -> PackedChip:
    """The chip as it would be with one more model."""
    lying = next((chip.items for chip in packing.chips if chip.number == number), ())
    return chip_with(
        number, [_item_of(packing, one) for one in (*(each.workload for each in lying), workload)], packing.box
    )


def _item_of(packing: Packing, workload: str) -> Item:
    return next(one for one in packing.items if one.workload == workload)


def _size(item: Item, box: Box) -> float:
    """The greater of its shares of a chip's memory and of its load limit."""
    held = chip_with(1, [item], box).memory_gib - box.kept_gib
    room = max(box.capacity_gib - box.kept_gib, 1e-9)
    return max(held / room, item.load / box.load_limit)
