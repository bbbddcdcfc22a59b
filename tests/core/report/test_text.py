"""The terminal's answer: verdict first, aligned columns, rejected ones with reasons."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from core.comparison.as_json import to_json
from core.report.text import comparison_text

TODAY = date(2026, 11, 21)


def test_verdict_comes_first(results) -> None:
    text = comparison_text(results["train"], None, TODAY)
    assert text.splitlines()[0] == str(results["train"].recommendation.headline)


def test_one_line_for_the_best_of_each_accelerator(results) -> None:
    text = comparison_text(results["train"], None, TODAY)
    table = text.split("\n\n")[1].splitlines()
    best = {r.candidate.accelerator.id for r in results["train"].results if r.feasible}
    assert len(table) == 1 + len(best)


def test_top_is_the_number_of_lines(results) -> None:
    assert len(comparison_text(results["serve"], 4, TODAY).split("\n\n")[1].splitlines()) == 5


def test_columns_are_aligned(results) -> None:
    header, *rows = comparison_text(results["train"], 8, TODAY).split("\n\n")[1].splitlines()
    place = header.index("place")
    assert all(row[place - 2 : place] == "  " and row[place] != " " for row in rows)


def test_old_prices_are_marked(results) -> None:
    assert ", old" in comparison_text(results["train"], None, TODAY)


def test_entries_that_deserve_a_look_are_told_as_the_form_tells_them(results) -> None:
    assert "deserve a look" not in comparison_text(results["train"], None, TODAY)
    profile = results["train"].profile
    job = profile.job.model_copy(update={"n_tokens": 1e6})
    slip = replace(results["train"], profile=profile.model_copy(update={"job": job}))
    text = comparison_text(slip, None, TODAY)
    assert "Entries that deserve a look:\n  job.n_tokens: Less than one step: a batch holds " in text
    assert [one["field"] for one in to_json(slip, 1)["doubts"]] == ["job.n_tokens"]
