"""A company with eight models on one pool: what it would ask, and what holds whatever is asked."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import date

import numpy as np
import pytest

from core.amounts import USD, Amount
from core.comparison.over_time.words import Story
from core.comparison.portfolio.answer import portfolio_answer
from core.comparison.portfolio.portfolio_json import portfolio_json
from core.comparison.portfolio.printed import printed_cash
from core.comparison.portfolio.result import PortfolioAnswer, Scheme
from core.comparison.portfolio.schemes import _held_back
from core.comparison.portfolio.words import base_words, headline, notes, packing_words, story, sure_words, table
from core.comparison.result import ResultSet
from core.comparison.together.plan_answer import answer_of, as_printed, last_digit
from core.errors import InputError
from core.plan.plan import Plan
from core.units import Money, money_in
from core.workload.phases import Phase
from core.workload.portfolio import Member, Pin, Portfolio

Ask = Callable[..., PortfolioAnswer]
Answers = Mapping[str, ResultSet]
ONCE: tuple[Member, ...] = ()


def _scheme(answer: PortfolioAnswer, scheme_id: str) -> Scheme:
    return next(one for one in answer.schemes if one.id == scheme_id)


def test_the_story_answers_what_a_company_asks(ask: Ask) -> None:
    answer = ask()
    pool = answer.one_pool
    assert [one.id for one in answer.schemes] == ["own", "split", "peak", "base", "shared"]
    assert answer.best.id == "base" and answer.next_best is not None and answer.next_best.id == "own"
    assert answer.cheaper is not None and 0.7 < answer.cheaper < 0.95
    assert str(headline(answer)).endswith("below each on its own pick.")
    assert str(headline(answer)).startswith(f"One pool of {pool.chips_name} at {pool.site.place}, all on demand: $")
    assert [name for name, _ in answer.outside] == ["Retrain 13B"]
    assert str(packing_words(answer)) == "4 small models need 1 chip, not 4"
    assert "in quiet hours" in " ".join(_texts(story(answer, answer.best)))
    own, split, base = (_scheme(answer, name) for name in ("own", "split", "base"))
    assert base.total.likely < own.total.likely < split.total.likely
    assert base.paid_h < split.paid_h
    assert sum(quarter.total_usd for quarter in base.quarters) == pytest.approx(base.total.likely)


def test_own_picks_cost_what_the_plan_says(ask: Ask, answers: Answers) -> None:
    plan = answer_of(tuple(answers.values()))
    own = _scheme(ask(members=ONCE), "own")
    assert plan is not None
    picks = [one.pick.cost.total.likely for one in plan.picks]
    assert own.total.likely == pytest.approx(sum(picks), rel=1e-6)
    for pool, usd in zip(own.pools, picks, strict=True):
        assert pool.account.rent_usd + sum(use.other_usd.sum() for use in pool.uses) == pytest.approx(usd, rel=1e-6)
    low, high = np.percentile(sum(part.drawn.cost_usd for part in plan.way.taken), (10, 90))
    assert (own.total.low, own.total.high) == pytest.approx((low, high), rel=1e-3)


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"members": ONCE, "lends_quiet_hours": False, "packs": False},
        {"chip": "h100-sxm", "provider": "gcp", "members": ONCE},
        {"chip": "h200-sxm", "base_chips": 8, "copies": 2},
        {"chip": "tpu-v6e", "months": 7},
    ],
)
def test_what_holds_whatever_is_asked(ask: Ask, changes: dict[str, object]) -> None:
    answer = ask(**changes)
    for scheme in answer.schemes:
        assert sum(month.total_usd for month in scheme.months) == pytest.approx(scheme.total.likely, rel=1e-9)
        assert scheme.total.low <= scheme.total.likely <= scheme.total.high
        for pool in scheme.pools:
            own = pool.account
            assert own.paid_h == pytest.approx(own.base_used_h + own.burst_used_h + own.idle_h, rel=1e-9)
            assert (pool.at_work <= pool.chips).all()
    split, base, peak = (_scheme(answer, name) for name in ("split", "base", "peak"))
    assert base.peak_chips <= split.peak_chips
    assert base.total.likely <= peak.total.likely * (1 + 1e-9) or answer.one_pool.account.base_chips
    packing = answer.packing
    for chip in packing.chips if packing else ():
        assert chip.memory_gib <= chip.capacity_gib and chip.load <= packing.load_limit + 1e-9
    weeks = [sum(band.chips[week] for band in answer.bands) for week in range(len(answer.weeks))]
    at_work = answer.one_pool.at_work.max(axis=1)
    assert weeks == [int(at_work[7 * week : 7 * week + 7].max()) for week in range(len(weeks))]


def test_more_use_never_costs_less(ask: Ask) -> None:
    costs = []
    for use in (50, 100, 150, 250):
        members = tuple(Member(workload=name, use_pct=(use,)) for name in ("chat-70b", "nightly-scoring", "support-8b"))
        answer = ask(members=members, chip="b200-sxm", provider="verda", packs=False)
        costs.append([_scheme(answer, name).total.likely for name in ("split", "base")])
    assert [column == tuple(sorted(column)) for column in zip(*costs, strict=True)] == [True, True]


def test_a_base_is_committed_where_that_costs_less(ask: Ask) -> None:
    answer = ask(chip="l4", provider="gcp", members=ONCE)
    pool, curve = answer.one_pool, answer.curve
    assert pool.base is not None and pool.base.way in ("commit_1y", "commit_3y")
    assert pool.account.base_chips == int(curve.base_chips[curve.least]) > 0
    fewest, most = curve.within
    assert fewest <= pool.account.base_chips <= most and "cost at most 3 % more" in str(base_words(answer))
    at = {int(chips): usd for chips, usd in zip(curve.base_chips, curve.likely_usd, strict=True)}
    inside = answer.best if answer.best.id == "base" else _scheme(answer, "base")
    outside = sum(
        pool.account.rent_usd + sum(float(use.other_usd.sum()) for use in pool.uses) for pool in inside.pools[1:]
    )
    assert at[pool.account.base_chips] == pytest.approx(inside.total.likely - outside, rel=1e-6)
    none = ask(chip="l4", provider="gcp", members=ONCE, term="none")
    assert none.one_pool.account.base_chips == 0
    assert _scheme(none, "base").total.likely > inside.total.likely
    typed = ask(chip="l4", provider="gcp", members=ONCE, base_chips=3)
    assert typed.one_pool.account.base_chips == 3


def test_a_shared_cluster_that_is_too_small_says_what_finds_no_chip(ask: Ask) -> None:
    small, large = (_scheme(ask(shared_chips=count), "shared") for count in (2, 64))
    assert small.unmet_h > 0 and not small.can_be_signed and small.lacks == "work left over"
    assert large.unmet_h == pytest.approx(0.0, abs=1e-9) and large.idle_share > small.idle_share
    assert large.idle_share > 0.8
    assert all(answer.best.id != "shared" for answer in (ask(shared_chips=2), ask(shared_chips=64)))
    rows = dict(table(ask(shared_chips=2)))
    assert [str(cell.likely) for cell in rows["Can be signed"]] == ["yes", "yes", "yes", "yes", "no"]
    assert str(rows["Work without a chip"][-1].likely).endswith("chip h")


def test_named_pools_share_their_chips(ask: Ask) -> None:
    small = ("support-8b", "summaries-3b", "call-notes-3b")
    grouped = ask(members=tuple(Member(workload=name, pool="Office") for name in small), pooling="split")
    split = grouped.chosen
    assert split.id == "split"
    office = next(pool for pool in split.pools if pool.name == "Office")
    assert sorted(use.profile.id for use in office.uses) == sorted(small)
    assert office.peak_chips == 1
    assert split.total.likely < _scheme(ask(members=ONCE), "split").total.likely


def test_a_model_put_by_hand_stays_there_or_is_told(ask: Ask) -> None:
    moved = ask(pins=(Pin(workload="reranker-1b", chip=2),))
    assert moved.one_pool.site == ask().one_pool.site, "a model that is moved does not move the pool elsewhere"
    assert moved.packing is not None
    assert [[one.workload for one in chip.items] for chip in moved.packing.chips][1] == ["reranker-1b"]
    pins = tuple(Pin(workload=name, chip=1) for name in ("support-8b", "summaries-3b"))
    refused = ask(pins=pins, load_limit_pct=20, chip="gh200-96")
    assert refused.packing is not None
    told = refused.packing.pins_refused
    assert [(one.workload, one.chip) for one in told] == [("support-8b", 1)]
    assert any("does not fit on chip 1" in str(one) for one in notes(refused))


def test_what_the_limits_do_not_admit_is_told(ask: Ask) -> None:
    answer = ask(burst="spot", chip="l4", provider="gcp")
    assert any("do not admit spot" in str(one) for one in answer.notes)
    with pytest.raises(InputError, match="no option of nothing-such"):
        ask(chip="nothing-such")


def test_two_workloads_are_needed_and_phases_are_told(answers: Answers, ask: Ask) -> None:
    apart = tuple(Member(workload=name, takes_part=False) for name in answers if name != "chat-70b")
    assert portfolio_answer(Portfolio(members=apart), answers) is None
    assert portfolio_answer(None, answers) is None and portfolio_json(None) is None
    phases = (Phase(id="a", workload="chat-70b"),)
    answer = portfolio_answer(Portfolio(), answers, phases)
    assert answer is not None
    assert any("Chat 70B counts as a whole here" in str(one) for one in answer.notes)


def test_what_is_printed_adds_up_in_any_currency(ask: Ask) -> None:
    for money in (Money(), Money("EUR", 0.86)):
        with money_in(money):
            for scheme in ask().schemes:
                cash = printed_cash(scheme)
                assert cash.total == pytest.approx(as_printed(scheme.total.likely))
                assert sum(cash.of_parts) == pytest.approx(cash.total)
                assert cash.of_parts[1] == pytest.approx(scheme.idle_usd, abs=1.1 * last_digit(cash.total))
                for chapter in story(ask(), scheme).chapters:
                    if chapter.title == "Cost":
                        *lines, total, _ = chapter.lines
                        assert sum(line.value.value for line in lines) == pytest.approx(total.value.value)  # type: ignore[union-attr]


def test_json_adds_up_to_the_cent_and_is_the_same_twice(ask: Ask, eight: Plan, answers: Answers) -> None:
    told = portfolio_json(ask())
    assert told is not None
    for scheme in told["schemes"]:
        quarters = scheme["cash_by_quarter"]
        parts = ("base_used_usd", "idle_usd", "burst_usd", "other_usd")
        assert all(round(100 * sum(one[part] for part in parts)) == round(100 * one["usd"]) for one in quarters)
        assert sum(round(100 * one["usd"]) for one in quarters) == round(100 * scheme["total_usd"]["likely"])
    assert json.dumps(told) == json.dumps(portfolio_json(portfolio_answer(eight.portfolio, answers)))


def test_words_say_what_the_figures_do(ask: Ask) -> None:
    answer = ask()
    rows = dict(table(answer))
    assert len({len(cells) for cells in rows.values()} | {len(answer.schemes)}) == 1
    assert [str(cell.likely) for cell in rows["Can be signed"]] == ["yes"] * 5
    assert str(sure_words(answer)).startswith("Cheaper than each on its own pick in ")
    for scheme in answer.schemes:
        told = story(answer, scheme)
        assert told.key == f"portfolio:{scheme.id}" and [one.title for one in told.chapters][:2] == ["Use", "Cost"]
    assert "What would change it" in [one.title for one in story(answer, answer.best).chapters]


def test_a_term_that_outlasts_the_work_is_paid_to_its_end(ask: Ask) -> None:
    answer = ask(chip="l4", provider="gcp", members=ONCE, months=8, term="commit_1y", base_chips=2)
    base = _scheme(answer, "base")
    last = base.months[-1]
    assert date(last.year, last.month, 1) >= date(2027, 12, 1)
    assert last.idle_usd > 0 and last.base_used_usd == last.burst_usd == last.other_usd == 0.0


def _texts(told: Story) -> list[str]:
    return [str(line.words) for chapter in told.chapters for line in chapter.lines]


def test_nothing_in_use_costs_the_same_either_way(ask: Ask, answers: Answers) -> None:
    """Of two workloads whose own picks are of the pool's chip and seller."""
    alike = {name for name, one in answers.items() if one.choice and one.choice.candidate.accelerator.id == "gh200-96"}
    members = tuple(Member(workload=name, use_pct=(0,), takes_part=name in alike) for name in answers)
    idle = ask(members=members, chip="gh200-96")
    assert "the same cost" in str(headline(idle))
    assert all(scheme.paid_h == scheme.idle_share == 0.0 for scheme in idle.schemes if scheme.id == "base")
    for scheme in idle.schemes:
        assert all(str(line.words) for chapter in story(idle, scheme).chapters for line in chapter.lines)


