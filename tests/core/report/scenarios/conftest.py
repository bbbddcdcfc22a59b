"""The sample plan's pre-training in three of its scenarios, evaluated once."""

from __future__ import annotations

import pytest

from core.catalogue.loading import load_catalogue
from core.comparison.evaluate import evaluate
from core.plan.sample_plan import sample_plan
from core.plan.scenario import resolve
from core.report.scenarios.answers import ScenarioAnswer


@pytest.fixture(scope="session")
def answers() -> tuple[ScenarioAnswer, ...]:
    """Base, "60 % use", which is about the other workload, and "Done in 30 days", in which nothing fits."""
    plan, catalogue = sample_plan(), load_catalogue()
    base = evaluate(plan.profiles[0], catalogue)
    soon = evaluate(resolve(plan, "scenario-3").profiles[0], catalogue)
    return (
        ScenarioAnswer("base", "Base", base),
        ScenarioAnswer("scenario-2", "60 % use", base),
        ScenarioAnswer("scenario-3", "Done in 30 days", soon),
    )
