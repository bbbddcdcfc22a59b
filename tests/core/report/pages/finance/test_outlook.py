"""Scenarios beside the base: each pick under the heading of its workload, whichever have one."""

from __future__ import annotations

from typing import Any

import pytest

from core.catalogue.catalogue import Catalogue
from core.comparison.evaluate import evaluate
from core.comparison.together.plan_answer import answer_of
from core.plan.plan import Plan, Scenario
from core.plan.scenario import BASE
from core.report.blocks import Table
from core.report.ledger import ledger_of, units_text
from core.report.pages.finance.outlook import scenario_blocks
from core.units import DASH
from core.workload.profile import Limits

TRAIN, SERVE, TOTAL, AGAINST = 1, 2, 3, 5


@pytest.fixture(scope="module")
def table(plan: Plan, catalogue: Catalogue) -> Table:
    """A plan whose training fits only with more time; its serving always, until it has to carry too much."""
    train, serve = plan.profiles
    hasty = train.model_copy(update={"limits": Limits(deadline_days=1)})
    told: dict[str, dict[str, Any]] = {
        "More time": {"profiles.0.limits.deadline_days": 300.0},
        "Dearer people": {"profiles.1.team.engineer_usd_per_week": 9000.0},
        "No money": {"profiles.1.limits.budget_usd": 1.0},
    }
    scenarios = tuple(Scenario(id=f"s{n}", name=name, overrides=told[name]) for n, name in enumerate(told))
    changed = plan.model_copy(update={"profiles": (hasty, serve), "scenarios": (*plan.scenarios, *scenarios)})
    results = {one.id: evaluate(one, catalogue) for one in changed.profiles}
    answer = answer_of(list(results.values()))
    assert answer is not None and results["train"].choice is None
    _, block = scenario_blocks(changed, results, BASE, answer, ledger_of(answer))
    assert isinstance(block, Table)
    return block


def _texts(table: Table) -> dict[str, list[str]]:
    return {row[0].text: [cell.text for cell in row] for row in table.rows}


def test_every_workload_has_its_column_and_its_pick_stands_there(table: Table) -> None:
    assert [column.title for column in table.columns[TRAIN:TOTAL]] == ["Train 70B", "Serve 70B"]
    rows = _texts(table)
    assert rows["Base"][TRAIN] == "Nothing fits" != rows["Base"][SERVE]
    assert rows["More time"][SERVE] == rows["Dearer people"][SERVE] == rows["Base"][SERVE]
    assert rows["More time"][TRAIN] not in ("Nothing fits", rows["Base"][SERVE])
    assert rows["No money"][TRAIN : SERVE + 1] == ["Nothing fits", "Nothing fits"]


def test_only_totals_of_the_same_workloads_are_held_against_each_other(table: Table) -> None:
    rows = _texts(table)
    assert rows["More time"][TOTAL] != DASH == rows["More time"][AGAINST]
    assert "More time: its total also holds Train 70B, without a pick in the base." in table.caption
    assert rows["Dearer people"][AGAINST] != DASH and "Dearer people: its total" not in table.caption
    assert rows["No money"][TOTAL:] == [DASH] * 5
    assert rows["Base"][TOTAL] != units_text(0)
