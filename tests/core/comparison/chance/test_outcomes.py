"""What the draws say of a service's limits: in time, and not run over in the busiest hour."""

from __future__ import annotations

import numpy as np
import pytest

from core.catalogue.catalogue import Catalogue
from core.comparison.chance.outcomes import outcomes_of
from core.comparison.evaluate import judge
from core.comparison.judge.assemble import Judged
from core.comparison.shortlisting import search
from core.ranges import Z_OF_80_PCT
from core.throughput.correction import NO_CORRECTIONS
from core.workload.library import load_profiles

SERVICE = load_profiles()["sdxl-serving"]


@pytest.fixture(scope="module")
def judged(catalogue: Catalogue) -> Judged:
    worth = search(SERVICE, catalogue, NO_CORRECTIONS)
    return judge(SERVICE, catalogue, worth.screened, worth.shortlisted, worth.efforts)


def _full_to(judged: Judged, row: int) -> tuple[float, float]:
    """The peak over what full replicas answer at the likely speed, and by how many deviations that lies from 1."""
    speed, peak = judged.shortlisted.throughput(row), SERVICE.job.busiest_requests_per_s
    assert speed.load and peak
    full = peak / speed.load.saturated_at_per_s
    deviation = np.log(speed.tokens_per_s.likely / speed.tokens_per_s.low) / Z_OF_80_PCT
    return full, -float(np.log(full)) / deviation


def test_a_service_carries_its_peak_as_often_as_its_full_chips_answer_more(judged: Judged) -> None:
    rows = [row for row in range(judged.n) if judged.columns.feasible[row]][::40]
    kept = outcomes_of(judged, np.array(rows)).keeps["peak"].mean(axis=1)
    for row, share in zip(rows, kept.tolist(), strict=True):
        full, room = _full_to(judged, row)
        assert full <= 0.95 * (1 + 1e-9)
        carries = 0.5 * (1 + np.tanh(0.7979 * room * (1 + 0.0447 * room**2)))  # the normal distribution, to 0.0002
        assert share == pytest.approx(carries, abs=0.02)


def test_room_above_the_peak_is_what_keeps_it(judged: Judged) -> None:
    """Of one seller's chips, as many as carry the peak at the likely speed and as many as do at the low end."""
    rows = [row for row in range(judged.n) if judged.shortlisted.fits[row] and judged.columns.feasible[row]]
    of_each: dict[int, list[int]] = {}
    for row in rows:
        of_each.setdefault(int(judged.shortlisted.option_of[row]), []).append(row)
    pairs = [
        (own[0], own[1])
        for own in of_each.values()
        if len(own) > 1 and _full_to(judged, own[0])[0] > 0.8 and _full_to(judged, own[1])[0] < 0.75
    ]
    assert len(pairs) > 5
    kept = outcomes_of(judged, np.array(pairs).ravel()).keeps["peak"].mean(axis=1).reshape(-1, 2)
    assert (kept[:, 0] < 0.85).all() and np.median(kept[:, 1]) > 0.9 and (kept[:, 1] > kept[:, 0] + 0.05).all()
