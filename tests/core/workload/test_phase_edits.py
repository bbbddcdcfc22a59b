"""Phases added, taken out and put in place of others."""

from __future__ import annotations

import pytest

from core.workload.phase_edits import days_until, new_phase, with_phase, without_phase
from core.workload.phases import MOST_DAYS, Phase

A, B = (Phase(id=name, name=name, stage="scale", workload="w") for name in ("a", "phase-2"))


def test_a_phase_takes_the_place_of_that_of_its_id_or_comes_last() -> None:
    other = A.model_copy(update={"name": "other"})
    assert with_phase((A, B), other) == (other, B)
    assert with_phase((B,), other) == (B, other)
    assert without_phase((A, B), "a") == (B,)
    assert without_phase((A, B), "c") == (A, B)


def test_a_new_phase_has_the_first_free_id() -> None:
    assert [new_phase(phases, "w").id for phases in ((), (B,), (new_phase((), "w"), B))] == [
        "phase-1", "phase-1", "phase-3",
    ]  # fmt: skip
    assert (new_phase((), "w").stage, new_phase((), "w", "pilot").stage) == ("scale", "pilot")


@pytest.mark.parametrize(
    ("day", "begins", "days"), [(10.4, 3.0, 7.0), (10.6, 3.0, 8.0), (3.0, 3.0, 1.0), (1.0, 5.0, 1.0), (1e9, 0.0, None)]
)
def test_work_until_a_day_is_whole_days(day: float, begins: float, days: float | None) -> None:
    assert days_until(day, begins) == (MOST_DAYS if days is None else days)
