"""Every part that a bill knows follows its inputs: owned hardware, committed terms, spot and paid support too."""

from __future__ import annotations

import pytest

from core.catalogue.catalogue import Catalogue
from core.comparison.evaluate import evaluate
from core.cost.registry import part_ids, title_of
from core.plan.edit import set_value
from core.plan.plan import Plan
from core.report.workbook.bills import Bills, add_bill, in_cents
from core.report.workbook.sheet import Formula
from core.report.workbook.terms import Term

ENTERED = {
    "team.support_plan": "business",
    "team.delay_usd_per_day": 777.0,
    "places.egress_gb_per_month": 4321.0,
    "places.data_provider": "aws",
    "places.commitment_reuse_pct": 35.0,
}


def test_every_part_follows_its_inputs(plan: Plan, catalogue: Catalogue) -> None:
    profile = plan.profiles[0]
    for path, value in ENTERED.items():
        profile = set_value(profile, path, value)
    results = evaluate(profile, catalogue)
    bills, seen = Bills(), set[str]()
    for result in results.results:
        parts = {part.id for part in result.cost.parts if part.usd}
        if parts - seen:
            seen |= parts
            add_bill(bills, results, result)
    assert seen == set(part_ids()), "a part that no candidate has is not shown to be live"
    dead = {row[3] for row in bills.parts.rows if not isinstance(row[4], Formula)}
    assert not dead, f"{dead} of {[title_of(part) for part in part_ids()]}"


@pytest.mark.parametrize(
    ("value", "usd", "text"),
    [
        (2.344, 2.34, "ROUND(A1,2)"),
        (388.125, 388.12, "ROUND(A1-0.000001,2)"),
        (388.125, 388.13, "ROUND(A1+0.000001,2)"),
        (388.125, 388.14, ""),
    ],
)
def test_half_a_cent_goes_where_the_bill_has_it(value: float, usd: float, text: str) -> None:
    assert in_cents(Term(value, "A1"), usd) == text


def test_brackets_stand_where_they_are_needed() -> None:
    made = (Term(2.0, "A1") + Term(3.0, "A2")) * (1.0 - Term(0.25, "A3")) / 2.0
    assert made == Term(1.875, "((A1+A2)*(1.0-A3)/2.0)")
