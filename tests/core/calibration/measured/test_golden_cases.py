"""Every shipped measured row as the engine is asked about it: no figure read from a cell drifts unseen."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import fields
from typing import Any
from zlib import crc32

import pytest
from pydantic import BaseModel

from core.calibration.measured.case import any_case_of
from core.calibration.studies.shipped_studies import SHIPPED, shipped_table
from core.catalogue.loading import load_catalogue
from core.throughput.types import System
from tests.golden import as_plain, assert_kept

FEW = 12
"""Values of a field that are counted one by one; of more, how many there are and a check sum of all."""


@pytest.mark.parametrize("table", SHIPPED)
def test_what_the_rows_say_is_kept(table: str) -> None:
    catalogue, told = load_catalogue(), defaultdict[str, Counter[str]](Counter)
    for row in shipped_table(table).rows:
        case = any_case_of(row, row.work, catalogue)
        told["kind"][type(case).__name__] += 1
        for field in fields(case):
            if field.name != "row":
                for path, value in _figures(_plain(getattr(case, field.name)), field.name):
                    told[path][value] += 1
    assert_kept(f"counts_{table}", {path: _summary(counts) for path, counts in sorted(told.items())})


def _plain(value: Any) -> Any:
    if isinstance(value, BaseModel):
        return as_plain(value.model_dump(exclude_defaults=True))
    if isinstance(value, System):
        return [value.accelerator.id, value.n_chips, value.chips_per_host, value.network_gbit_per_s]
    return as_plain(value)


def _figures(value: Any, path: str) -> Iterator[tuple[str, str]]:
    """Where each figure stands and what it is."""
    if isinstance(value, dict):
        for name, one in value.items():
            yield from _figures(one, f"{path}.{name}")
    elif isinstance(value, list):
        for number, one in enumerate(value):
            yield from _figures(one, f"{path}[{number}]")
    else:
        yield path, str(value)


def _summary(counts: Counter[str]) -> Any:
    if len(counts) <= FEW:
        return dict(sorted(counts.items()))
    lines = "\n".join(f"{value} {number}" for value, number in sorted(counts.items()))
    return [len(counts), counts.total(), crc32(lines.encode())]
