"""One answer that all tests of the room ask: 70B pre-training, the pick and the best of another chip."""

from __future__ import annotations

import pytest

from core.catalogue.loading import load_catalogue
from core.comparison.evaluate import evaluate
from core.comparison.result import ResultSet
from core.comparison.what_if.inputs import Input
from core.comparison.what_if.study import Study
from core.workload.library import load_profiles


@pytest.fixture(scope="session")
def results() -> ResultSet:
    return evaluate(load_profiles()["llama3-70b-pretraining"], load_catalogue())


@pytest.fixture(scope="session")
def study(results: ResultSet) -> Study:
    pick = results.choice
    assert pick is not None
    other = next(one for one in results.best_trusted if one.candidate.accelerator is not pick.candidate.accelerator)
    return Study(results, pick.id, other.id)


@pytest.fixture(scope="session")
def inputs(study: Study) -> dict[str, Input]:
    return {one.id: one for one in study.inputs}
