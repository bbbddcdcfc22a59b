"""Cells of many rows at once: numbers, stamps and keys as reading each alone gives them."""

import math
import random

import numpy as np
import pytest

from core.logs.machine.cells import cell_block, keys, numbers, stamps
from core.logs.timestamps import seconds_of


def _parse(cell: bytes) -> float:
    try:
        return float(cell.removesuffix(b" W"))
    except ValueError:
        return math.nan


def _never(cell: bytes) -> float:
    raise AssertionError(cell)


CELLS = [
    "0 W",
    "7 W",
    "71.25 W",
    "99999999 W",
    "12345.67 W",
    "1234567.89 W",
    "[N/A]",
    "",
    "-3 W",
    "5 kW",
    "1.5",
    "W",
    "3. W",
]


@pytest.mark.parametrize("first", ["71.25 W", "7 W", "[N/A]", "5", "0.125"])
@pytest.mark.parametrize("seed", range(4))
def test_numbers_are_those_of_each_cell_alone(first: str, seed: int) -> None:
    chance = random.Random(seed)
    cells = [first, *(chance.choice([*CELLS, f"{chance.uniform(0, 999):.2f} W"]) for _ in range(200))]
    block = cell_block("".join(f"a, {cell}, b\n" for cell in cells).encode(), 3)
    assert block is not None
    made = numbers(block, 1, _parse, lambda unit: math.nan if unit == "kW" else 1.0)
    np.testing.assert_allclose(made, [_parse(cell.encode()) for cell in cells])


@pytest.mark.parametrize("block", [b"a,b\nc\n", b"a,b\nc,d,e\n", b"a,b,c\nd\n", b"a,b", b""])
def test_rows_of_another_width_are_no_block(block: bytes) -> None:
    assert cell_block(block, 2) is None


def test_stamps_are_those_of_each_alone() -> None:
    texts = ["2026/10/14 09:30:00.005", "2026/12/31 23:59:59.999", "2027/01/01 00:00:00.000", "2024/02/29 01:02:03.456"]
    block = cell_block("".join(f"{text}, x\n" for text in texts).encode(), 2)
    assert block is not None
    made = stamps(block, 0, _never)
    np.testing.assert_allclose(made, [seconds_of(text) for text in texts], rtol=0, atol=1e-6)


@pytest.mark.parametrize(
    "odd", ["2026-10-14 09:30:00.005", "2026/13/14 09:30:00.005", "2026/10/14 09:3a:00.005", "2026/10/14 09:30:00"]
)
def test_another_stamp_is_parsed_alone(odd: str) -> None:
    block = cell_block(f"2026/10/14 09:30:00.005, x\n{odd}, x\n".encode(), 2)
    assert block is not None
    assert stamps(block, 0, len).tolist() == [23.0, float(len(odd))]


def test_keys_are_equal_where_all_cells_are() -> None:
    rows = ["GPU-aaaa-1, 0", "GPU-aaaa-2, 0", "GPU-aaaa-1, 1", "GPU-aaaa-1, 0", "GPU-aaaa-1,0"]
    block = cell_block("".join(f"{row}, z\n" for row in rows).encode(), 3)
    assert block is not None
    made = keys(block, (0, 1)).tolist()
    assert made[0] == made[3] == made[4]
    assert len(set(made)) == 3
    assert set(keys(block, ()).tolist()) == {0}