def test_the_calendar_ends_and_so_do_five_years(eight: Plan, answers: Answers) -> None:
    late = dict(answers)
    for name in ("support-8b", "summaries-3b"):
        profile = answers[name].profile
        limits = profile.limits.model_copy(update={"start_date": date(9999, 11, 1)})
        late[name] = replace(answers[name], profile=profile.model_copy(update={"limits": limits}))
    two = tuple(Member(workload=name, takes_part=name in ("support-8b", "summaries-3b")) for name in answers)
    answer = portfolio_answer(Portfolio(members=two), late)
    assert answer is not None and answer.calendar.n_days == 60
    assert str(table(answer)) and portfolio_json(answer)
    profile = answers["support-8b"].profile
    long = profile.model_copy(update={"job": profile.job.model_copy(update={"months": 120.0})})
    answer = portfolio_answer(
        Portfolio(members=two), {**answers, "support-8b": replace(answers["support-8b"], profile=long)}
    )
    assert answer is not None and answer.calendar.n_days == 1826
    assert any("Support 8B goes on beyond the months" in str(one) for one in answer.notes)


def test_what_you_have_is_said_to_take_no_part(ask: Ask, answers: Answers) -> None:
    basis = answers["support-8b"].basis
    assert basis is not None and not any("takes no part" in str(one) for one in ask().notes)
    own = next(one for one in basis.catalogue.offers if one.accelerator_id == "l40s").model_copy(
        update={"held_chips": 8, "id": "own"}
    )
    had = replace(basis, catalogue=replace(basis.catalogue, offers=(*basis.catalogue.offers, own)))
    two = {name: replace(answers[name], basis=had) for name in ("support-8b", "summaries-3b")}
    answer = portfolio_answer(Portfolio(), two)
    assert answer is not None
    assert [str(one) for one in answer.notes if "takes no part" in str(one)] == [
        "The pool is rented: L40S that you have takes no part in it"
    ]


