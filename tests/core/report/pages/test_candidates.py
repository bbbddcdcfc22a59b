"""The candidates on paper: their chances, the map's caption, the rejected by kind."""

from collections import Counter
from dataclasses import replace
from datetime import date

import pytest

from core.comparison.cost_words import cost_told, cost_words
from core.comparison.recommendation.arguments import best_of_each
from core.plan.plan import Plan
from core.report.blocks import Figure, Paragraph, Section, Table
from core.report.pages.candidates import MOST_ROWS, candidates_page, map_page, page_title, rejected_page, risk_words
from core.report.pages.context import PageContext
from core.report.time_words import with_days
from core.units import DASH, grouped, hundredth, in_hundred, plain, usd
from core.workload.jobs.kinds import BatchInference


@pytest.fixture(params=["train", "serve"])
def page(request: pytest.FixtureRequest, plan: Plan, results, catalogue) -> PageContext:
    return PageContext(plan, results[request.param], catalogue, date(2026, 11, 21), "Base")


def test_the_chances_of_all_that_are_compared_come_to_100(page: PageContext) -> None:
    best, rows = best_of_each(page.results.results[: page.results.n_feasible]), table(candidates_page(page)).rows
    shown, last = rows[: min(len(best), MOST_ROWS)], rows[-1]
    firsts = best[: len(shown)]
    assert [row[2].text for row in shown] == [usd(cost_told(page.profile, result.cost).likely) for result in firsts]
    shares = [result.chance.best for result in best if result.chance]
    assert [row[5].text for row in shown] == [DASH if one is None else hundredth(one) for one in shares[: len(shown)]]
    assert sum(one for one in shares if one is not None) == pytest.approx(1.0)
    assert (last[0].text, last[5].text) == ("All together", "100")
    assert not table(candidates_page(page)).is_small
    if len(best) > MOST_ROWS:
        rest = sum(one or 0.0 for one in shares[MOST_ROWS:])
        assert rows[-2][0].text.startswith(f"{len(best) - MOST_ROWS} more chip") and rows[-2][5].text == hundredth(rest)
    assert [row[0].text for row in shown if row[5].tone == "strong"] == [page.pick.candidate.name if page.pick else ""]


def test_the_title_says_what_the_pick_does_and_how_surely(page: PageContext) -> None:
    title, pick = page_title(page), page.pick
    assert pick is not None and pick.chance is not None
    assert title.startswith(f"{pick.candidate.name} {'trains' if page.profile.job.trains else 'serves'} ")
    kept = f"in {in_hundred(pick.chance.in_limits)} draws," if pick.chance.has_limits else ""
    assert title.endswith(f"{kept} for {cost_words(page.profile, pick.cost)}")
    batch = replace(page.results, profile=page.profile.model_copy(update={"job": BatchInference()}))
    assert page_title(replace(page, results=batch)).startswith(f"{pick.candidate.name} runs ")
    assert page_title(replace(page, results=replace(page.results, results=()))) == "Candidates"


def test_no_sum_is_told_of_some_of_the_chances(page: PageContext) -> None:
    two = replace(page, results=replace(page.results, results=page.results.results[: page.results.n_feasible][:2]))
    assert "All together" not in [row[0].text for row in table(candidates_page(two)).rows]


@pytest.mark.parametrize(
    ("worst_pct", "words"),
    [(33, "the worst third of"), (50, "the worse half of"), (20, "the worst 20\u202f% of"), (100, "the mean of all")],
)
def test_the_intro_says_on_which_outcomes_they_are_ranked(page: PageContext, worst_pct: float, words: str) -> None:
    weights = page.profile.weights.model_copy(update={"worst_pct": worst_pct})
    changed = replace(page.results, profile=page.profile.model_copy(update={"weights": weights}))
    assert f"ranked on {words} outcomes by cost 50" in paragraphs(candidates_page(replace(page, results=changed)))[1]


