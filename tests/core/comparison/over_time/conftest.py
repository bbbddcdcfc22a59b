"""The sample plan's answers, asked once."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

import pytest

from core.catalogue.loading import load_catalogue
from core.comparison.evaluate import evaluate
from core.comparison.over_time.answer import OverTime, over_time
from core.comparison.result import ResultSet
from core.plan.sample_plan import sample_plan
from core.workload.library import more_profiles
from core.workload.phase_templates import phases_from, template
from core.workload.phases import Phase

DEADLINE = date(2027, 6, 14)


@pytest.fixture(scope="session")
def answers() -> Mapping[str, ResultSet]:
    """Results of the sample plan's workloads by their ids."""
    return {one.id: evaluate(one, load_catalogue()) for one in sample_plan().profiles}


@pytest.fixture(scope="session")
def mixed_phases() -> tuple[Phase, ...]:
    """Explore on GPU, scale on TPU."""
    return phases_from(template("gpu-then-tpu"), sample_plan().profiles)


@pytest.fixture(scope="session")
def mixed(answers: Mapping[str, ResultSet], mixed_phases: tuple[Phase, ...]) -> OverTime:
    """Their answer."""
    answer = over_time(mixed_phases, answers, DEADLINE)
    assert answer is not None
    return answer


@pytest.fixture(scope="session")
def bank() -> ResultSet:
    """A service that may not leave the building, for 36 months: its pick is bought, and every TPU breaks a limit."""
    return evaluate(more_profiles()["bank-on-premises"], load_catalogue())
