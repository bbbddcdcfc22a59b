"""What options have in common, numbered once for a catalogue: of thousands of offers most differ in price and place."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from itertools import count

import numpy as np
from numpy.typing import NDArray

from core.catalogue.catalogue import Catalogue
from core.catalogue.entries import Accelerator, Offer
from core.catalogue.per_catalogue import per_catalogue
from core.comparison.search.options import Option, alike, kind_of, options
from core.flexibility.limits import place_of

Index = NDArray[np.intp]


@dataclass(frozen=True)
class OptionSet:
    """The options of a catalogue. Arrays have shape (n options,).

    ``chip_of`` and ``place_of`` point into ``chips`` and ``places``, an offer of each place; ``seller_of`` numbers
    chips at a provider under a way to pay; ``group_of`` options that only price and region tell apart, ``alike_of``
    those that only the region does, ``bill_of`` those whose bills only price and region tell apart (each that is
    owned has its own). ``id_rank`` is the order of their offers' ids, ``tail_rank`` that of their ``id_tail``.
    """

    options: tuple[Option, ...]
    chips: tuple[Accelerator, ...]
    chip_of: Index
    places: tuple[Offer, ...]
    place_of: Index
    seller_of: Index
    group_of: Index
    alike_of: Index
    bill_of: Index
    id_rank: Index
    tail_rank: Index
    usd_per_chip_hour: NDArray[np.float64]
    grows: NDArray[np.bool_]


@per_catalogue
def option_set_of(catalogue: Catalogue) -> OptionSet:
    """The options of a catalogue, numbered."""
    offered = options(catalogue)
    chip_of, first_chips = numbered(option.accelerator.id for option in offered)
    places, first_places = numbered(place_of(option.offer) for option in offered)
    sellers, _ = numbered(seller_of(option) for option in offered)
    groups, _ = numbered((*kind_of(option), *seller_of(option)) for option in offered)
    return OptionSet(
        options=offered,
        chips=tuple(offered[row].accelerator for row in first_chips),
        chip_of=chip_of,
        places=tuple(offered[row].offer for row in first_places),
        place_of=places,
        seller_of=sellers,
        group_of=groups,
        alike_of=numbered(alike(option) for option in offered)[0],
        bill_of=numbered(_billed_alike(option) for option in offered)[0],
        id_rank=ranks([option.offer.id for option in offered]),
        tail_rank=ranks([option.id_tail for option in offered]),
        usd_per_chip_hour=np.array([option.usd_per_chip_hour for option in offered]),
        grows=np.array([option.grows for option in offered], dtype=bool),
    )


def _billed_alike(option: Option) -> tuple[object, ...]:
    offer = option.offer
    return (*seller_of(option), offer.chips_per_host, offer.id if offer.purchase_model == "owned" else "")


def numbered(keys: Iterable[Hashable]) -> tuple[Index, list[int]]:
    """A number for each key, equal for equal ones, counted from 0 as they come, and the row that each came in."""
    numbers: defaultdict[Hashable, int] = defaultdict(count().__next__)
    of_row = np.fromiter(map(numbers.__getitem__, keys), np.intp)
    most_before = np.maximum.accumulate(np.concatenate(([-1], of_row)))[:-1]
    return of_row, np.flatnonzero(of_row > most_before).tolist()


def paired(one: Index, two: Index) -> Index:
    """A number for each pair of two numbers, equal for equal pairs, shape (n,)."""
    keys = one * (int(two.max(initial=0)) + 1) + two
    return np.asarray(np.unique(keys, return_inverse=True)[1], dtype=np.intp)


def ranks(texts: Sequence[str]) -> Index:
    """Place of each text in their sorted order, shape (n,)."""
    rank = np.empty(len(texts), dtype=np.intp)
    rank[np.array(sorted(range(len(texts)), key=texts.__getitem__), dtype=np.intp)] = np.arange(len(texts))
    return rank


def first_of_groups(group: Index, *keys: NDArray[np.generic]) -> tuple[Index, Index]:
    """The row of each group that comes first by the keys, the first key deciding before the second; and how many rows
    each group has. Groups in the order of their numbers."""
    order = np.lexsort((*reversed(keys), group))
    _, starts, counts = np.unique(group[order], return_index=True, return_counts=True)
    return order[starts], counts


def seller_of(option: Option) -> tuple[str, str, str]:
    """Chip, provider and way to pay of an option; what the user has stands by itself."""
    offer = option.offer
    return option.accelerator.id, offer.provider, offer.purchase_model if offer.held_chips is None else offer.id
