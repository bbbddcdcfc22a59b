"""Which phases move with an end that is dragged, and by how much."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any, cast

from core.workload.phases import Phase
from gui.tabs.over_time.following import follower, following

FIRST = date(2027, 1, 1)


@dataclass
class Run:
    """Stands for the engine's: likely days alone."""

    phase: Phase
    begin: tuple[float]
    end: tuple[float]


def run(name: str, first: float, last: float, **fields: Any) -> Run:
    return Run(Phase(id=name, name=name, **fields), (first,), (last,))


def moved(*runs: Run, end_day: float, alone: bool = False) -> dict[str, tuple[float, float]]:
    return following(cast(Any, runs), FIRST, runs[0].phase.id, end_day, alone)


def test_phases_after_it_follow_by_as_many_days_both_ways() -> None:
    runs = run("a", 0, 10), run("b", 10, 30), run("c", 30, 35)
    assert moved(*runs, end_day=14) == {"b": (14, 34), "c": (34, 39)}
    assert moved(*runs, end_day=7) == {"b": (7, 27), "c": (27, 32)}
    assert moved(*runs, end_day=10) == {}


def test_a_typed_start_waits_and_a_typed_end_stays() -> None:
    later = run("b", 20, 30, start=FIRST + timedelta(days=20))
    assert moved(run("a", 0, 10), later, end_day=15) == {}
    assert moved(run("a", 0, 10), later, end_day=22) == {"b": (22, 32)}
    fixed = run("b", 10, 30, end=FIRST + timedelta(days=30))
    assert moved(run("a", 0, 10), fixed, run("c", 30, 40), end_day=15) == {"b": (15, 30)}


def test_a_port_with_a_start_of_its_own_goes_on_beside() -> None:
    port = run("b", 5, 12, stage="port", start=FIRST + timedelta(days=5))
    assert moved(run("a", 0, 10), port, run("c", 12, 20), end_day=15) == {"c": (15, 23)}


def test_alone_it_moves_none_but_those_it_would_run_into() -> None:
    runs = run("a", 0, 10), run("b", 10, 30), run("c", 30, 35)
    assert moved(*runs, end_day=7, alone=True) == {}
    assert moved(*runs, end_day=14, alone=True) == {"b": (14, 34), "c": (34, 39)}


def test_the_follower_is_the_next_one_that_does_not_go_on_beside() -> None:
    port = run("b", 5, 12, stage="port", start=FIRST + timedelta(days=5))
    runs = cast(Any, (run("a", 0, 10), port, run("c", 12, 20)))
    assert [one and one.phase.id for one in (follower(runs, "a"), follower(runs, "c"), follower(runs, "x"))] == [
        "c", None, None,
    ]  # fmt: skip
