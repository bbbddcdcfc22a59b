"""An engine that answers each workload once for all tests of the tabs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from core.comparison.evaluate import evaluate
from core.comparison.result import ResultSet
from core.workload.profile import Profile

Engine = Callable[..., ResultSet]


@pytest.fixture(scope="session")
def engine() -> Engine:
    """Evaluates a workload, or tells what it answered before."""
    known: dict[Profile, ResultSet] = {}

    def once(profile: Profile, *rest: Any) -> ResultSet:
        if profile not in known:
            known[profile] = evaluate(profile, *rest)
        return known[profile]

    return once
