"""The candidates on paper: regret against the cheapest, the map's caption, the rejected by kind."""

from dataclasses import replace
from datetime import date

import pytest

from core.comparison.cost_words import cost_told, cost_words
from core.comparison.recommendation.arguments import best_of_each
from core.plan.plan import Plan
from core.report.blocks import Figure, Paragraph, Section, Table
from core.report.pages.candidates import candidates_page, map_page, rejected_page
from core.report.pages.context import PageContext
from core.units import grouped, plain, usd


@pytest.fixture(params=["train", "serve"])
def page(request: pytest.FixtureRequest, plan: Plan, results, catalogue) -> PageContext:
    return PageContext(plan, results[request.param], catalogue, date(2026, 11, 21), "Base")


def test_regret_is_the_cost_over_the_cheapest_and_none_is_below(page: PageContext) -> None:
    best, rows = best_of_each(page.feasible), table(candidates_page(page)).rows
    costs = [cost_told(page.profile, result.cost).likely for result in best]
    least = min(cost_told(page.profile, result.cost).likely for result in page.results.trusted)
    over = [max(cost - least, 0.0) for cost in costs]
    assert [row[3].text for row in rows] == [usd(more) if more else "0" for more in over]
    assert min(cost_told(page.profile, one.cost).likely - least for one in page.results.best_trusted) >= 0.0
    assert [row[2].text for row in rows] == [usd(cost) for cost in costs]


def test_the_cheapest_has_no_regret(page: PageContext) -> None:
    cheapest = min(page.feasible, key=lambda result: result.cost.total.likely)
    alone = replace(page, results=replace(page.results, results=(cheapest,)))
    assert [row[3].text for row in table(candidates_page(alone)).rows] == ["0"]


def test_the_cheapest_is_named_below_the_table(page: PageContext) -> None:
    cheapest = min(page.results.trusted, key=lambda result: result.cost.total.likely).candidate
    assert f"{cheapest.name} at {cheapest.place}." in paragraphs(candidates_page(page))[-1]


def test_speed_and_score_stand_in_their_columns(page: PageContext) -> None:
    shown = table(candidates_page(page))
    assert shown.columns[1].title == (f"{page.profile.unit_word.capitalize()}/s" if page.is_serving else "Days")
    for row, result in zip(shown.rows, best_of_each(page.feasible), strict=True):
        score = result.flexibility.score
        assert row[4].text == plain(score.likely, 2)
        assert all(plain(end, 2) in row[4].second for end in (score.low, score.high))
    word = "speed" if page.is_serving else "time"
    assert f", {word} {plain(page.profile.weights.time)}, " in paragraphs(candidates_page(page))[0]


def test_the_map_counts_those_on_the_line_and_those_that_fit(page: PageContext) -> None:
    figure = only_figure(map_page(page))
    n = sum(result.pareto for result in page.feasible)
    assert f" {n} {'option lies' if n == 1 else 'options lie'} on the Pareto line" in figure.caption
    assert f"{len(page.feasible)} options fit, {len(page.rejected)} miss a limit." in figure.alt
    assert page.pick is not None and str(cost_words(page.profile, page.pick.cost)) in figure.alt


def test_one_on_the_line_is_one_option(page: PageContext) -> None:
    first, *_ = page.feasible
    alone = replace(page.results, results=(replace(first, pareto=True),))
    figure = only_figure(map_page(replace(page, results=alone)))
    assert " 1 option lies on the Pareto line" in figure.caption


def test_of_rejected_the_first_of_each_chip_seller_and_limit_is_listed(page: PageContext) -> None:
    shown = table(rejected_page(page))
    kinds = dict.fromkeys(
        (r.candidate.accelerator.id, r.candidate.offer.provider, r.reasons[0].code) for r in page.rejected
    )
    assert len(shown.rows) == min(40, len(kinds))
    first = {kind: next(r for r in page.rejected if _kind(r) == kind) for kind in kinds}
    for row, result in zip(shown.rows, first.values(), strict=False):
        cost = cost_told(page.profile, result.cost).likely
        assert row[1].text == (usd(cost) if cost else "")
        assert (row[2].text, row[3].text) == (str(result.reasons[0].text), str(result.reasons[0].nearest_change))
    counts = [sum(r.reasons[0].code == code for r in page.rejected) for _, _, code in kinds]
    intro = paragraphs(rejected_page(page))[0]
    assert intro.startswith(f"{grouped(len(page.rejected))} options miss a limit (")
    assert all(f" {n}" in intro for n in counts)


def test_pages_of_nothing_are_left_out(page: PageContext) -> None:
    empty = replace(page, results=replace(page.results, results=()))
    assert (candidates_page(empty), map_page(empty), rejected_page(empty)) == (None, None, None)


def _kind(result) -> tuple[str, str, str]:
    return result.candidate.accelerator.id, result.candidate.offer.provider, result.reasons[0].code


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
