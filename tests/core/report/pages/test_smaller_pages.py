"""Flexibility, advice, workload, sources and calibration on paper: what stands there is what was computed."""

from dataclasses import replace
from datetime import date

import pytest

from core.catalogue.entries import STAND_IN
from core.catalogue.own.stand_ins import HOW
from core.comparison.advice.rules import agreement
from core.comparison.chance import errors
from core.comparison.chance.errors import N_DRAWS
from core.comparison.judge.calendar import time_inputs
from core.comparison.questions.cash import cash_plan
from core.comparison.rank import utility
from core.comparison.rank.utility import N_WEIGHTINGS
from core.comparison.recommendation.arguments import best_of_each
from core.plan.fields import fields
from core.plan.plan import Choice, Plan, Scenario
from core.ranges import Evidence
from core.report.blocks import Block, Pairs, Paragraph, Section, Table
from core.report.document import PRESETS, build
from core.report.pages.advice import advice_page
from core.report.pages.cash import cash_page
from core.report.pages.context import PageContext, PlanContext, evidence_cell, tokens_text
from core.report.pages.flexibility import flexibility_page
from core.report.pages.inputs import inputs_page, scenario_changes, value_text
from core.report.pages.performance import _load_figure, _places_figure
from core.report.pages.sources import sources_page
from core.report.time_words import with_days
from core.units import THIN, counted, grouped, plain, span, usd
from core.workload.freedom import AS_THE_SET, Freedom, ScoreOverride
from core.workload.jobs.kinds import OnlineServing, PreTraining
from core.workload.profile import Limits, Outlook, Places, Profile

TODAY = date(2026, 11, 21)


@pytest.fixture(params=["train", "serve"])
def page(request: pytest.FixtureRequest, plan: Plan, results, catalogue) -> PageContext:
    return PageContext(plan, results[request.param], catalogue, TODAY, "Base")


def _blocks(section: Section | None) -> tuple[Block, ...]:
    assert section is not None
    return section.blocks


def note_of(section: Section | None) -> str:
    return " ".join(one.text for one in _blocks(section) if isinstance(one, Paragraph) and one.style == "note")


def _tables(section: Section | None) -> list[Table]:
    return [block for block in _blocks(section) if isinstance(block, Table)]


def test_each_criterion_of_the_pick_stands_with_value_weight_and_formula(page: PageContext) -> None:
    assert page.pick is not None
    criteria, _ = _tables(flexibility_page(page))
    for row, one in zip(criteria.rows, page.pick.flexibility.criteria, strict=True):
        assert [cell.text for cell in row] == [
            f"{one.id} {one.title}", plain(100 * one.value.likely, 2), plain(one.weight), one.formula,
            f"{one.evidence}{' (estimate)' if one.estimate else ''}",
        ]  # fmt: skip
        low, high = plain(100 * one.value.low, 2), plain(100 * one.value.high, 2)
        assert row[1].second == ("" if low == high == row[1].text else span(low, high))
        assert row[4].tone == ("warn" if one.estimate else "")


def test_weights_worth_and_scores_by_hand_are_printed(page: PageContext) -> None:
    typed = ScoreOverride(accelerator_id="tpu-v6e", criterion_id="F3", points=35, note="Ported it ourselves")
    free = Freedom(preset="equal", f1=30, ten_points_usd_per_month=1000, overrides=(typed,))
    profile = page.profile.model_copy(update={"freedom": free})
    told = flexibility_page(replace(page, results=replace(page.results, profile=profile)))
    words = " ".join(block.text for block in _blocks(told) if isinstance(block, Paragraph))
    assert "Set of weights: equal; by hand: Suppliers" in words and f"1{THIN}000 random weights" in words
    first, second = (one.candidate.name for one in best_of_each(page.results.results[: page.results.n_feasible])[:2])
    (worth_words,) = [line for line in words.split(". ") if "no part of the cost" in line] or [""]
    assert f"than {second}" in worth_words and f"than {first}" not in worth_words
    by_hand = _tables(told)[1]
    assert [cell.text for cell in by_hand.rows[0]] == ["TPU v6e (Trillium)", "F3", "35", "Ported it ourselves"]


def test_the_bill_for_leaving_is_told_of_five_with_those_that_words_name(page: PageContext) -> None:
    _, exits = _tables(flexibility_page(page))
    best = page.results.shown_feasible(5)
    assert len(exits.rows) == len(best)
    for row, result in zip(exits.rows, best, strict=True):
        told = result.flexibility
        weeks = counted(told.exit_weeks, "week", digits=2).replace(" ", THIN)
        assert [cell.text for cell in row[1:]] == [plain(told.score.likely, 2), usd(told.exit_usd), weeks]


