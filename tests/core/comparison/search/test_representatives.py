"""Options left out before they are billed: never one that would be shown, and all of them counted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.catalogue.loading import load_catalogue
from core.comparison.judge.assemble import judge
from core.comparison.rank.standings import standings
from core.comparison.search.representatives import represented
from core.comparison.shortlisting import ground_of, search
from core.throughput.correction import NO_CORRECTIONS
from core.workload.library import load_profiles
from core.workload.profile import Places, Profile


class Sold(NamedTuple):
    """An option as the thinning sees it."""

    group: int
    bill: int
    place: int
    usd: int


_SOLD = st.lists(
    st.builds(Sold, st.integers(0, 2), st.integers(0, 1), st.integers(0, 1), st.integers(1, 9)), max_size=25
)


@given(_SOLD, st.integers(0, 25), st.integers(1, 12), st.randoms(use_true_random=False))
def test_the_nearest_of_a_group_is_left_and_all_are_counted(
    sold: list[Sold], n_admitted: int, step_usd: int, chance
) -> None:
    """Bills that rise with the price by steps, as rounding to cents makes them: the least, first by name, stays."""
    n_admitted, names = min(n_admitted, len(sold)), list(range(len(sold)))
    chance.shuffle(names)
    told = _told(sold, n_admitted, names)
    assert told[n_admitted:] == [1] * (len(sold) - n_admitted)
    for alike in {one[:3] for one in sold[:n_admitted]}:
        rows = [row for row, one in enumerate(sold[:n_admitted]) if one[:3] == alike]
        nearest = min(rows, key=lambda row: (sold[row].usd // step_usd, names[row]))
        assert told[nearest] >= 1
        assert sum(told[row] for row in rows) == len(rows)


def test_an_option_that_is_dearer_and_later_by_name_goes() -> None:
    assert _told([Sold(0, 0, 0, 3), Sold(0, 0, 0, 5), Sold(0, 0, 0, 2)], 3, [0, 1, 2]) == [2, 0, 1]


def _told(sold: Sequence[Sold], n_admitted: int, names: Sequence[int]) -> list[int]:
    group, bill, place, usd = np.array(sold, dtype=np.intp).reshape(-1, 4).T
    option_set = SimpleNamespace(
        places=(SimpleNamespace(region="home"), SimpleNamespace(region="away")), place_of=place, bill_of=bill,
        tail_rank=np.array(names, dtype=np.intp), usd_per_chip_hour=usd.astype(float),
    )  # fmt: skip
    profile = Profile(places=Places(data_region="home"))
    return represented(profile, option_set, np.arange(len(sold)), group, n_admitted).tolist()


@pytest.mark.parametrize("name", ["llama3-70b-pretraining", "chat-serving-8b"])
def test_what_is_shown_of_the_rejected_is_what_all_of_them_would_show(name: str) -> None:
    """Every option billed, against those that are left: the same rows, and the same numbers of offers told."""
    profile, catalogue = load_profiles()[name], load_catalogue()

    def every_one(profile, catalogue):
        ground = ground_of(profile, catalogue)
        return replace(ground, stands_for=np.ones_like(ground.stands_for))

    shown = []
    for prepare in (ground_of, every_one):
        worth = search(profile, catalogue, NO_CORRECTIONS, prepare=prepare)
        judged = judge(profile, catalogue, worth.screened, worth.shortlisted, worth.efforts)
        shown.append((judged.n, standings(profile, judged).results))
    (few, left), (n, every) = shown
    assert few < n
    assert left.columns.ids == every.columns.ids
    assert [one.reasons for one in left] == [one.reasons for one in every]
