"""The pick's cost and days, as printed on every screen and paper, for every shipped profile: one rule, one number."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date, timedelta

import pytest

from core.catalogue.loading import load_catalogue
from core.comparison.evaluate import evaluate
from core.comparison.questions.number_of_chips import count_curve, curve_sentences
from core.comparison.recommendation.warnings import warnings_of
from core.comparison.result import CandidateResult, ResultSet
from core.plan.plan import Plan
from core.report.blocks import KpiTable, Paragraph
from core.report.having_words import chance_line
from core.report.pages.context import PageContext
from core.report.pages.decision import decision_page
from core.report.text import comparison_text
from core.units import THIN
from core.workload.library import load_profiles
from gui.frame.verdict_text import verdict
from gui.frame.why.time_and_cost import cost_chain, time_chain
from gui.tables.candidates.columns import columns_of

TODAY = date(2026, 11, 21)
PROFILES = load_profiles()
MONEY = re.compile(rf"\$([\d.{THIN}]+?)(?:{THIN}([kMB]))?(?![\d.{THIN}])")
SCALES = {"": 1.0, "k": 1e3, "M": 1e6, "B": 1e9}


@pytest.fixture(scope="module", params=sorted(PROFILES))
def results(request: pytest.FixtureRequest) -> ResultSet:
    return evaluate(PROFILES[request.param], load_catalogue())


def usd_of(text: str) -> float:
    """The first amount in a text: ``$97.0 k`` and ``$97 k`` are one."""
    match = MONEY.search(text)
    assert match is not None, text
    return round(float(match[1].replace(THIN, "")) * SCALES[match[2] or ""], 2)


def pick_of(results: ResultSet) -> CandidateResult:
    assert results.choice is not None
    return results.choice


def page_one(results: ResultSet) -> PageContext:
    plan = Plan(id="p", name="A plan", profiles=(results.profile,))
    return PageContext(plan, results, load_catalogue(), TODAY, "Base")


def first_row(results: ResultSet) -> KpiTable:
    return next(block for block in decision_page(page_one(results)).blocks if isinstance(block, KpiTable))


def lead(results: ResultSet) -> str:
    blocks = decision_page(page_one(results)).blocks
    return next(block.text for block in blocks if isinstance(block, Paragraph) and block.style == "lead")


def in_the_table(results: ResultSet) -> str:
    """The cell with the sign and the scale of its title: ``$96.6 k``."""
    column = next(column for column in columns_of(results) if column.key == "cost")
    sign, scale = re.fullmatch(r".*, (\$)([kMB]?)", column.title).groups()  # type: ignore[union-attr]
    return f"{sign}{column.cell(pick_of(results)).text}{THIN}{scale}".rstrip(THIN)


def in_the_terminal(results: ResultSet) -> str:
    """The line of the pick, from its cost on."""
    candidate = pick_of(results).candidate
    lines = comparison_text(results, None, TODAY).splitlines()
    line = next(line for line in lines if f" {candidate.name} " in line and line[:1] in "●■▲")
    return line.partition(candidate.place)[2]


def costs(results: ResultSet) -> Mapping[str, str]:
    profile, pick = results.profile, pick_of(results)
    return {
        "headline": str(results.recommendation.headline).partition(": ")[2],
        "verdict": verdict(results, TODAY).kpis[0].value,
        "table": in_the_table(results),
        "why": cost_chain(profile, pick).note,
        "page 1": first_row(results).rows[0].kpis[0].value,
        "lead of page 1": lead(results),
        "terminal": in_the_terminal(results),
    }


def test_the_cost_of_the_pick_is_printed_as_one_number(results: ResultSet) -> None:
    told = {where: usd_of(text) for where, text in costs(results).items()}
    assert len(set(told.values())) == 1, (told, costs(results))


def test_its_period_is_told_with_it(results: ResultSet) -> None:
    profile, serves = results.profile, results.profile.job.months_in_service is not None
    told = costs(results)
    assert all(("a month" in told[where]) == serves for where in ("headline", "why", "lead of page 1")), told
    assert (verdict(results, TODAY).kpis[0].title == "Cost per month") == serves
    assert first_row(results).titles[0].startswith("Cost per month") == serves
    assert ("per month" in comparison_text(results, None, TODAY)) == serves
    total = cost_chain(profile, pick_of(results)).lines[-1]
    assert total.words == (f"Total over {profile.job.months_in_service:.0f} months" if serves else "Total")
    assert (f"over {profile.job.months_in_service or 0:.0f} months" in told["lead of page 1"]) == serves


def test_its_days_are_printed_as_one_number_and_one_date(results: ResultSet) -> None:
    pick, start = pick_of(results), results.profile.limits.start_date
    if pick.days_to_finish is None:
        return
    cell = next(column for column in columns_of(results) if column.key == "time").cell(pick).text
    why = time_chain(results.profile, pick)
    told = {cell, why.note.split(" ")[0], why.lines[-1].text.partition(THIN)[0]}
    told.add(in_the_terminal(results).split()[1])
    assert len(told) == 1, told
    day = start + timedelta(days=round(float(cell)) if float(cell) >= 9.95 else round(pick.days_to_finish.likely))
    words = f"{day.day} {day:%b %Y}"
    dates = [str(results.recommendation.headline), verdict(results, TODAY).kpis[1].value, why.lines[-1].words]
    dates += [first_row(results).rows[0].kpis[1].value, lead(results)]
    assert all(words in text for text in dates), (words, dates)


def test_no_other_number_of_chips_is_advised_for_it(results: ResultSet) -> None:
    advised = [str(one.nearest_change) for one in warnings_of(results, pick_of(results))]
    assert not [text for text in advised if re.search(r"Take \d", text)]
    pick = pick_of(results).candidate
    assert curve_sentences(results, count_curve(results, pick_of(results)))[0].startswith(f"{pick.n_chips} ")


def test_a_regret_beside_a_cost_a_month_names_its_term() -> None:
    """In the strip, in the words of confidence and on paper."""
    results = evaluate(load_profiles()["chat-serving-8b"], load_catalogue())
    regret = next(kpi for kpi in verdict(results, results.profile.limits.start_date).kpis if kpi.id == "regret")
    for words in (regret.note, str(results.recommendation.confidence_why), chance_line(results)):
        assert "12 months" in words


def test_a_close_call_is_told_where_the_headline_has_no_room_too() -> None:
    results = evaluate(load_profiles()["llama3-70b-finetune"], load_catalogue())
    rival = results.by_id[results.recommendation.runner_up or ""]
    assert results.recommendation.too_close
    brief = verdict(results, results.profile.limits.start_date).brief
    assert brief.startswith("Too close to call: ") and brief.endswith(rival.candidate.name)
