"""Real results of two workloads, evaluated once."""

from __future__ import annotations

from datetime import date

import pytest

from core.catalogue.catalogue import Catalogue
from core.catalogue.loading import load_catalogue
from core.comparison.evaluate import evaluate
from core.comparison.result import ResultSet
from core.plan.plan import Plan
from core.report.document import build
from core.workload.jobs.kinds import OnlineServing, PreTraining
from core.workload.models.transformer import TransformerModel
from core.workload.profile import Profile, Stack

TODAY = date(2026, 11, 21)
MODEL = TransformerModel(name="Llama 3 70B", n_layers=80, d_model=8192, n_heads=64, n_kv_heads=8, d_ff=28672)


@pytest.fixture(scope="session")
def catalogue() -> Catalogue:
    return load_catalogue()


@pytest.fixture(scope="session")
def plan() -> Plan:
    tuned = Stack(training_stack="vendor")
    train = Profile(id="train", name="Train 70B", job=PreTraining(n_tokens=1.1e12), model=MODEL, stack=tuned)
    serve = Profile(id="serve", name="Serve 70B", job=OnlineServing(peak_requests_per_s=20), model=MODEL)
    return Plan(id="p1", name="Llama 3 70B plan", profiles=(train, serve))


@pytest.fixture(scope="session")
def results(plan: Plan, catalogue: Catalogue) -> dict[str, ResultSet]:
    return {profile.id: evaluate(profile, catalogue) for profile in plan.profiles}


@pytest.fixture(scope="session")
def document(plan, results, catalogue):
    return build(plan, results, catalogue, TODAY)
