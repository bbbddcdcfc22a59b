"""CSV: numbers as numbers, units in the names, no formulas smuggled in."""

from __future__ import annotations

import csv
import dataclasses
import io

import pytest

from core.comparison.as_json import candidate_json
from core.report.tabular import COLUMNS, candidate_csv, candidate_rows, headers
from core.units import Money, money_in


def test_csv_has_one_row_a_candidate(results) -> None:
    rows = list(csv.DictReader(io.StringIO(candidate_csv(results["train"]))))
    assert len(rows) == len(results["train"].results)
    assert [row["id"] for row in rows] == [result.id for result in results["train"].results]
    told = [(row, result) for row, result in zip(rows, results["train"].results, strict=True) if result.throughput.runs]
    for name, end in (("cost_usd", "likely"), ("cost_low_usd", "low"), ("cost_high_usd", "high")):
        exact = [getattr(result.cost.total, end) for _, result in told]
        assert [float(row[name]) for row, _ in told] == [round(usd, 2) for usd in exact], "cents"


def test_what_runs_nothing_is_not_priced_in_csv_and_json(results) -> None:
    idle = [result for result in results["train"].results if not result.throughput.runs]
    rows = {row["id"]: row for row in csv.DictReader(io.StringIO(candidate_csv(results["train"])))}
    assert idle and len(idle) < len(rows)
    for result in idle:
        row, cost = rows[result.id], candidate_json(result, results["train"].profile.job)["cost_usd"]
        assert {text for name, text in row.items() if name.startswith(("cost_", "usd_per_"))} == {""}
        assert {cost[name] for name in ("low", "likely", "high", "per_unit", "per_month", "per_run")} == {None}
        assert set(cost["parts"].values()) == {None} and cost["unit"] == "usd per 1M tokens"


def test_top_keeps_the_best(results) -> None:
    assert [row[0] for row in candidate_rows(results["train"], top=3)] == [1, 2, 3]


def test_latency_has_the_p99_that_json_has(results) -> None:
    row = next(csv.DictReader(io.StringIO(candidate_csv(results["serve"], top=1))))
    latency = candidate_json(results["serve"].results[0], results["serve"].profile.job)["latency"]
    for name in ("ttft", "tpot"):
        for share in ("p50", "p99"):
            assert float(row[f"{name}_{share}_ms"]) == pytest.approx(latency[f"{name}_ms"][share], rel=1e-5)


def test_images_are_not_tokens(results) -> None:
    assert "tokens_per_s" in headers(results["train"].profile.unit_word)
    names = headers("samples")
    assert {"samples_per_s", "samples_per_s_low", "samples_per_s_high"} <= set(names)
    assert not [name for name in names if name.startswith("tokens")]


def test_chances_stand_beside_what_can_be_had(results) -> None:
    rows = list(csv.DictReader(io.StringIO(candidate_csv(results["train"]))))
    pick = results["train"].choice
    first = next(row for row in rows if row["id"] == pick.id)
    told = [float(first[name]) for name in ("chance_in_limits_share", "chance_best_share")]
    assert told == [pytest.approx(one, rel=1e-6) for one in (pick.chance.in_limits, pick.chance.best)]
    assert float(first["regret_usd"]) == pytest.approx(pick.chance.regret_usd, rel=1e-6)
    assert {row["can_be_had"] for row in rows} <= {"attested", "plausible", "on paper"}
    assert sum(float(row["chance_best_share"] or 0) for row in rows) == pytest.approx(1.0)
    assert all(row["chance_in_limits_share"] == "" for row in rows if row["feasible"] == "no")


def test_text_that_a_spreadsheet_would_run_is_disarmed(results) -> None:
    first = results["train"].results[0]
    evil = first.candidate.offer.model_copy(update={"provider": "=HYPERLINK(1)"})
    result = dataclasses.replace(first, candidate=dataclasses.replace(first.candidate, offer=evil))
    text = candidate_csv(dataclasses.replace(results["train"], results=(result,)))
    assert "'=HYPERLINK(1)" in text and ",=HYPERLINK" not in text


def test_columns_in_usd_stay_in_usd_whatever_currency_is_shown(results) -> None:
    money = [n for n, column in enumerate(COLUMNS) if "usd" in column.header]
    plain = candidate_rows(results["train"], top=5)
    with money_in(Money("EUR", 0.92)):
        shown = candidate_rows(results["train"], top=5)
    assert money
    assert [[row[n] for n in money] for row in shown] == [[row[n] for n in money] for row in plain]
