"""The answer for one candidate: attested, plausible or on paper, with the reason and its source."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from core.catalogue.catalogue import Catalogue
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


def obtainable(option: Option, catalogue: Catalogue, n_chips: int, units: int = 1) -> Obtainable:
    """Can so many chips of an option be had, as ``units`` clusters that need not be joined to each other."""
    extents = extents_of(option, catalogue)
    is_joined = n_chips > units * extents.machine_chips
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
    options: Sequence[Option], catalogue: Catalogue, option_of: Index, n_chips: Index, units: Index
) -> tuple[Index, NDArray[np.bool_]]:
    """Place of each candidate's status in :data:`STATUSES`, and whether its price is proved, shapes (n,)."""
    extents = [extents_of(option, catalogue) for option in options]
    machine, attested, plausible = (
        np.array(values, dtype=np.int64).reshape(len(options), -1)[option_of]
        for values in (
            [one.machine_chips for one in extents],
            [(one.apart.attested, one.joined.attested) for one in extents],
            [(one.apart.plausible, one.joined.plausible) for one in extents],
        )
    )
    is_joined = (n_chips > units * machine[:, 0]).astype(np.intp)
    rows = np.arange(len(option_of))
    status = (n_chips <= attested[rows, is_joined]) * 1 + (n_chips <= plausible[rows, is_joined])
    proved = np.array([price_proof(option.offer, catalogue) in PROVED for option in options], dtype=bool)
    return np.asarray(status, dtype=np.intp), proved[option_of]
