"""The Pareto front and the rejected that are shown, against their definitions."""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace
from typing import NamedTuple

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from core.comparison.rank.standings import one_of_each_kind, pareto_mask, undominated
from core.comparison.rank.utility import Axes

_POINTS = st.lists(st.tuples(st.integers(1, 12), st.integers(1, 12)), min_size=1, max_size=40)


def _by_definition(points: list[tuple[int, int]]) -> list[bool]:
    return [not any(_beats(other, point) for other in points) for point in points]


def _beats(one: tuple[int, int], two: tuple[int, int]) -> bool:
    return one[0] <= two[0] and one[1] <= two[1] and one != two


@given(_POINTS)
def test_pareto_mask_is_the_definition(points: list[tuple[int, int]]) -> None:
    cost, time = np.array(points, dtype=float).T
    assert pareto_mask(cost, time).tolist() == _by_definition(points)


def test_what_another_option_beats_in_cost_time_and_freedom_is_no_pick_and_of_equals_one_stays() -> None:
    """The second is beaten by the first in all; the third is dearer and freer; the fourth is the first again; the fifth
    is cheaper and less free. Where the first misses limits when things go badly it does not beat the second."""
    cost = np.array([100.0, 120.0, 130.0, 100.0, 90.0])
    time = np.array([5.0, 6.0, 6.0, 5.0, 0.9])
    free = np.array([80.0, 70.0, 90.0, 80.0, 60.0])
    axes = Axes(cost, time, free, least_time=1.0)
    places = np.array([2, 1, 0, 3, 4], dtype=np.intp)
    keep = np.zeros(len(places))
    assert undominated(axes, keep, places).tolist() == [2, 0, 4]
    assert undominated(axes, keep[:2], np.array([1, 2], dtype=np.intp)).tolist() == [1, 2]
    assert undominated(axes, np.array([0.0, 0.0, 0.2, 0.2, 0.0]), places).tolist() == [2, 1, 0, 4]


def test_no_rows_give_no_front() -> None:
    assert pareto_mask(np.zeros(0), np.zeros(0)).tolist() == []


def test_equal_rows_share_the_front() -> None:
    assert pareto_mask(np.array([1.0, 1.0, 2.0]), np.array([3.0, 3.0, 3.0])).tolist() == [True, True, False]


class Refused(NamedTuple):
    """A candidate as the thinning of the rejected sees it."""

    seller: int
    first_reason: int
    offer: int
    fits: bool
    n_reasons: int
    usd: int

    @property
    def kind(self) -> tuple[int, int]:
        return self.seller, self.first_reason


_REFUSED = st.lists(
    st.builds(
        Refused, st.integers(0, 2), st.integers(0, 1), st.integers(0, 3), st.booleans(), st.integers(1, 3),
        st.integers(0, 3),
    ),
    max_size=20,
)  # fmt: skip


@given(_REFUSED, st.integers(0, 4), st.randoms(use_true_random=False))
def test_of_each_kind_of_rejected_the_nearest_is_shown(refused: list[Refused], n_feasible: int, chance) -> None:
    """Those that run come first, then fewest limits missed, then the cheapest, then by name; ``n_feasible`` rows
    before them are none of the matter."""
    rows = [Refused(0, 0, 9, True, 0, 0)] * n_feasible + refused
    id_rank = list(range(len(rows)))
    chance.shuffle(id_rank)
    nearest = _nearest_of_each(rows, range(n_feasible, len(rows)), id_rank)
    told = one_of_each_kind(_judged(rows), np.arange(n_feasible, len(rows)), np.array(id_rank, dtype=np.intp))
    assert told.rows.tolist() == nearest
    offers = [{one.offer for one in rows[n_feasible:] if one.kind == rows[row].kind} for row in nearest]
    assert told.n_offers.tolist() == [sum(_stands_for(offer) for offer in of_kind) for of_kind in offers]


def _stands_for(offer: int) -> int:
    """How many others were left out before, and the offer itself."""
    return offer + 1


def _nearest_of_each(rows: Sequence[Refused], rejected: Sequence[int], id_rank: Sequence[int]) -> list[int]:
    order = sorted(rejected, key=lambda n: (not rows[n].fits, rows[n].n_reasons, rows[n].usd, id_rank[n]))
    first: dict[tuple[int, int], int] = {}
    for row in order:
        first.setdefault(rows[row].kind, row)
    return list(first.values())


def _judged(rows: Sequence[Refused]):
    seller, reason, offer, fits, n_reasons, usd = np.array(rows, dtype=np.intp).reshape(-1, 6).T
    return SimpleNamespace(
        shortlisted=SimpleNamespace(
            seller_of=seller, option_of=offer, fits=fits.astype(bool), n_offers=_stands_for(offer)
        ),
        first_reasons=reason, n_reasons=n_reasons, bills=SimpleNamespace(likely_usd=usd.astype(float)),
    )  # fmt: skip
