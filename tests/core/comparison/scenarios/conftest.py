"""Answers to the scenarios on the shipped catalogue, each worked out once."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import pytest

from core.catalogue.catalogue import Catalogue
from core.comparison.evaluate import evaluate
from core.comparison.result import ResultSet
from core.workload.profile import Profile

Answer = Callable[[Profile], ResultSet]


@pytest.fixture(scope="session")
def answer(catalogue: Catalogue) -> Answer:
    """The answer to a profile."""

    @cache
    def answered(written: str) -> ResultSet:
        return evaluate(Profile.model_validate_json(written), catalogue)

    return lambda profile: answered(profile.model_dump_json(exclude_unset=True))
