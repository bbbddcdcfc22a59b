"""Hardware of one's own over phases: paid once, kept, given up at its worth, and in all what the engine bills."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import date, timedelta
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.catalogue.loading import load_catalogue
from core.comparison.evaluate import evaluate
from core.comparison.over_time.answer import over_time
from core.comparison.over_time.owned import Owned
from core.comparison.over_time.payments import Payment, Use, payments
from core.comparison.over_time.runs import Run, runs_of
from core.comparison.over_time.spread import fixed
from core.comparison.over_time.way import Way, way_of
from core.comparison.result import CandidateResult, ResultSet
from core.comparison.together.due import by_period, dues
from core.comparison.together.ways import picked
from core.cost.parts.hardware import bought_and_worth_usd
from core.months import DAYS_PER_MONTH
from core.workload.library import load_profiles
from core.workload.phases import Phase, Stage

START = date(2026, 12, 1)


def _phase(name: str, days: float | None = None, stage: Stage = "serve", **more: Any) -> Phase:
    return Phase(id=name, name=name, stage=stage, workload="bank-on-premises", platform="gpu", days=days, **more)


def _way(bank: ResultSet, *phases: Phase) -> Way:
    return way_of("All-GPU", phases, {bank.profile.id: bank}, START, None)


def _billed(bank: ResultSet, months: float) -> CandidateResult:
    """The pick of the bank as the engine bills it for so many months."""
    profile = bank.profile.model_copy(update={"job": bank.profile.job.model_copy(update={"months": months})})
    assert bank.choice is not None
    return evaluate(profile, load_catalogue()).by_id[bank.choice.id]


@pytest.mark.parametrize("months", [2, 12, 36, 38])
def test_a_way_comes_to_the_engine_s_bill_of_the_months_it_holds_the_hardware(bank: ResultSet, months: int) -> None:
    days = months * DAYS_PER_MONTH
    bill = _billed(bank, months).cost.total.likely
    for phases in (
        (_phase("a", days),),
        (_phase("a", days / 3, "pilot"), _phase("b", 2 * days / 3)),
        (_phase("a", days / 4, "explore"), _phase("b", days / 2, "pilot"), _phase("c", days / 4)),
    ):
        assert _way(bank, *phases).total.likely == pytest.approx(bill, abs=0.05)


def test_one_phase_that_is_the_whole_profile_is_the_plan(bank: ResultSet) -> None:
    way = _way(bank, _phase("a"))
    assert bank.choice is not None
    total = bank.choice.cost.total
    assert way.total.likely == pytest.approx(total.likely, abs=0.01)
    assert (way.total.low, way.total.high) == (pytest.approx(total.low, rel=0.01), pytest.approx(total.high, rel=0.01))


def test_what_is_spent_by_a_day_is_what_the_plan_has_due_by_then(bank: ResultSet) -> None:
    assert bank.choice is not None
    cash, due = _way(bank, _phase("a")).cash, by_period(dues([picked(bank.profile, bank.choice)], 0.0, 0.0), 1)
    so_far = 0.0
    for (year, month), usd in sorted(due.items()):
        so_far += usd
        day = (date(year + month // 12, month % 12 + 1, 1) - START).days
        assert np.interp(day, cash.days, cash.likely_usd) == pytest.approx(so_far, abs=200.0)
    assert so_far == pytest.approx(float(cash.likely_usd[-1]), abs=0.05)


def test_it_is_paid_in_the_first_phase_and_comes_back_in_the_last(bank: ResultSet) -> None:
    assert bank.choice is not None
    explore, serve = _way(bank, _phase("a", 60.0, "explore"), _phase("b", 365.0)).runs
    bought, _ = bought_and_worth_usd(bank.choice.cost.parts)
    assert explore.owned.bought[0] == pytest.approx(bought) and explore.cost.likely > bought
    assert not explore.owned.worth.any() and not serve.owned.bought.any() and not serve.owned.once.any()
    _, worth = bought_and_worth_usd(_billed(bank, 425 / DAYS_PER_MONTH).cost.parts)
    assert serve.owned.worth[0] == pytest.approx(worth)
    assert (explore.owned.worth >= 0).all() and (serve.owned.worth >= 0).all()


def test_a_pilot_is_as_unsure_as_the_price_of_its_servers(bank: ResultSet) -> None:
    pilot = _way(bank, _phase("a", 60.0, "pilot"), _phase("b")).runs[0]
    low, high = (float(np.percentile(pilot.owned.bought[1:] / pilot.owned.bought[0], at)) for at in (10, 90))
    server = load_catalogue().server_by_instance[pilot.held.result.candidate.offer.instance]
    assert low == pytest.approx(server.low_usd / server.typical_usd, abs=0.03)
    assert high > server.high_usd / server.typical_usd - 0.03
    assert pilot.cost.low < 0.85 * pilot.cost.likely and pilot.cost.high > 1.2 * pilot.cost.likely


def test_money_moves_at_once_on_its_day(bank: ResultSet) -> None:
    way = _way(bank, _phase("a", 60.0, "pilot"), _phase("b"))
    cash, there = way.cash, float(way.runs[0].work_begins[0])
    at = int(np.searchsorted(cash.days, there))
    assert cash.likely_usd[at] - cash.likely_usd[at - 1] == pytest.approx(float(way.runs[0].owned.bought[0]))
    capital = sum(float(run.owned.capital[0]) for run in way.runs)
    assert capital > 0 and cash.likely_usd[-1] + capital == pytest.approx(way.total.likely)
    assert cash.likely_usd.max() > cash.likely_usd[-1]


def test_hardware_waits_between_its_phases_and_is_not_waited_for_again(
    bank: ResultSet, answers: Mapping[str, ResultSet]
) -> None:
    """A phase on rented chips in between: the servers stay, with their room, and are there when the next begins."""
    known = {**answers, bank.profile.id: bank}
    rented = Phase(id="r", name="r", stage="serve", workload=next(iter(answers)), platform="gpu", days=90.0)
    first, last = _phase("a", 60.0, "pilot"), _phase("b", 365.0)
    runs = runs_of((first, rented, last), known, START)
    assert runs[0].waiting[0] > 0 and not runs[2].waiting.any() and not runs[2].owned.bought.any()
    apart = runs_of((first, last), known, START)
    months = (float(runs[2].end[0]) - float(runs[0].work_begins[0])) / DAYS_PER_MONTH
    _, worth = bought_and_worth_usd(_billed(bank, months).cost.parts)
    assert runs[2].owned.worth[0] == pytest.approx(worth, rel=1e-3)
    assert runs[2].by_day_usd[0] > apart[1].by_day_usd[0]


def _owned(run: Run, **changes: Any) -> Owned:
    assert run.held.owned is not None
    return replace(run.held.owned, **changes)


def _paid(*uses: tuple[Owned, float, float]) -> tuple[Payment, ...]:
    return payments([Use(owned, fixed(0.0), fixed(begins), fixed(ends)) for owned, begins, ends in uses])


def test_only_servers_that_a_later_phase_adds_are_bought_then(bank: ResultSet) -> None:
    run = _way(bank, _phase("a")).runs[0]
    one, three = _owned(run, servers=1), _owned(run, servers=3)
    first, second, third = _paid((one, 0.0, 100.0), (three, 100.0, 200.0), (one, 200.0, 300.0))
    assert second.bought[0] == pytest.approx(2 * first.bought[0]) and not third.bought.any()
    assert not first.worth.any()
    (alone,) = _paid((three, 0.0, 100.0))
    assert second.worth[0] == pytest.approx(2 / 3 * alone.worth[0])
    (whole,) = _paid((one, 0.0, 300.0))
    assert third.worth[0] == pytest.approx(whole.worth[0])


def test_other_hardware_is_bought_by_itself_and_another_workload_is_set_up_anew(bank: ResultSet) -> None:
    run = _way(bank, _phase("a")).runs[0]
    mine, other = _owned(run), _owned(run, hardware="other")
    both = _paid((mine, 0.0, 100.0), (other, 100.0, 200.0))
    assert both[1].bought[0] == pytest.approx(both[0].bought[0]) and (both[0].worth > 0).all()
    guest = _owned(run, profile=bank.profile.model_copy(update={"id": "guest"}))
    shared = _paid((mine, 0.0, 100.0), (guest, 100.0, 200.0))
    assert not shared[1].bought.any() and shared[1].once[0] == pytest.approx(mine.once_usd) and mine.once_usd > 0


@settings(max_examples=20, deadline=None)
@given(lengths=st.lists(st.floats(1.0, 900.0), min_size=1, max_size=4), gap=st.floats(0.0, 200.0))
def test_parts_add_up_however_a_stay_is_cut(bank: ResultSet, lengths: list[float], gap: float) -> None:
    """Cut into phases without a gap it costs the same, with the same range; a gap never makes it cheaper."""
    run = _way(bank, _phase("a", 100.0)).runs[0]
    owned, ends = _owned(run), np.cumsum(lengths)
    begins = [0.0, *ends[:-1].tolist()]

    def total(paid: tuple[Payment, ...]) -> Any:
        return sum(one.at_once + one.by_day for one in paid)

    cut = total(_paid(*((owned, begin, end) for begin, end in zip(begins, ends.tolist(), strict=True))))
    whole = total(_paid((owned, 0.0, float(ends[-1]))))
    assert cut[0] == pytest.approx(whole[0], rel=1e-6)
    ends_of_80_pct = (10, 50, 90)
    assert np.percentile(cut, ends_of_80_pct) == pytest.approx(np.percentile(whole, ends_of_80_pct), rel=1e-3)
    late = total(_paid((owned, 0.0, lengths[0]), (owned, lengths[0] + gap, lengths[0] + gap + 50.0)))
    soon = total(_paid((owned, 0.0, lengths[0]), (owned, lengths[0], lengths[0] + 50.0)))
    assert late[0] >= soon[0] - 1e-6


def test_a_typed_start_after_the_end_of_the_one_before_keeps_the_hardware(bank: ResultSet) -> None:
    late = _phase("b", 100.0, start=START + timedelta(days=400))
    runs = _way(bank, _phase("a", 60.0, "pilot"), late).runs
    assert runs[1].begin[0] == 400.0 and not runs[1].waiting.any() and not runs[1].owned.bought.any()


def test_a_run_on_bought_hardware_comes_to_its_bill_and_trials_on_few_of_it_to_their_servers() -> None:
    shipped = load_profiles()["llama3-70b-pretraining"]
    places = shipped.places.model_copy(update={"purchase_models": ("owned",), "providers": ()})
    limits = shipped.limits.model_copy(update={"budget_usd": None, "deadline_days": None, "max_chips": 1024})
    profile = shipped.model_copy(update={"places": places, "limits": limits})
    results = evaluate(profile, load_catalogue())
    assert results.choice is not None
    scale = Phase(id="s", stage="scale", workload=profile.id, candidate=results.choice.id)
    (run,) = runs_of((scale,), {profile.id: results}, START)
    total = results.choice.cost.total
    assert run.cost.likely == pytest.approx(total.likely, rel=1e-6)
    assert (run.cost.low, run.cost.high) == (pytest.approx(total.low, rel=0.05), pytest.approx(total.high, rel=0.05))
    trial = scale.model_copy(update={"id": "e", "stage": "explore", "chips": 16, "days": 56.0})
    explore, after = runs_of((trial, scale), {profile.id: results}, START)
    few = explore.held.n_chips / run.held.n_chips
    assert explore.owned.bought[0] == pytest.approx(few * run.owned.bought[0])
    assert explore.owned.bought[0] + after.owned.bought[0] == pytest.approx(run.owned.bought[0])


def test_rented_phases_own_nothing(answers: Mapping[str, ResultSet], mixed_phases: tuple[Phase, ...]) -> None:
    answer = over_time(mixed_phases, answers)
    assert answer is not None
    for run in (run for way in answer.ways for run in way.runs):
        assert run.held.owned is None and not run.owned.at_once.any()
