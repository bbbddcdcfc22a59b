"""Recovery copies are kept for a week and can be restored."""

import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from core.errors import InputError, MachineError
from core.plan import recovery
from core.plan.plan import Plan
from core.plan.store import load
from core.workload.profile import Profile

NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
PLAN = Plan(id="p", name="Plan", profiles=(Profile(),))
NEXT = PLAN.model_copy(update={"name": "Plan B"})


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user's folder of the test's own."""
    monkeypatch.setenv("ROOFPLAN_HOME", str(tmp_path))
    return tmp_path


def test_copies_are_listed_newest_first_and_restored() -> None:
    recovery.take(PLAN, NOW)
    recovery.take(NEXT, NOW + timedelta(minutes=5))
    found = recovery.snapshots()
    assert [(one.plan_id, one.plan_name) for one in found] == [("p", "Plan B"), ("p", "Plan")]
    assert found[1].taken_at == NOW
    assert load(found[1].path) == PLAN
    assert len(recovery.snapshots()) == 2
    assert [one.plan_name for one in recovery.snapshots(most=1)] == ["Plan B"]


def test_an_unchanged_plan_is_not_copied_again() -> None:
    assert recovery.take(PLAN, NOW)
    assert recovery.take(PLAN, NOW + timedelta(minutes=5)) is None
    assert recovery.take(NEXT, NOW + timedelta(minutes=10))
    assert recovery.take(PLAN, NOW + timedelta(minutes=15))
    assert len(recovery.snapshots()) == 3


def test_two_plans_are_kept_apart() -> None:
    recovery.take(PLAN, NOW)
    assert recovery.take(PLAN.model_copy(update={"id": "q/ü"}), NOW)
    assert {one.plan_id for one in recovery.snapshots()} == {"p", "q/ü"}


def test_copies_older_than_a_week_go() -> None:
    recovery.take(PLAN, NOW - timedelta(days=8))
    recovery.take(PLAN.model_copy(update={"id": "q"}), NOW - timedelta(days=6))
    assert recovery.prune(NOW) == 1
    assert [one.plan_id for one in recovery.snapshots()] == ["q"]
    recovery.take(NEXT, NOW + timedelta(days=2))
    assert [one.plan_id for one in recovery.snapshots()] == ["p"]


def test_what_cannot_be_read_is_passed_over() -> None:
    path = recovery.take(PLAN, NOW)
    assert path is not None
    path.write_bytes(b"damaged")
    (recovery.folder() / "note.roofplan").write_text("mine", encoding="utf-8")
    assert recovery.snapshots() == []
    assert recovery.take(PLAN, NOW + timedelta(minutes=5))
    assert path.exists()


def test_a_copy_that_is_gone_is_said_to_be_so() -> None:
    recovery.take(PLAN, NOW)
    [snapshot] = recovery.snapshots()
    snapshot.path.unlink()
    with pytest.raises(InputError, match="no such file"):
        load(snapshot.path)


def test_a_clock_that_was_set_back_costs_no_copy() -> None:
    recovery.take(PLAN, NOW)
    recovery.take(NEXT, NOW - timedelta(days=400))
    recovery.take(PLAN.model_copy(update={"note": "later"}), NOW)
    assert {one.plan_name for one in recovery.snapshots()} == {"Plan", "Plan B"}
    assert len(recovery.snapshots()) == 3


def test_copies_of_one_plan_are_told_apart_from_those_of_others() -> None:
    recovery.take(PLAN, NOW)
    recovery.take(PLAN.model_copy(update={"id": "q"}), NOW)
    recovery.take(PLAN.model_copy(update={"id": "p.", "name": "Alike"}), NOW)
    assert [one.plan_id for one in recovery.snapshots("p")] == ["p"]
    assert [one.plan_name for one in recovery.snapshots("p.")] == ["Alike"]


def test_copies_fill_no_drive(monkeypatch: pytest.MonkeyPatch) -> None:
    for minutes in range(4):
        recovery.take(PLAN.model_copy(update={"name": f"Plan {minutes}"}), NOW + timedelta(minutes=minutes))
    size = recovery.snapshots()[0].path.stat().st_size
    monkeypatch.setattr(recovery, "MOST_BYTES", 2 * size)
    assert recovery.prune(NOW + timedelta(minutes=9)) == 2
    assert [one.plan_name for one in recovery.snapshots()] == ["Plan 3", "Plan 2"]


def test_copies_and_their_folder_are_private(home: Path) -> None:
    path = recovery.take(PLAN, NOW)
    assert path is not None
    assert (path.stat().st_mode & 0o777, path.parent.stat().st_mode & 0o777) == (0o600, 0o700)


def test_what_a_dead_program_left_among_the_copies_is_swept() -> None:
    stray = recovery.folder() / ".20261121-120000-000000_p.roofplan.part-x-y"
    stray.write_bytes(b"half")
    os.utime(stray, (0, 0))
    recovery.take(PLAN, NOW)
    assert not stray.exists()


def test_a_folder_that_cannot_be_made_is_told(home: Path) -> None:
    (home / "recovery").write_text("in its place", encoding="utf-8")
    with pytest.raises(MachineError, match="recovery"):
        recovery.take(PLAN, NOW)