def test_a_base_that_is_typed_is_whole_machines_and_told(ask: Ask) -> None:
    answer = ask(chip="h200-sxm", provider="nebius", base_chips=9, term="none", members=ONCE)
    assert answer.one_pool.account.base_chips == 16
    assert answer.one_pool.base is not None and answer.one_pool.base.way == "on_demand"
    assert any(str(one) == "A base of 9 takes whole machines: 16 chips" for one in answer.notes)


def test_it_says_why_own_picks_are_not_what_the_plan_s_bills_come_to(ask: Ask) -> None:
    answer = ask()
    own, told = answer.scheme("own"), str(notes(answer)[-1])
    assert own is not None
    again = next(one for one in own.pools if one.uses[0].name == "Retrain 13B")
    rest = sum(one.uses[0].result.cost.total.likely for one in own.pools if one is not again)
    here, there = (cost_words(usd) for usd in (own.total.likely - rest, again.uses[0].result.cost.total.likely))
    assert told == f"Retrain 13B is run 4 times here and once in the plan: on its own pick {here} here, {there} there"
    assert sum("in the plan" in str(one) for one in notes(answer)) == 1


def test_months_that_are_set_are_told_beside_the_plan(ask: Ask) -> None:
    told = [str(one) for one in notes(ask(chip="tpu-v6e", months=7))]
    (cut,) = (one for one in told if one.startswith("Months and use are set here: "))
    assert "Chat 70B and 6 others on their own picks $" in cut and cut.endswith("in the plan")
    assert any(one.startswith("Retrain 13B is run 2 times here and once in the plan") for one in told)


def cost_words(usd: float) -> str:
    return str(Amount(usd, USD))


def test_a_cluster_below_the_busiest_hour_cannot_be_signed(ask: Ask) -> None:
    scheme = _scheme(ask(shared_chips=64), "shared")
    (pool,) = scheme.pools[:1]
    assert pool.short_chips == 0 and scheme.lacks != "work left over"
    tight = replace(pool, peak_chips=67)
    assert tight.short_chips == 3 and replace(scheme, pools=(tight, *scheme.pools[1:])).lacks == "work left over"
    assert [str(one) for one in _held_back(tight)][0] == "3 chips short in the busiest hour"
    bought_above = replace(tight, burst=next(iter(pool.site.rates.values())))
    assert bought_above.short_chips == 0
