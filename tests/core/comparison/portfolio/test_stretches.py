"""Runs and batches hour by hour, worked out by hand."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from types import SimpleNamespace
from typing import Any

import pytest

from core.comparison.portfolio.demand import Stretch, stretches

FIRST = date(2027, 1, 1)


def _work(
    *, hours: float, run_h: float = 0.0, rounds: int = 0, use: Mapping[int, float] | None = None, **other: Any
) -> Any:
    """``use``: of months of the calendar from 0, 1 where none is given."""
    shares = use or {}
    given: dict[str, Any] = {"begin": FIRST, "start_hour": 0, "every": None, "set_up_h": 0.0} | other
    job = SimpleNamespace(n_rounds=rounds, set_up_h=given["set_up_h"])
    return SimpleNamespace(
        hours=hours, begin=given["begin"], start_hour=given["start_hour"], profile=SimpleNamespace(job=job),
        member=SimpleNamespace(every_months=given["every"], use_in=lambda month: shares.get(month, 1.0)),
        result=SimpleNamespace(run_h=SimpleNamespace(likely=run_h)), is_run=rounds == 0, is_schedule=rounds > 0,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("work", "n_days", "told"),
    [
        # Three days, a batch a day of 2 h and a quarter to set up, from 22 h on.
        (_work(hours=72, rounds=3, run_h=2.0, set_up_h=0.25, start_hour=22), 9,
         [Stretch(22.0, 2.25), Stretch(46.0, 2.25), Stretch(70.0, 2.25)]),
        # Two a day are four hours of every day.
        (_work(hours=48, rounds=4, run_h=2.0), 9, [Stretch(0.0, 4.0), Stretch(24.0, 4.0)]),
        # Every 36 hours is no more often than daily: at whole days.
        (_work(hours=72, rounds=2, run_h=5.0), 9, [Stretch(0.0, 5.0), Stretch(24.0, 5.0)]),
        # A third of the load takes 0.67 h, in quarters 0.75; a month of none takes nothing.
        (_work(hours=48, rounds=2, run_h=2.0, use={0: 1 / 3}), 9,
         [Stretch(0.0, 0.75, 1 / 3), Stretch(24.0, 0.75, 1 / 3)]),
        (_work(hours=48, rounds=2, run_h=2.0, use={0: 0.0}), 9, []),
        # 2.1 h at full load are not rounded; 60 h a day are three pools of 20 h.
        (_work(hours=24, rounds=1, run_h=2.1), 9, [Stretch(0.0, 2.1)]),
        (_work(hours=24, rounds=1, run_h=60.0), 9, [Stretch(0.0, 20.0, 1.0, 3)]),
        # What begins after the days does not count.
        (_work(hours=96, rounds=4, run_h=1.0), 2, [Stretch(0.0, 1.0), Stretch(24.0, 1.0)]),
        (_work(hours=24, rounds=1, run_h=1.0, begin=date(2027, 1, 3)), 9, [Stretch(48.0, 1.0)]),
        # A run once, and one that comes again every month (30.4 days) while it ends within the days.
        (_work(hours=100.1), 9, [Stretch(0.0, 100.1)]),
        (_work(hours=100.0, every=1), 70, [Stretch(0.0, 100.0), Stretch(720.0, 100.0), Stretch(1464.0, 100.0)]),
        (_work(hours=100.0, every=1), 63, [Stretch(0.0, 100.0), Stretch(720.0, 100.0)]),
        # One that takes longer than a month begins anew on the day after it is done.
        (_work(hours=800.0, every=1), 70, [Stretch(0.0, 800.0), Stretch(816.0, 800.0)]),
        # The third begins in March (day 61): none of it there, or half of it where that ends within the days.
        (_work(hours=100.0, every=1, use={2: 0.0}), 70, [Stretch(0.0, 100.0), Stretch(720.0, 100.0)]),
        (_work(hours=100.0, every=1, use={2: 0.5}), 63, [Stretch(0.0, 100.0), Stretch(720.0, 100.0)]),
        (_work(hours=100.0, every=1, use={2: 0.5}), 64,
         [Stretch(0.0, 100.0), Stretch(720.0, 100.0), Stretch(1464.0, 50.0, 0.5)]),
    ],
)  # fmt: skip
def test_hours_in_which_chips_are_held(work: Any, n_days: int, told: list[Stretch]) -> None:
    assert [(one.begin_h, one.hours, one.use, one.copies) for one in stretches(work, FIRST, n_days)] == [
        (one.begin_h, pytest.approx(one.hours), one.use, one.copies) for one in told
    ]
