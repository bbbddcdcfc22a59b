"""The soak tells what grew, and nothing else."""

from dataclasses import replace

import pytest

from tests.bench.soak import DIALOGS, FIELDS, MOST_FURTHER, WEIGHTS, Figures, Soak, faults

WARM = Figures(rss=300.0, native=120.0, handles=12, threads=6, windows=33, widgets=1400, objects=2200)


def test_memory_within_five_percent_and_what_comes_and_goes_are_no_growth() -> None:
    assert faults(WARM, replace(WARM, rss=314.9, native=400.0, widgets=1400 + MOST_FURTHER, threads=3)) == []


@pytest.mark.parametrize("name", ["handles", "threads", "windows", "widgets", "objects"])
def test_what_grew_is_named(name: str) -> None:
    before = getattr(WARM, name)
    told = faults(WARM, replace(WARM, **{name: before + MOST_FURTHER + 1}))
    assert told == [f"{name} grew from {before} to {before + MOST_FURTHER + 1}"]


def test_memory_that_grew_is_told() -> None:
    assert faults(WARM, replace(WARM, rss=316.0)) == ["memory grew from 300 to 316"]


def test_every_operation_can_be_done() -> None:
    assert all(callable(getattr(Soak, f"do_{name}")) for name in WEIGHTS)
    assert all(low < high for low, high in FIELDS.values()) and len(set(DIALOGS)) == len(DIALOGS)
