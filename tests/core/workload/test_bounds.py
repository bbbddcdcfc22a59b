"""Bounds of what people type, over every form: counts start at 0 or 1, quantities above 0, and tops are round."""

import importlib
import math
import pkgutil
from collections.abc import Iterator

import pytest

import core
from core.workload.field_description import Described

for module in pkgutil.walk_packages(core.__path__, "core."):
    importlib.import_module(module.name)  # so that every form is known, whatever other tests have imported

LEAST = {
    "sequence_length": 16, "horizon_months": 3, "d_model": 64, "d_head": 8, "d_ff": 64, "software_year": 2018,
    "factor": 1e-6,
}  # fmt: skip
"""Fields whose smallest value is neither 0 nor 1."""
TOPS = {"software_year": 2030, "warm_up_min": 1440, "deadline_days": 3650, "old_price_days": 3650}
"""Fields whose largest value is not round: the last year told apart, a day in minutes, ten years."""


def _classes(base: type[Described]) -> Iterator[type[Described]]:
    for one in base.__subclasses__():
        yield one
        yield from _classes(one)


def _bounds(kind: str) -> list[tuple[str, str, float]]:
    """Class, field and bound of every field that has one of this kind."""
    return [
        (one.__name__, name, getattr(part, kind))
        for one in _classes(Described)
        if one.__module__.startswith("core.")
        for name, field in one.model_fields.items()
        for part in field.metadata
        if getattr(part, kind, None) is not None
    ]


def test_forms_have_bounds_at_all() -> None:
    assert len(_bounds("gt")) > 20 and len(_bounds("ge")) > 20 and len(_bounds("le")) > 50


def test_what_must_be_more_than_something_must_be_more_than_0() -> None:
    assert [found for found in _bounds("gt") if found[2] != 0] == []


def test_counts_start_at_0_or_1_but_for_a_few() -> None:
    assert [found for found in _bounds("ge") if found[2] not in (0, 1) and LEAST.get(found[1]) != found[2]] == []
    assert {name for _, name, _ in _bounds("ge")} >= LEAST.keys()


def test_tops_are_round_numbers() -> None:
    """Two digits and zeros, or a power of two: so one more or less than was meant shows."""
    assert [one for one in _bounds("le") if not _is_round(one[2]) and TOPS.get(one[1]) != one[2]] == []


def _is_round(top: float) -> bool:
    return float(f"{top:.1e}") == top or math.log2(top).is_integer()


@pytest.mark.parametrize("kind", ["gt", "ge"])
def test_a_field_has_one_lower_bound(kind: str) -> None:
    other = {"gt": "ge", "ge": "gt"}[kind]
    both = {found[:2] for found in _bounds(kind)} & {found[:2] for found in _bounds(other)}
    assert both == set()
