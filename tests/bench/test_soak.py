"""The soak tells what grew, and nothing else."""

from dataclasses import replace

import pytest

from tests.bench.soak import DIALOGS, FIELDS, MOST_FURTHER, WEIGHTS, Figures, Soak, faults

WARM = Figures(rss=300.0, native=120.0, handles=12, threads=6, windows=33, widgets=1400, objects=2200)


def test_memory_within_five_percent_and_what_comes_and_goes_are_no_growth() -> None:
    now = replace(WARM, rss=314.9, native=400.0, widgets=1460, handles=12 + MOST_FURTHER, threads=3)
    assert faults(WARM, now) == []


@pytest.mark.parametrize(
    ("name", "now"),
    [("rss", 316), ("handles", 17), ("threads", 11), ("windows", 38), ("widgets", 1471), ("objects", 2311)],
)
def test_what_grew_is_named(name: str, now: int) -> None:
    assert faults(WARM, replace(WARM, **{name: now})) == [f"{name} grew from {getattr(WARM, name):.0f} to {now}"]


def test_every_operation_can_be_done() -> None:
    assert all(callable(getattr(Soak, f"do_{name}")) for name in (*WEIGHTS, "type"))
    assert all(low < high for low, high in FIELDS.values()) and len(set(DIALOGS)) == len(DIALOGS)
