"""Parts of bars on paper: told apart without their colours."""

from __future__ import annotations

from itertools import combinations

import pytest

from gui.charts.kinds.step_time import TERMS
from gui.charts.paint.textures import texture

SIDES = (10.0, 70.0, 5.0, 16.0)


def _white(key: str) -> frozenset[tuple[float, float]]:
    return frozenset((round(x, 2), round(y, 2)) for polygon in texture(key, SIDES) for x, y in polygon)


def test_terms_of_a_step_that_stand_beside_each_other_have_textures_of_their_own() -> None:
    """Memory, network and host were one grey in a print without colour."""
    keys = [TERMS[term][1] for term in ("compute", "memory", "network", "input", "host", "pipeline")]
    assert all(_white(one) != _white(other) for one, other in combinations(keys, 2))
    assert _white("part:compute") == frozenset() == _white("other_parts")


@pytest.mark.parametrize("key", ["storage", "egress", "operations", "setting_up", "porting", "pipeline", "energy"])
@pytest.mark.parametrize("width", [0.5, 3.0, 60.0])
def test_a_texture_stays_within_its_segment(key: str, width: float) -> None:
    left, right, top, bottom = 10.0, 10.0 + width, 5.0, 16.0
    for polygon in texture(f"part:{key}", (left, right, top, bottom)):
        assert all(left - 1e-6 <= x <= right + 1e-6 and top - 1e-6 <= y <= bottom + 1e-6 for x, y in polygon)
