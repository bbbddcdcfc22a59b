"""Which variants contend: those near the best of their chip, of the first few chips."""

from __future__ import annotations

import numpy as np

from core.comparison.what_if.contending import N_VARIANTS, NEAR, _first_of_chips


def _kept(utilities: list[float], chips: list[int], n_chips: int, always: tuple[bool, ...] = (False,) * 3) -> set[int]:
    return set(_first_of_chips(np.array(utilities), np.array(chips), np.array(always), n_chips))


def test_what_is_near_the_best_of_its_chip_contends() -> None:
    utilities = [0.9, 0.9 - 0.5 * NEAR, 0.9 - 2 * NEAR, 0.5, 0.4]
    assert _kept(utilities, [0, 0, 0, 1, 2], n_chips=1) == {0, 1}
    assert _kept(utilities, [0, 0, 0, 1, 2], n_chips=2) == {0, 1, 3}
    assert _kept(utilities, [0, 0, 0, 1, 2], 1, always=(False, False, True)) == {0, 1, 4}


def test_of_one_chip_no_more_than_a_few() -> None:
    utilities = [0.9 - 1e-6 * n for n in range(N_VARIANTS + 3)]
    assert _kept(utilities, [0] * len(utilities), 1, (False,)) == set(range(N_VARIANTS))