def test_the_exit_bill_says_for_which_day_it_counts_and_where_an_earlier_end_is_told(page: PageContext) -> None:
    """A plan may owe a term "in any case" beside an exit bill of $0: that is on the last day."""

    def note(**more: bool) -> str:
        return [block.text for block in _blocks(flexibility_page(page, **more)) if isinstance(block, Paragraph)][-1]

    told = "On the last day of the plan; an earlier end also loses what is committed"
    assert note() == f"{told}."
    assert note(tells_early_end=True) == f"{told}, see “Commitments, and what an early end loses”."


def test_without_a_pick_the_first_is_told(page: PageContext) -> None:
    recommendation = replace(page.results.recommendation, choice=None)
    nobody = replace(page, results=replace(page.results, recommendation=recommendation))
    first = best_of_each(page.results.results[: page.results.n_feasible])[0].candidate.name
    assert any(
        block.text == f"Criteria of {first}"
        for block in _blocks(flexibility_page(nobody))
        if isinstance(block, Paragraph)
    )
    assert flexibility_page(replace(page, results=replace(page.results, results=()))) is None


def test_advice_says_who_agrees(page: PageContext) -> None:
    section = advice_page(page)
    if not page.results.advice:
        assert section is None
        return
    (table,) = _tables(section)
    told = [rule for rule in page.results.advice if rule.agrees is not None]
    words = {True: ("agree", ""), False: ("disagree", "warn")}
    assert [(row[3].text, row[3].tone) for row in table.rows] == [words[rule.agrees] for rule in told]
    assert [row[1].text for row in table.rows] == [rule.title for rule in told]
    agree, sides = agreement(page.results.advice)
    _, agreed, *_ = (block.text for block in _blocks(section) if isinstance(block, Paragraph))
    assert agreed == f"The numbers have a say on {counted(sides, 'rule')} and agree with {agree}."
    assert [(row[0].text, row[0].second) for row in table.rows] == [(rule.name, rule.rule) for rule in told]
    assert [row[4].text for row in table.rows] == [rule.source for rule in told]
    heard = {rule.rule for rule in told}
    silent = [rule.rule for rule in page.results.advice if rule.rule not in heard]
    assert not any(f"{rule} " in note_of(section) for rule in heard), "no rule agrees and has no say"
    note = note_of(section)
    assert all(note.count(f"{rule} ") == 1 for rule in silent), "two findings of one rule are told once"


def test_newer_facts_of_a_rule_are_told_once(page: PageContext) -> None:
    """What they say of PyTorch stood under each of three workloads."""
    told = next((rule.newer for rule in page.results.advice if rule.newer and rule.agrees is not None), "")
    if told:
        reasons = [[row[1].second for row in _tables(advice_page(page, known))[0].rows] for known in ((), {told})]
        once, never = (sum(with_days(told) in one for one in rows) for rows in reasons)
        assert once > 0 == never


def test_divided_advice_is_told_before_the_rules(page: PageContext) -> None:
    divided = replace(page.results, advice_conflicts=("Framework fit says TPU; workload maturity says GPU",))
    blocks = _blocks(advice_page(replace(page, results=divided)))
    if page.results.advice:
        told = [block.text for block in blocks if isinstance(block, Paragraph) and block.style == "lead"]
        assert told == ["Advice is divided. Framework fit says TPU; workload maturity says GPU."]


def test_no_advice_no_page(page: PageContext) -> None:
    assert advice_page(replace(page, results=replace(page.results, advice=()))) is None


PROFILE = Profile(job=PreTraining(n_tokens=1.2e12, dataset_gb=1234.5678), limits=Limits(start_date=date(2026, 12, 1)))
SERVE = Profile(job=OnlineServing(autoscale=True))


@pytest.mark.parametrize(
    ("profile", "path", "words"),
    [
        (PROFILE, "job.n_tokens", f"1.2{THIN}T{THIN}tokens"),
        (PROFILE, "job.dataset_gb", f"1{THIN}234.57{THIN}GB"),
        (PROFILE, "job.precision", "BF16"),
        (PROFILE, "limits.start_date", "1 Dec 2026"),
        (PROFILE, "limits.budget_usd", "No limit"),
        (SERVE, "job.autoscale", "yes"),
        (SERVE, "job.min_replicas", f"1{THIN}replica"),
        (Profile(job=OnlineServing()), "job.autoscale", "no"),
        (SERVE, "job.load_by_hour", "not set"),
        (Profile(), "places.providers", "All"),
        (Profile(), "stack.libraries", "None"),
        (Profile(limits=Limits(budget_usd=999_999.0)), "limits.budget_usd", f"999{THIN}999{THIN}USD"),
        (Profile(limits=Limits(budget_usd=1e6)), "limits.budget_usd", f"1{THIN}M{THIN}USD"),
        (Profile(places=Places(purchase_models=("on_demand", "spot"))), "places.purchase_models", "On demand, Spot"),
    ],
)
def test_a_value_is_written_as_people_read_it(profile: Profile, path: str, words: str) -> None:
    info = next(info for info in fields(profile) if info.path == path)
    value = profile
    for step in path.split("."):
        value = getattr(value, step)
    assert value_text(value, info).lower() == words.lower()