def test_speed_and_score_stand_in_their_columns(page: PageContext) -> None:
    shown = table(candidates_page(page))
    assert shown.columns[3].title == (f"{page.profile.unit_word.capitalize()}/s" if page.is_serving else "Days")
    best = best_of_each(page.results.results[: page.results.n_feasible])
    for row, result in zip(shown.rows[:MOST_ROWS], best, strict=False):
        if row[0].text == "All together":
            break
        score = result.flexibility.score
        assert row[4].text == plain(score.likely, 2)
        assert all(plain(end, 2) in row[4].second for end in (score.low, score.high))
    word = "speed" if page.is_serving else "time"
    assert f", {word} {plain(page.profile.weights.time)}, " in paragraphs(candidates_page(page))[1]


def test_the_map_tells_its_line_and_counts_those_that_fit(page: PageContext) -> None:
    figure = only_figure(map_page(page))
    assert "joins the options shown that none beats in both cost and time" in figure.caption
    n_fit, n_all = page.results.n_feasible, len(page.results.results)
    assert f"{n_fit} options fit, {n_all - n_fit} miss a limit." in figure.alt
    assert page.pick is not None and str(cost_words(page.profile, page.pick.cost)) in figure.alt


def test_rejected_options_are_counted_by_the_first_limit_they_miss(page: PageContext) -> None:
    *rows, total = table(rejected_page(page)).rows
    counts = Counter(r.reasons[0].code for r in page.results.results[page.results.n_feasible :])
    assert [row[1].text for row in rows] == [grouped(count) for _, count in counts.most_common()]
    assert total[1].text == grouped(len(page.results.results[page.results.n_feasible :]))
    for row, (code, _) in zip(rows, counts.most_common(), strict=True):
        first = next(r for r in page.results.results[page.results.n_feasible :] if r.reasons[0].code == code)
        assert row[2].text == first.candidate.name
        assert (row[3].text, row[4].text) == (
            with_days(str(first.reasons[0].text)).rstrip("."),
            str(first.reasons[0].nearest_change),
        )


def test_a_workload_page_says_chance_cost_and_risk(page: PageContext) -> None:
    section = candidates_page(page, 2, 3, with_map=True)
    pick = page.pick
    assert section is not None and pick is not None and pick.chance is not None
    assert paragraphs(section)[0] == f"Workload 2 of 3: {page.profile.name}"
    assert (
        section.title.startswith(f"{pick.candidate.name} ")
        and str(cost_words(page.profile, pick.cost)) in section.title
    )
    assert f"in {in_hundred(pick.chance.in_limits)} draws" in section.title
    missed = 1 - (pick.chance.deadline or 0.0)
    assert f"the deadline in {in_hundred(missed)} draws" in paragraphs(section)[-1]
    assert any(isinstance(block, Figure) for block in section.blocks)
    assert not any(isinstance(block, Figure) for block in candidates_page(page).blocks)


def test_a_further_day_costs_nothing_within_a_term_that_is_paid_whole(page: PageContext) -> None:
    pick = page.pick
    assert pick is not None
    candidate = pick.candidate
    by_use = risk_words(page)
    a_day = candidate.n_chips * 24 * candidate.usd_per_chip_hour
    assert by_use.endswith(f"A further day of its chips costs {usd(a_day)}.") == page.profile.job.trains
    offer = candidate.offer.model_copy(update={"purchase_model": "commit_1y"})
    of_year = replace(pick, candidate=replace(candidate, offer=offer))
    told = risk_words(replace(page, results=replace(page.results, results=(of_year,))))
    assert (
        told.endswith("A further day of its chips costs nothing: their term is paid whole.") == page.profile.job.trains
    )


def test_pages_of_nothing_are_left_out(page: PageContext) -> None:
    empty = replace(page, results=replace(page.results, results=()))
    assert (candidates_page(empty), map_page(empty), rejected_page(empty)) == (None, None, None)


def table(section: Section | None) -> Table:
    assert section is not None
    return next(block for block in section.blocks if isinstance(block, Table))


def only_figure(section: Section | None) -> Figure:
    assert section is not None
    (figure,) = section.blocks
    assert isinstance(figure, Figure)
    return figure


def paragraphs(section: Section | None) -> list[str]:
    assert section is not None
    return [block.text for block in section.blocks if isinstance(block, Paragraph)]
