"""What was found once stays mended, and a small draw of new damage goes into every reader on each run."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from itertools import count
from pathlib import Path
from threading import Event

import pytest

from tests.hostile.doors import DOORS
from tests.hostile.mutations import pack
from tests.hostile.run import HangError, case, limited, outcome
from tests.repository_files import ROOT

CORPUS = ROOT / "tests" / "data" / "hostile"
N_DRAWN = 60
LIMIT_S = 60.0
"""Generous: the suite may run on any machine beside anything."""
SEED = 20_261_122


@pytest.mark.parametrize("name", DOORS)
def test_every_door_reads_what_it_begins_from(name: str, tmp_path: Path) -> None:
    door = DOORS[name]
    for number, seed in enumerate(door.seeds()):
        path = tmp_path / f"{number}{door.suffix}"
        path.write_bytes(seed)
        assert outcome(door, path, LIMIT_S) == "read"


@pytest.mark.parametrize("file", sorted(CORPUS.rglob("*.*")), ids=lambda file: f"{file.parent.name}-{file.name}")
def test_what_was_found_is_answered_or_refused(file: Path) -> None:
    assert outcome(DOORS[file.parent.name], file, LIMIT_S) in ("read", "refused")


@pytest.mark.parametrize("name", DOORS)
def test_damage_is_answered_or_refused(name: str, tmp_path: Path) -> None:
    path = tmp_path / f"file{DOORS[name].suffix}"
    outcomes = set()
    for number in range(N_DRAWN):
        path.write_bytes(case(name, number, SEED))
        outcomes.add(outcome(DOORS[name], path, LIMIT_S))
    assert outcomes == {"read", "refused"}, "the damage is neither too much nor too little"


@pytest.mark.parametrize("name", DOORS)
def test_a_case_can_be_drawn_again(name: str) -> None:
    assert all(case(name, number, SEED) == case(name, number, SEED) for number in range(10))


def test_a_packed_case_does_not_tell_the_hour(monkeypatch: pytest.MonkeyPatch) -> None:
    def packed_at(clock_s: float) -> list[bytes]:
        monkeypatch.setattr(time, "time", lambda: clock_s)
        return [pack(b"a,b", random.Random(number)) for number in range(40)]

    assert packed_at(1e9) == packed_at(1.5e9)


def count_for_ever() -> None:
    for _ in count():
        pass


def wait_for_ever() -> None:
    Event().wait()


@pytest.mark.parametrize(("hang", "limits_s"), [(count_for_ever, (0.05, 60.0)), (wait_for_ever, (60.0, 0.05))])
def test_a_reader_that_never_ends_is_stopped(hang: Callable[[], None], limits_s: tuple[float, float]) -> None:
    with pytest.raises(HangError), limited(*limits_s):
        hang()
