"""The answer for one candidate: attested, plausible or on paper, with the reason and its source."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from core.catalogue.catalogue import Catalogue
from core.catalogue.per_catalogue import per_catalogue
from core.catalogue.sellers.waits import NO_WAIT, Wait, wait_of
from core.comparison.obtain.extents import Extent, extents_of
from core.comparison.obtain.price_proof import PROOF_WORDS, PROVED, PriceProof, price_proof
from core.comparison.search.options import Option

Status = Literal["attested", "plausible", "on paper"]
STATUSES: tuple[Status, ...] = ("on paper", "plausible", "attested")
"""From the least to the best."""

ON_PAPER, PLAUSIBLE, ATTESTED = range(3)
Index = NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class Obtainable:
    """Can it be had, why so, and by which sources; ``estimate`` where that rests on memory.

    ``price`` is how far its price is proved, ``wait`` how long its chips are waited for; ``is_joined``: several
    machines of the offer work as one.
    """

    status: Status
    why: str
    source: str
    estimate: bool
    price: PriceProof
    wait: Wait = NO_WAIT
    is_joined: bool = False

    @property
    def is_firm(self) -> bool:
        """True where it can be had and its price is the seller's own, or told twice: what a pick is taken from."""
        return self.status != "on paper" and self.price in PROVED

    @property
    def price_words(self) -> str:
        """How far the price is proved, as a sentence."""
        return PROOF_WORDS[self.price]


NOT_ASKED = Obtainable("plausible", "Not asked", "", True, "first-hand")
"""Of results that were put together by hand."""


def obtainable(option: Option, catalogue: Catalogue, n_chips: int, n_apart: int = 1) -> Obtainable:
    """Can so many chips of an option be had, as ``n_apart`` parts that need not be joined to each other."""
    extents = extents_of(option, catalogue)
    is_joined = n_chips > n_apart * extents.machine_chips
    extent = extents.joined if is_joined else extents.apart
    status, why = _step(extent, n_chips)
    offer, source = option.offer, extent.source or option.offer.source
    proof, wait = price_proof(offer, catalogue), wait_of(catalogue, offer, n_chips)
    return Obtainable(status, why, source, extent.estimate, proof, wait, is_joined)


def _step(extent: Extent, n_chips: int) -> tuple[Status, str]:
    if n_chips <= extent.attested:
        return "attested", extent.attested_why
    return ("plausible", extent.plausible_why) if n_chips <= extent.plausible else ("on paper", extent.beyond_why)


def statuses(
    options: Sequence[Option], catalogue: Catalogue, option_of: Index, n_chips: Index, n_apart: Index
) -> tuple[Index, NDArray[np.bool_]]:
    """Place of each candidate's status in :data:`STATUSES`, and whether its price is proved, shapes (n,)."""
    known = _known_figures(catalogue)
    figures = (known.get(_key(option)) or _figures_of(option, catalogue) for option in options)
    table = np.array(list(figures), dtype=np.int64).reshape(-1, 6)[option_of]
    machine_chips, apart, joined, is_proved = table[:, 0], table[:, 1:3], table[:, 3:5], table[:, 5] > 0
    most = np.where((n_chips > n_apart * machine_chips)[:, None], joined, apart)
    status = (n_chips[:, None] <= most).sum(axis=1)
    return np.asarray(status, dtype=np.intp), is_proved


@per_catalogue
def _known_figures(_: Catalogue) -> dict[tuple[str, bool], tuple[int, ...]]:
    """What :func:`_figures_of` said of each option."""
    return {}


def _key(option: Option) -> tuple[str, bool]:
    return option.offer.id, option.borrowed


def _figures_of(option: Option, catalogue: Catalogue) -> tuple[int, ...]:
    """Chips of a machine; the most attested and plausible, apart, then joined; 1 where the price is proved."""
    known, key = _known_figures(catalogue), _key(option)
    if key not in known:
        extents, is_proved = extents_of(option, catalogue), price_proof(option.offer, catalogue) in PROVED
        of_each = ((one.attested, one.plausible) for one in (extents.apart, extents.joined))
        known[key] = (extents.machine_chips, *chain(*of_each), int(is_proved))
    return known[key]
