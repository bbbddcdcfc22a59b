"""Files of an older format are brought up to date in memory."""

import pytest

from core.errors import InputError
from core.plan.schema import STEPS, USER_VERSION, Rows, migrated


def _named(rows: Rows) -> Rows:
    """A made-up step: the made-up format 0 called profiles ``workloads``."""
    return {**{name: table for name, table in rows.items() if name != "workloads"}, "profiles": rows["workloads"]}


def _counted(rows: Rows) -> Rows:
    return {**rows, "profiles": [{**row, "position": i} for i, row in enumerate(rows["profiles"])]}


def test_steps_are_taken_in_turn() -> None:
    rows = migrated({"workloads": [{"id": "a"}], "meta": []}, 0, "old", {1: _counted, 0: _named}, target=2)
    assert rows == {"profiles": [{"id": "a", "position": 0}], "meta": []}


def test_newest_format_is_left_alone() -> None:
    rows: Rows = {"meta": []}
    assert migrated(rows, USER_VERSION, "new") is rows


def test_newer_and_unknown_formats_are_refused() -> None:
    with pytest.raises(InputError, match="format 9, made by a newer Roofplan"):
        migrated({}, 9, "x")
    with pytest.raises(InputError, match="found format 0"):
        migrated({}, 0, "x", {})


def test_every_format_has_its_step() -> None:
    assert set(STEPS) == set(range(1, USER_VERSION))