def _plan_context(page: PageContext, plan: Plan) -> PlanContext:
    return PlanContext(plan, (page,), {page.profile.id: page.results}, page.catalogue, TODAY, "base", "Base", ())


def test_every_value_is_told_and_defaults_are_grey(page: PageContext) -> None:
    """Weights left to their set are not: eleven lines said "As the set"."""
    freedom = Freedom(f7=30.0)
    weighed = replace(page, results=replace(page.results, profile=page.profile.model_copy(update={"freedom": freedom})))
    (section,) = inputs_page(_plan_context(weighed, page.plan))
    (pairs,) = [block for block in section.blocks if isinstance(block, Pairs)]
    infos = [info for info in fields(page.profile) if info.path not in ("id", "name", "note") and info.relevant]
    infos = [info for info in infos if info.empty != AS_THE_SET or info.path == "freedom.f7"]
    assert sorted(pair.name for pair in pairs.items) == sorted(info.title for info in infos)
    assert {pair.tone for pair in pairs.items} == {"", "muted"} and pairs.title == page.profile.name


def test_what_people_wrote_is_told_whole(page: PageContext) -> None:
    """Notes of 2,000 letters, the reason of a choice, and what each scenario changes, in words."""
    assert page.pick is not None
    number = [one.id for one in page.plan.profiles].index(page.profile.id)
    path = f"profiles.{number}.limits.max_chips"
    choice = Choice(profile_id=page.profile.id, candidate_id=page.pick.id, reason="We know them. " * 40)
    plan = page.plan.model_copy(
        update={
            "note": "word " * 400, "choices": (choice,),
            "scenarios": (*page.plan.scenarios, Scenario(id="s1", name="Small", overrides={path: 64})),
        }
    )  # fmt: skip
    (section,) = inputs_page(_plan_context(page, plan))
    told = "\n".join(block.text for block in section.blocks if isinstance(block, Paragraph))
    assert plan.note in told and choice.reason in told and page.pick.candidate.name in told
    assert f"Scenario Small: Most chips 64{THIN}chips (base 4{THIN}096{THIN}chips, {page.profile.name})." in told


def test_a_list_that_a_scenario_changes_tells_what_comes_and_what_goes(page: PageContext) -> None:
    number = [one.id for one in page.plan.profiles].index(page.profile.id)
    path = f"profiles.{number}.places.purchase_models"
    ways = [one for one in page.profile.places.purchase_models if one != "on_demand"]
    assert "spot" not in ways
    words = scenario_changes(page.plan, Scenario(id="s", name="Spot", overrides={path: [*ways, "spot"]}))
    assert words == f"Ways to pay with spot, without on demand ({page.profile.name})"


def test_prices_and_their_sources_are_those_of_the_options_shown(page: PageContext) -> None:
    section = sources_page([page])
    _, prices, sources = _tables(section)
    best = page.results.shown_feasible(8)
    assert [row[1].text for row in prices.rows] == [usd(one.candidate.offer.usd_per_chip_hour) for one in best]
    assert [row[2].text for row in prices.rows] == [usd(one.candidate.usd_per_chip_hour) for one in best]
    assert [row[4].text for row in prices.rows] == [one.candidate.offer.source for one in best]
    assert all(one.candidate.price.basis in prices.caption for one in best)
    told = (
        (
            one.candidate.offer.source,
            one.candidate.accelerator.source,
            one.obtainable.source,
            one.obtainable.wait.source,
        )
        for one in best
    )
    used = {name for sources_of_one in told for source in sources_of_one for name in source.split("+") if name}
    assert [row[0].text for row in sources.rows] == sorted(used)
    times = list(time_inputs().values())
    (assumed,) = [block for block in section.blocks if isinstance(block, Pairs)]
    assert [pair.value.split(" ")[0] for pair in assumed.items] == [plain(one.value.likely) for one in times]
    assert [pair.name.endswith(", estimate") for pair in assumed.items] == [one.estimate for one in times]


def test_draws_are_told_with_their_number_and_seed(page: PageContext) -> None:
    how = {row[0].text: row[1].text for row in _tables(sources_page([page]))[0].rows}
    assert how["Draws"].startswith(f"{grouped(N_DRAWS)} of each option") and how["Draws"].endswith(
        f"seed {errors.SEED}"
    )
    assert f"{grouped(N_WEIGHTINGS)} random weightings" in how["Stays first"]
    assert how["Stays first"].endswith(f"seed {utility.SEED}")


