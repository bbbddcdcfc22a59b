"""Papers of plans unlike the one of ``test_golden_plan``, line by line: owned hardware over a term, a batch, a budget
and a run that nothing fits, in another currency, for one workload and for several."""

from __future__ import annotations

import json
from typing import Any

import pytest

from core.catalogue.catalogue import Catalogue
from core.comparison.evaluate import evaluate
from core.comparison.result import ResultSet
from core.plan.plan import Choice, Currency, Plan
from core.report.blocks import AnswerFigure, Block, Figure
from core.report.document import PRESETS, build
from core.report.tabular import candidate_rows
from core.report.workbook.write import sheets_of
from core.units import money_in
from core.workload.library import load_profiles, more_profiles
from core.workload.profile import Limits, Outlook, Profile
from tests.core.report.conftest import TODAY
from tests.golden import as_plain, assert_kept


def _profiles() -> tuple[Profile, ...]:
    shipped = {**load_profiles(), **more_profiles()}
    batch, run = shipped["nightly-batch-scoring"], shipped["mistral-7b-lora"]
    return (
        shipped["bank-on-premises"],
        batch.model_copy(update={"outlook": Outlook(horizon_months=24, use_pct=40.0), "limits": Limits()}),
        run.model_copy(update={"limits": run.limits.model_copy(update={"budget_usd": 5.0, "deadline_days": 0.02})}),
    )


@pytest.fixture(scope="module")
def answered(catalogue: Catalogue) -> dict[str, ResultSet]:
    return {one.id: evaluate(one, catalogue) for one in _profiles()}


@pytest.fixture(scope="module")
def others() -> Plan:
    return Plan(
        id="p2", name="Three workloads", profiles=_profiles(), report_paper="letter", masks_private_prices=True,
        currency=Currency(code="EUR", per_usd=0.9, as_of="2026-11-20"), note="A note.\nOf two lines.",
    )  # fmt: skip


def _line(block: Block) -> str:
    if isinstance(block, Figure | AnswerFigure):
        return f"{block.chart}: {block.caption} | {block.alt} | {block.height_share:g}"
    plain = json.dumps(_short(as_plain(block)), ensure_ascii=False)
    return f"{type(block).__name__} {plain}"


def _short(told: Any) -> Any:
    """Figures with five digits, without what is empty or at rest."""
    match told:
        case bool():
            return told
        case float():
            return float(f"{told:.5g}")
        case dict():
            return {name: _short(one) for name, one in told.items() if one not in ("", [], {}, None, False)}
        case list():
            return [_short(one) for one in told]
    return told


def _paper(plan: Plan, answered: dict[str, ResultSet], catalogue: Catalogue, preset: str = "full") -> list[str]:
    with money_in(plan.currency.money):
        document = build(plan, answered, catalogue, TODAY, PRESETS[preset])
        head = [document.title, *document.header, *document.footer, *document.keywords, document.paper]
        return head + [
            line for one in document.sections for line in (f"== {one.id}: {one.title}", *map(_line, one.blocks))
        ]


@pytest.mark.parametrize("preset", ["full", "one-page"])
def test_the_paper_of_three_workloads_is_kept(
    others: Plan, answered: dict[str, ResultSet], catalogue: Catalogue, preset: str
) -> None:
    assert_kept(f"paper_three_{preset}", _paper(others, answered, catalogue, preset))


@pytest.mark.parametrize("number", range(3))
def test_the_paper_of_one_workload_is_kept(
    others: Plan, answered: dict[str, ResultSet], catalogue: Catalogue, number: int
) -> None:
    alone = others.profiles[number]
    ranked = [one.id for one in answered[alone.id].results if one.feasible]
    choices = (Choice(profile_id=alone.id, candidate_id=ranked[-1]),) if number == 1 else ()
    plan = others.model_copy(
        update={"profiles": (alone,), "currency": Currency(), "choices": choices, "is_sample": number == 0}
    )
    results = {alone.id: answered[alone.id]}
    with money_in(plan.currency.money):
        sheets = sheets_of(plan, results, catalogue, TODAY, 3)
        tables = [
            json.dumps(_short(as_plain(row)), ensure_ascii=False)
            for one in sheets
            for row in (one.title, one.heads, one.above, *one.rows, one.below, one.total)
        ]
        rows = [" | ".join(map(str, row)) for row in candidate_rows(results[alone.id], 3)]
    assert_kept(f"paper_alone_{number}", {"paper": _paper(plan, results, catalogue), "sheets": tables, "csv": rows})
