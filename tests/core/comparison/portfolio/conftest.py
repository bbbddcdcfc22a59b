"""The shipped plan of eight models and its answers, asked once."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from core.catalogue.loading import load_catalogue
from core.comparison.evaluate import evaluate
from core.comparison.portfolio.answer import portfolio_answer
from core.comparison.portfolio.result import PortfolioAnswer
from core.comparison.result import ResultSet
from core.plan.plan import Plan
from core.plan.sample_plan import portfolio_plan
from core.workload.portfolio import Portfolio

Ask = Callable[..., PortfolioAnswer]


@pytest.fixture(scope="session")
def eight() -> Plan:
    return portfolio_plan()


@pytest.fixture(scope="session")
def answers(eight: Plan) -> Mapping[str, ResultSet]:
    """Results of its workloads by their ids."""
    return {one.id: evaluate(one, load_catalogue()) for one in eight.profiles}


@pytest.fixture(scope="session")
def ask(eight: Plan, answers: Mapping[str, ResultSet]) -> Ask:
    """The answer of its portfolio with some settings changed."""
    assert eight.portfolio is not None
    settings, known = eight.portfolio, dict[str, PortfolioAnswer]()

    def asked(**changes: object) -> PortfolioAnswer:
        wanted = Portfolio.model_validate({**dict(settings), **changes})
        key = wanted.model_dump_json()
        if key not in known:
            answer = portfolio_answer(wanted, answers)
            assert answer is not None
            known[key] = answer
        return known[key]

    return asked
