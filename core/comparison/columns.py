"""What is asked of all candidates at once, side by side: for sorting, filtering and counting thousands of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from core.catalogue.entries import Accelerator, Offer
from core.comparison.obtain.obtainable import STATUSES
from core.comparison.search.option_set import Index, numbered
from core.lazy_sequence import LazySequence
from core.throughput.types import Throughput

if TYPE_CHECKING:
    from core.comparison.result import CandidateResult

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Columns:
    """One entry a candidate, arrays of shape (n,). Figures are likely values; ``days`` is inf where nothing ends.

    ``codes`` are those of the reasons against each, ``statuses`` places in :data:`STATUSES`: can it
    be had; ``is_firm``: it can, at a proved price and a speed with evidence. ``in_limits`` and ``best`` are shares of
    draws (see :class:`core.comparison.result.Chance`), nan where nothing is said. ``regions`` are all for which each
    stands, none where it is its own alone.
    """

    ids: Sequence[str]
    accelerators: Sequence[Accelerator]
    offers: Sequence[Offer]
    throughputs: Sequence[Throughput]
    n_chips: Index
    feasible: NDArray[np.bool_]
    cost_usd: Array
    per_month_usd: Array
    unit_usd: Array
    days: Array
    run_h: Array
    score: Array
    codes: Sequence[tuple[str, ...]]
    statuses: Index
    is_firm: NDArray[np.bool_]
    in_limits: Array
    best: Array
    regions: Sequence[tuple[str, ...]]

    @property
    def trust(self) -> Index:
        """2 for what can be had at a proved price, 1 for what can be had, 0 for what is on paper, shape (n,)."""
        return np.where(self.is_firm, 2, np.minimum(self.statuses, 1))

    @property
    def n(self) -> int:
        """Candidates in all."""
        return len(self.ids)

    def take(self, rows: Index) -> Columns:
        """The columns of some rows, in their order."""
        listed = rows.tolist()
        return Columns(
            [self.ids[row] for row in listed],
            [self.accelerators[row] for row in listed],
            [self.offers[row] for row in listed],
            [self.throughputs[row] for row in listed],
            self.n_chips[rows],
            self.feasible[rows],
            self.cost_usd[rows],
            self.per_month_usd[rows],
            self.unit_usd[rows],
            self.days[rows],
            self.run_h[rows],
            self.score[rows],
            LazySequence(len(listed), lambda row: self.codes[listed[row]]),
            self.statuses[rows],
            self.is_firm[rows],
            self.in_limits[rows],
            self.best[rows],
            LazySequence(len(listed), lambda row: self.regions[listed[row]]),
        )


def columns_of(results: Sequence[CandidateResult]) -> Columns:
    """The columns of results that were put together one by one."""
    days = [r.days_to_finish.likely if r.days_to_finish else np.inf for r in results]
    return Columns(
        [r.id for r in results],
        [r.candidate.accelerator for r in results],
        [r.candidate.offer for r in results],
        [r.throughput for r in results],
        np.array([r.candidate.n_chips for r in results], dtype=np.intp),
        np.array([r.feasible for r in results], dtype=bool),
        np.array([r.cost.total.likely for r in results], dtype=np.float64),
        np.array([r.cost.per_month_usd for r in results], dtype=np.float64),
        np.array([r.cost.unit_usd for r in results], dtype=np.float64),
        np.array(days, dtype=np.float64),
        np.array([r.run_h.likely for r in results], dtype=np.float64),
        np.array([r.flexibility.score.likely for r in results], dtype=np.float64),
        [tuple(reason.code for reason in r.reasons) for r in results],
        np.array([STATUSES.index(r.obtainable.status) for r in results], dtype=np.intp),
        np.array([r.is_firm for r in results], dtype=bool),
        np.array([r.chance.in_limits if r.chance else np.nan for r in results]),
        np.array([np.nan if r.chance is None or r.chance.best is None else r.chance.best for r in results]),
        [r.candidate.regions for r in results],
    )


class SideBySide(LazySequence["CandidateResult"]):
    """Results that are put together when somebody looks, with the columns that they come from."""

    __slots__ = ("columns",)

    def __init__(self, columns: Columns, make: Callable[[int], CandidateResult]) -> None:
        super().__init__(columns.n, make)
        self.columns = columns


def of_kinds(results: Sequence[CandidateResult], *kinds: str) -> Iterator[CandidateResult]:
    """The results on some kinds of chip, in their order; of those side by side, no other is put together for it."""
    if not isinstance(results, SideBySide):
        return (one for one in results if one.candidate.accelerator.kind in kinds)
    chips = results.columns.accelerators
    return (results[row] for row, chip in enumerate(chips) if chip.kind in kinds)


def trusted_rows(columns: Columns, n_feasible: int) -> Index:
    """The feasible rows among which the pick is taken, best first: those that can be had at a proved price, else those
    that can be had, else all."""
    return most_trusted(columns.trust[:n_feasible])


def most_trusted(trust: Index) -> Index:
    """The rows that are trusted most; see :attr:`Columns.trust`."""
    return np.flatnonzero(trust == trust.max(initial=0))


def contending_rows(columns: Columns, n_feasible: int) -> Index:
    """The feasible rows worth looking at, best first: the first of each chip at each seller and of each number of the
    first one's chips, and the cheapest. The feasible ones come first in ``columns``, best first."""
    if not n_feasible:
        return np.zeros(0, dtype=np.intp)
    chips, offers = columns.accelerators[:n_feasible], columns.offers[:n_feasible]
    sellers = [(chip.id, offer.provider) for chip, offer in zip(chips, offers, strict=True)]
    of_pick = np.array([chip.id == chips[0].id for chip in chips])
    counts = np.unique(np.where(of_pick, columns.n_chips[:n_feasible], 0), return_index=True)[1]
    cheapest = int(np.argmin(columns.cost_usd[:n_feasible]))
    return np.array(sorted({cheapest, *numbered(sellers)[1], *counts.tolist()}), dtype=np.intp)


def first_rejected_rows(columns: Columns, n_feasible: int) -> Index:
    """The first rejected row of each chip."""
    return n_feasible + np.array(numbered(chip.id for chip in columns.accelerators[n_feasible:])[1], dtype=np.intp)