def test_sources_of_several_workloads_stand_once(plan, results, catalogue) -> None:
    pages = [PageContext(plan, one, catalogue, TODAY, "Base") for one in results.values()]
    *_, sources = _tables(sources_page(pages))
    names = [row[0].text for row in sources.rows]
    assert names == sorted(set(names))
    assert set(names) > {row[0].text for row in _tables(sources_page(pages[:1]))[-1].rows}


def test_a_price_that_stands_in_is_explained_below_the_prices(page: PageContext) -> None:
    first = best_of_each(page.results.results[: page.results.n_feasible])[0]
    for layer in ("catalogue", "book", STAND_IN):
        offer = first.candidate.offer.model_copy(update={"layer": layer})
        one = replace(first, candidate=replace(first.candidate, offer=offer))
        prices = _tables(sources_page([replace(page, results=replace(page.results, results=(one,)))]))[1]
        assert prices.caption.endswith(HOW) is (layer == STAND_IN)
        assert prices.rows[0][5].text.startswith("stand-in") is (layer == STAND_IN)


def test_figures_of_serving_take_a_third_of_a_page(page: PageContext) -> None:
    assert page.pick is not None
    assert 0.2 < _places_figure(page).height_share < 0.5
    assert 0.2 < _load_figure(page, page.pick).height_share < 0.5
    assert _places_figure(page).selected_id == page.pick.id


def test_columns_are_wide_enough_to_be_read(page: PageContext, results, catalogue) -> None:
    """A twentieth of the page at least."""
    document = build(page.plan, results, catalogue, TODAY)
    tables = [block for section in document.sections for block in section.blocks if isinstance(block, Table)]
    for table in tables:
        whole = sum(column.weight for column in table.columns)
        assert min(column.weight for column in table.columns) >= whole / 20


def test_names_have_more_room_than_numbers(page: PageContext, results, catalogue) -> None:
    """A candidate, an offer or a way to pay takes words; what is aligned right is one figure with its range."""
    every = tuple(dict.fromkeys(key for keys in PRESETS.values() for key in keys))
    asked = {"outlook": Outlook(horizon_months=36)}
    changed = {name: replace(one, profile=one.profile.model_copy(update=asked)) for name, one in results.items()}
    document = build(page.plan, changed, catalogue, TODAY, every)
    tables = [block for section in document.sections for block in section.blocks if isinstance(block, Table)]
    named = [table for table in tables if table.columns[0].title in ("Candidate", "Offer", "Way to pay")]
    assert {table.columns[0].title for table in named} == {"Candidate", "Offer", "Way to pay"}
    for table in named:
        numbers = [column.weight for column in table.columns if column.align == "right"]
        assert table.columns[0].weight > max(numbers)


def test_evidence_is_told_with_a_capital_and_its_bars(page: PageContext) -> None:
    for evidence in Evidence:
        first = page.results.results[: page.results.n_feasible][0]
        cell = evidence_cell(replace(first, throughput=replace(first.throughput, evidence=evidence)))
        assert (cell.text, cell.meter) == (evidence.value.capitalize(), evidence.strength)


@pytest.mark.parametrize(
    ("count", "words"),
    [(1.2e12, "1.2 trillion"), (1e12, "1 trillion"), (999e9, "999 billion"), (1e9, "1 billion"), (1e6, "1 million"),
     (999_999.0, f"999{THIN}999")],
)  # fmt: skip
def test_tokens_are_counted_in_words(count: float, words: str) -> None:
    assert tokens_text(count) == words


def test_cash_of_each_way_stands_with_its_range_and_what_forbids_it(page: PageContext) -> None:
    assert cash_page(page) is None, "nobody asked for years ahead"
    asked = page.profile.model_copy(update={"outlook": Outlook(horizon_months=24)})
    page = replace(page, results=replace(page.results, profile=asked))
    shown = page.pick
    assert shown is not None
    plan, section = cash_plan(page.results, shown), cash_page(page)
    assert plan is not None and (section is None) == (len(plan.lines) < 2)
    assert section is not None or page.profile.id == "serve"
    if section is None:
        return
    ways = next(table for table in _tables(section) if table.columns[0].title == "Way to pay")
    for row, line in zip(ways.rows, plan.lines, strict=True):
        low, likely, high = plan.present_usd(line)
        assert (row[5].text, row[5].second) == (usd(likely), f"{usd(low, 2)} to {usd(high, 2)}" if high > low else "")
        assert row[0].below and row[5].below
        reasons = line.variant.reasons
        assert (row[0].second, row[0].tone) == ((str(reasons[0].text), "muted") if reasons else ("", "strong"))
        assert row[2].text == (usd(line.flow.upfront_usd) if line.flow.upfront_usd else "0")
        assert (row[3].text, row[4].text) == (usd(line.flow.monthly_usd), usd(float(plan.paid_usd(line.flow)[-1])))
        assert (row[1].text == "bought") is line.is_bought
