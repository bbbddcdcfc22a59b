"""A plan that buys its hardware: what was to be paid when, what is still to come, and what it is worth in the end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date, timedelta

import pytest

from core.catalogue.catalogue import Catalogue
from core.catalogue.loading import load_catalogue
from core.comparison.actuals.actuals_json import actuals_json
from core.comparison.actuals.answer import ActualsAnswer, actuals_answer
from core.comparison.actuals.baseline import FROZEN_BEFORE, frozen
from core.comparison.actuals.standing import Standing, planned_end, planned_usd, standing
from core.comparison.actuals.words import figures, headline, notes, options_line
from core.comparison.evaluate import evaluate
from core.comparison.result import ResultSet
from core.comparison.together.due import dues
from core.comparison.together.ways import picked
from core.units import usd
from core.workload.actuals import Baseline, Entry, Tracked
from core.workload.library import load_profiles, more_profiles
from core.workload.profile import Profile
from tests.core.comparison.actuals.conftest import BEGINS

TODAY = date(2026, 12, 1)
Follow = Callable[..., ActualsAnswer]


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return load_catalogue()


@pytest.fixture(scope="module")
def bank(catalogue: Catalogue) -> ResultSet:
    return evaluate(more_profiles()["bank-on-premises"], catalogue)


def _own_run(n_tokens: float) -> Profile:
    run = load_profiles()["llama3-70b-pretraining"]
    own = {"purchase_models": ("owned",), "needed_places": ("on_prem",), "must_be_on_prem": True}
    limits = {"budget_usd": None, "deadline_days": 400.0, "max_chips": 1024}
    return run.model_copy(
        update={
            "places": run.places.model_copy(update=own),
            "job": run.job.model_copy(update={"n_tokens": n_tokens}),
            "limits": run.limits.model_copy(update=limits),
        }
    )


@pytest.fixture(scope="module")
def run(catalogue: Catalogue) -> ResultSet:
    return evaluate(_own_run(2e12), catalogue)


def _followed(results: ResultSet, *bills: float | None, share: float = 1.0, **other: object) -> ActualsAnswer:
    """Entries each 30 days with such bills, and so much of the work that was planned."""
    base = frozen(results, TODAY).model_copy(update=other)
    entries = tuple(
        Entry(day=base.work_begins + timedelta(days=30 * n), done=30 * base.rate * share, spend_usd=bill)
        for n, bill in enumerate(bills, start=1)
    )
    return actuals_answer(Tracked(workload=results.profile.id, baseline=base, entries=entries), results)


def _of(base: Baseline, *entries: Entry) -> Standing:
    return standing(Tracked(workload="w", baseline=base, entries=entries))


def _bills(*usd: float) -> Sequence[Entry]:
    return [Entry(day=BEGINS + timedelta(days=10 * n), done=1000.0, spend_usd=one) for n, one in enumerate(usd, 1)]


def test_by_hand_what_is_paid_is_planned_as_it_falls_due(bought: Baseline) -> None:
    planned = [planned_usd(bought, BEGINS + timedelta(days=days)) for days in (-1, 0, 10, 100, 200)]
    assert planned == pytest.approx([0.0, 50_000.0, 51_000.0, 60_000.0, 60_000.0]), "its worth is no spending"
    assert bought.wear_usd_per_day == 300.0 and bought.cost_usd == 60_000.0 - 10_000.0


def test_by_hand_the_cost_in_the_end_is_what_was_paid_and_what_runs_less_the_worth(bought: Baseline) -> None:
    one = _of(bought, *_bills(51_000.0, 1000.0, 1000.0))
    assert one.spend_usd == one.planned_usd == 53_000.0 and one.due_share == 0.0
    assert one.running_usd_per_day.middle == pytest.approx(100.0)
    assert one.forecast.cost.likely == pytest.approx(50_000.0)
    assert one.worth_usd == pytest.approx(10_000.0)
    dearer = _of(bought, *_bills(61_000.0, 1000.0, 1000.0)).forecast.cost
    assert dearer.likely == pytest.approx(60_000.0), "dearer servers cost so much more once, not each month"


def test_by_hand_a_late_run_pays_more_days_and_gets_less_for_its_servers(bought: Baseline) -> None:
    late = bought.model_copy(update={"rate_low": 99.9, "rate_high": 100.1})
    entries = [one.model_copy(update={"done": 900.0}) for one in _bills(51_000.0, *[1000.0] * 5)]
    one = _of(late, *entries)
    days = 60 + one.forecast.days_left.middle
    assert 105.0 < days < 110.0
    assert one.worth_usd == pytest.approx(40_000.0 - 300.0 * days)
    assert one.forecast.cost.likely == pytest.approx(50_000.0 + 100.0 * days - one.worth_usd, rel=1e-6)
    stuck = _of(late, *[entry.model_copy(update={"done": 200.0}) for entry in entries])
    days = 60 + stuck.forecast.days_left.middle
    assert days > 140.0 and stuck.worth_usd == 0.0, "nothing is worth less than nothing"
    assert stuck.forecast.cost.likely == pytest.approx(50_000.0 + 100.0 * days, rel=1e-6)


def test_by_hand_hardware_that_no_bill_holds_is_still_to_be_paid_and_told(bought: Baseline) -> None:
    one = _of(bought, *_bills(1000.0, 1000.0))
    assert (one.spend_usd, one.due_share) == (2000.0, 1.0)
    assert one.forecast.cost.likely == pytest.approx(50_000.0)
    assert any("still to be paid" in str(line) for line in notes(one, ""))
    deposit = _of(bought, *_bills(21_000.0, 1000.0))
    assert deposit.due_share == pytest.approx(0.6) and deposit.forecast.cost.likely == pytest.approx(50_000.0)


def test_before_any_entry_the_forecast_and_its_range_are_the_plan(bought: Baseline) -> None:
    assert _of(bought).forecast.cost.likely == pytest.approx(50_000.0)
    cost = _of(bought.model_copy(update={"ends": False})).forecast.cost
    assert cost.likely == pytest.approx(50_000.0)
    assert cost.high / cost.low == pytest.approx(bought.cost_high_usd / bought.cost_low_usd)


def test_hours_of_own_chips_are_no_money_and_the_planned_payments_stand_in(bought: Baseline) -> None:
    hours = [Entry(day=BEGINS + timedelta(days=10 * n), done=1000.0, chip_hours=1920.0) for n in (1, 2)]
    one = _of(bought, *hours)
    assert one.spend_usd == pytest.approx(one.planned_usd) and not one.is_spend_known
    assert one.forecast.cost.likely == pytest.approx(50_000.0)
    assert "Hours of chips of your own are no money" in " ".join(map(str, notes(one, "")))
    alone = _of(bought, hours[0].model_copy(update={"done": None}))
    assert alone.points and alone.spend_usd == pytest.approx(51_000.0)


def test_chips_that_are_there_cost_no_purchase_and_their_hours_are_no_money(bought: Baseline) -> None:
    assert bought.own is not None
    free = bought.own.model_copy(update={"price_usd": 0.0, "installing_usd": 0.0, "worth_usd": 0.0})
    there = bought.model_copy(update={"own": free, "cost_usd": 10_000.0})
    one = _of(there, Entry(day=BEGINS + timedelta(days=10), done=1000.0, chip_hours=1920.0))
    assert (one.spend_usd, one.due_share) == (pytest.approx(1000.0), 0.0)
    assert one.forecast.cost.likely == pytest.approx(10_000.0)
    assert "Worth of the hardware then" not in [row.title for row in figures(one)]


def test_the_planned_payments_are_those_of_the_plan_s_cash(bank: ResultSet) -> None:
    assert bank.choice is not None
    base, one = frozen(bank, TODAY), picked(bank.profile, bank.choice)
    once = bank.choice.cost.part("setting_up")  # due at the start there, over all days here
    for months in (0, 1, 12, 30):
        day = base.work_begins + timedelta(days=30 * months)
        paid = 0.0
        for due in dues((one,), 0.0, 0.0):
            days = (due.ends - due.begins).days
            paid += (
                due.usd * min(max((day - due.begins).days / days, 0.0), 1.0) if days else due.usd * (due.begins <= day)
            )
        assert planned_usd(base, day) == pytest.approx(paid, abs=1.1 * once)


def test_invoices_that_are_on_plan_are_told_so(bank: ResultSet) -> None:
    base = frozen(bank, TODAY)
    month = 30 * base.usd_per_day
    answer = _followed(bank, base.hardware.bought_usd + month, month, month, budget_usd=600_000.0)
    one = answer.standing
    assert one.spend_usd == pytest.approx(one.planned_usd, rel=0.01)
    assert one.forecast.cost.likely == pytest.approx(base.cost_usd, rel=0.01)
    chance = one.forecast.chance_within(600_000.0)
    assert chance is not None and chance > 0.9
    assert not [row for row in figures(one) if row.tone] and answer.options == ()
    assert str(options_line(one, ())).startswith("Nothing to do: the budget is kept")
    assert "under budget" in str(headline(one))


def test_nothing_to_do_never_stands_beside_a_figure_that_is_worse(bank: ResultSet) -> None:
    answer = _followed(bank, 300_000.0, 30_000.0, 30_000.0)
    assert [row.title for row in figures(answer.standing) if row.tone] == ["Spent", "Cost in the end"]
    told = str(options_line(answer.standing, answer.options))
    assert told.startswith("Worse than planned: spent and cost in the end; the budget is kept")


def test_servers_of_a_run_that_are_paid_are_no_cost_that_goes_on(run: ResultSet) -> None:
    base = frozen(run, TODAY)
    entry = Entry(
        day=base.work_begins + timedelta(days=10),
        done=10 * base.rate,
        spend_usd=base.hardware.bought_usd + 10 * base.usd_per_day,
    )
    one = actuals_answer(Tracked(workload=run.profile.id, baseline=base, entries=(entry,)), run).standing
    assert one.forecast.cost.likely == pytest.approx(base.cost_usd, rel=0.01)


def test_a_slow_run_is_forecast_as_the_engine_bills_one_that_is_as_long(run: ResultSet, catalogue: Catalogue) -> None:
    base = frozen(run, TODAY)
    day = base.work_begins + timedelta(days=10)
    entry = Entry(day=day, done=3.5 * base.rate, spend_usd=base.hardware.bought_usd + 10 * base.usd_per_day)
    answer = actuals_answer(Tracked(workload=run.profile.id, baseline=base, entries=(entry,)), run)
    longer = ((answer.standing.forecast.end - base.work_begins).days) / base.work_days
    assert longer > 2.0
    bill = evaluate(_own_run(2e12 * longer), catalogue).by_id[base.candidate].cost.total.likely
    assert answer.standing.forecast.cost.likely == pytest.approx(bill, rel=0.02)


def test_more_servers_are_bought_for_a_busier_service_and_none_are_given_back(bank: ResultSet) -> None:
    base = frozen(bank, TODAY)
    month = 30 * base.usd_per_day
    bills = (base.hardware.bought_usd + month, month, month)
    busier = _followed(bank, *bills, share=2.5)
    resize = next(one for one in busier.options if one.kind == "resize")
    assert (
        f"hardware {usd(base.hardware.bought_usd)}" in str(resize.detail)
        and resize.more_usd > base.hardware.bought_usd / 2
    )
    quiet = _followed(bank, *bills, share=0.3)
    assert quiet.options == () and str(options_line(quiet.standing, ())).startswith("Less comes than planned")


def test_json_tells_hardware_of_own_chips_alone(bank: ResultSet, results: ResultSet) -> None:
    (told,) = actuals_json([_followed(bank, None)])
    base = frozen(bank, TODAY)
    assert told["hardware"] == {
        "planned_usd": round(base.hardware.bought_usd, 2),
        "due_usd": 0.0,
        "worth_usd": pytest.approx(base.hardware.worth_usd, rel=0.01),
        "planned_worth_usd": round(base.hardware.worth_usd, 2),
        "spend_as_planned": True,
    }
    (rented,) = actuals_json([_followed(results, None)])
    assert "hardware" not in rented


def test_a_plan_frozen_before_hardware_was_kept_means_what_it_meant_and_says_so(bank: ResultSet) -> None:
    base = frozen(bank, TODAY).model_copy(update={"own": None})
    entry = Entry(day=base.work_begins + timedelta(days=30), done=1.0, chip_hours=100.0)
    answer = actuals_answer(Tracked(workload=bank.profile.id, baseline=base, entries=(entry,)), bank)
    assert answer.standing.spend_usd == 100.0 * base.usd_per_chip_hour
    assert base.usd_per_day == base.cost_usd / base.work_days and answer.drift == FROZEN_BEFORE
    assert planned_usd(base, planned_end(base)) == pytest.approx(base.cost_usd, rel=1e-3)
