"""Every figure in a table or in JSON says what it is counted in: in its name, or in the list that goes with it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from typing import Any

from core.comparison.actuals.baseline import frozen
from core.comparison.as_json import budget_reach_json, to_json
from core.comparison.json_units import UNITS
from core.comparison.questions.budget_reach import budget_reach
from core.report.masking import HandedOut
from core.report.plan_diff import Side, diff_json
from core.report.tabular import candidate_rows, headers
from core.report.whole_json import whole_json
from core.workload.actuals import Entry, Tracked
from core.workload.phase_templates import phases_from, template
from core.workload.portfolio import Pin, Portfolio

IN_NAME = re.compile(
    r"(^|_)(usd|ms|s|h|day|days|weeks|months|hours|pct|gib|gb|kwh|kg|share|gbit_per_s|of_100)(_|$)|^n_|^(tokens|params|layers)$"
)
"""A unit, or the thing that is counted."""
MONEY, OF_A_UNIT = re.compile(r"(^|_)usd(_|$)"), re.compile(r"^usd_per_|^per_unit$|^better_up_to_usd$")
UNIT_BESIDE = {"rank": "a count", "usd_per_unit": "its unit stands in the next column"}
"""Columns without a unit in their name, with why."""


def figures(value: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Names on the way to every number."""
    if isinstance(value, dict):
        for name, one in value.items():
            yield from figures(one, (*path, name))
    elif isinstance(value, list | tuple):
        for one in value:
            yield from figures(one, path)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield path


def uneven_money(told: Any, path: tuple[str, ...] = ()) -> set[str]:
    """Amounts of money that are not told to the cent; prices of a unit are no amounts."""
    if isinstance(told, dict):
        return {one for name, value in told.items() for one in uneven_money(value, (*path, name))}
    if isinstance(told, list | tuple):
        return {one for value in told for one in uneven_money(value, path)}
    is_money = any(MONEY.search(name) for name in path) and not any(OF_A_UNIT.search(name) for name in path)
    return {".".join(path)} if is_money and isinstance(told, float) and told != round(told, 2) else set()


def without_unit(told: Any) -> set[str]:
    ways = (way for way in figures(told) if not any(IN_NAME.search(name) for name in way))
    return {".".join(way) for way in ways if not any(name in UNITS for name in way)}


def test_columns_carry_their_unit(results) -> None:
    for one in results.values():
        heads, rows = headers(one.profile.unit_word), candidate_rows(one, 20)
        numeric = [
            head
            for number, head in enumerate(heads)
            if any(isinstance(row[number], int | float) and not isinstance(row[number], bool) for row in rows)
        ]
        assert len(numeric) > 30
        assert [head for head in numeric if not IN_NAME.search(head) and head not in UNIT_BESIDE] == []
    assert {"ttft_p99_ms", "tpot_p99_ms"} <= set(headers("tokens")), "as JSON has them"


def test_json_of_a_plan_carries_units(plan, results, catalogue) -> None:
    """With phases, actuals and a portfolio."""
    train = results["train"]
    baseline = frozen(train, date(2026, 12, 1))
    entry = Entry(day=date(2027, 2, 1), done=1e11, spend_usd=2e5, chip_hours=3e4)
    phased = plan.model_copy(
        update={
            "phases": phases_from(template("all-gpu"), plan.profiles),
            "actuals": (Tracked(workload="train", baseline=baseline, entries=(entry,)),),
            "portfolio": Portfolio(shared_chips=64, pins=(Pin(workload="serve", chip=1),)),
        }
    )
    told = whole_json(HandedOut(phased, results, catalogue), 30, 90)
    assert told["actuals"] and told["phases"]["ways"] and told["units"] == UNITS
    assert told["portfolio"]["schemes"]
    assert without_unit(told) == set()
    assert uneven_money(told) == set(), "actuals told a forecast to the last digit, and others to cents"
    latency = next(one["latency"] for one in told["workloads"][1]["candidates"] if one["latency"])
    assert set(latency["ttft_ms"]) == set(latency["tpot_ms"]) == {"p50", "p99"}


def test_other_json_carries_units(plan, results) -> None:
    pick = results["train"].choice
    reach = budget_reach_json(budget_reach(results["train"], pick, 5e5))
    side = Side("A", plan, results)
    for told in (reach, diff_json(side, side), to_json(results["serve"], 3)):
        assert list(figures(told)) and without_unit(told) == set() == uneven_money(told)


def test_no_unit_is_told_for_nothing(plan, results) -> None:
    """Every name in the list is one that figures have, or that logs bring."""
    names = {name for one in results.values() for way in figures(to_json(one, 30)) for name in way}
    elsewhere = {"factor", "spread", "draws", "measures", "chance", "chance_in_time", "chips", "cheaper_in"}
    elsewhere |= {"better_in", "workloads", "amount", "done", "changes"}
    elsewhere |= {
        "at_busiest",
        "base_chips",
        "chips_at_most_3_pct_dearer",
        "chips_each_alone",
        "copies",
        "least_at_chips",
    }
    elsewhere |= {"peak_chips", "rounds", "terms", "batch_starts_at_hour", "chip"}
    assert UNITS.keys() - names - elsewhere == set()
