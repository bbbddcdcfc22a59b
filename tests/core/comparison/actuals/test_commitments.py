"""Chips paid by the term: what is due by a day, which bills pay it, and where that leads, by hand and by the engine."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta

import pytest

from core.catalogue.catalogue import Catalogue
from core.catalogue.loading import load_catalogue
from core.comparison.actuals.actuals_json import actuals_json
from core.comparison.actuals.answer import actuals_answer
from core.comparison.actuals.baseline import TERM_BEFORE, frozen
from core.comparison.actuals.commitments import ahead_usd, commitment_of, due_usd, last_day, settled_usd
from core.comparison.actuals.standing import Standing, planned_end, planned_usd, standing
from core.comparison.actuals.words import figures, headline, notes, options_line
from core.comparison.evaluate import evaluate
from core.comparison.result import ResultSet
from core.comparison.together.due import dues, owed_until
from core.comparison.together.ways import picked
from core.workload.actuals import Baseline, Commitment, Entry, Tracked
from core.workload.library import load_profiles
from core.workload.profile import Profile
from tests.core.comparison.actuals.conftest import BEGINS

TODAY = date(2026, 12, 1)
OVER = date(2028, 1, 1)
"""The end of the first year."""


def _run(n_tokens: float, reuse_pct: float = 0.0, support: str = "none") -> Profile:
    run = load_profiles()["llama3-70b-pretraining"]
    places = {"purchase_models": ("commit_1y",), "commitment_reuse_pct": reuse_pct}
    limits = {"budget_usd": None, "deadline_days": 900.0, "exact_chips": 64}
    return run.model_copy(
        update={
            "places": run.places.model_copy(update=places),
            "job": run.job.model_copy(update={"n_tokens": n_tokens}),
            "limits": run.limits.model_copy(update=limits),
            "team": run.team.model_copy(update={"support_plan": support}),
        }
    )


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return load_catalogue()


@pytest.fixture(scope="module")
def run(catalogue: Catalogue) -> ResultSet:
    return evaluate(_run(1e11), catalogue)


def _of(base: Baseline, *entries: Entry) -> Standing:
    return standing(Tracked(workload="w", baseline=base, entries=entries))


def _bills(*usd: float | None, share: float = 1.0) -> Sequence[Entry]:
    """Entries each ten days, with such a share of the planned work."""
    days = [BEGINS + timedelta(days=10 * n) for n in range(1, len(usd) + 1)]
    return [Entry(day=day, done=1000.0 * share, spend_usd=one) for day, one in zip(days, usd, strict=True)]


def test_by_hand_terms_are_due_by_the_calendar_and_the_rest_by_days_of_work(committed: Baseline) -> None:
    days = (-1, 0, 10, 100, 200, 365, 500)
    planned = [planned_usd(committed, BEGINS + timedelta(days=day)) for day in days]
    assert planned == pytest.approx([0.0, 0.0, 3_000.0, 30_000.0, 50_000.0, 83_000.0, 83_000.0])
    assert committed.usd_per_day == 100.0 and last_day(committed, 1) == OVER
    assert due_usd(committed, BEGINS + timedelta(days=400)) == 80_000.0, "so on where the work goes on"


def test_by_hand_bills_of_months_are_payments_of_the_term(committed: Baseline) -> None:
    one = _of(committed, *_bills(3000.0, 3000.0, 3000.0))
    assert one.spend_usd == one.planned_usd == 9000.0
    assert one.running_usd_per_day.middle == pytest.approx(100.0)
    assert one.forecast.owed_usd == pytest.approx(73_000.0 - 6000.0) and one.owed_until == OVER
    assert one.forecast.cost.likely == pytest.approx(83_000.0)
    assert one.owed_after_usd == pytest.approx(265 * 200.0), "from day 100 to day 365"
    cheap = _of(committed, *_bills(2500.0, 2500.0, 2500.0))
    assert 50.0 < cheap.usd_per_day.middle < 100.0
    assert cheap.forecast.cost.likely == pytest.approx(7500.0 + 67_000.0 + 70 * cheap.usd_per_day.middle)


def test_by_hand_a_late_run_in_its_paid_year_pays_no_rent_for_its_days(committed: Baseline) -> None:
    sure = committed.model_copy(update={"rate_low": 99.9, "rate_high": 100.1})
    one = _of(sure, *_bills(*[None] * 6, share=0.5))
    days = 60 + one.forecast.days_left.middle
    assert 120.0 < days < 150.0 and one.spend_usd == one.planned_usd == 60 * 300.0
    assert one.forecast.cost.likely == pytest.approx(73_000.0 + 100.0 * days)


def test_by_hand_a_run_that_goes_on_past_its_term_begins_another_whole_one(committed: Baseline) -> None:
    far = committed.model_copy(update={"rate_low": 99.9, "rate_high": 100.1, "deadline": None})
    entries = [Entry(day=BEGINS + timedelta(days=60 * n), done=1400.0) for n in range(1, 7)]
    one = _of(far, *entries)
    days = 360 + one.forecast.days_left.middle
    assert 365.0 < days < 420.0 and one.owed_until == date(2029, 1, 1)
    assert one.forecast.cost.likely == pytest.approx(2 * 73_000.0 + 100.0 * days)
    assert "going on past 1 Jan 2028 begins another term" in str(notes(one, "")[1])


def test_by_hand_the_budget_is_kept_as_often_as_the_run_ends_within_its_term(committed: Baseline) -> None:
    """With a budget between one term and two, and little that runs by the day, the day of the end decides."""
    base = committed.model_copy(update={"budget_usd": 130_000.0})
    days = (BEGINS + timedelta(days=60 * n) for n in range(1, 6))
    one = _of(base, *[Entry(day=day, done=1625.0, spend_usd=18_000.0) for day in days])
    forecast, limit = one.forecast, 365.0 - 300.0
    in_term = forecast.days_left.chance_below(limit)
    assert 0.2 < in_term < 0.9
    assert forecast.chance_within(130_000.0) == pytest.approx(in_term, abs=1e-6)
    assert forecast.chance_within(1e6) == pytest.approx(1.0) and forecast.chance_within(1000.0) == pytest.approx(0.0)
    assert forecast.cost.high - forecast.cost.low > 73_000.0, "its 80 % hold one term and two"


@pytest.mark.parametrize(
    ("spend_usd", "ahead", "settled"),
    [
        (3_000.0, 0.0, 2_000.0),  # rent of ten days and what runs
        (1_700.0, 0.0, 2_000.0),  # most of the rent: it is cheaper
        (1_500.0, 0.0, 500.0),  # less than 80 %: what runs comes first, the rest is counted towards the rent
        (1_000.0, 0.0, 0.0),  # a bill without rent
        (9_000.0, 0.0, 2_000.0),  # a dear month: 6 000 more is less than a tenth of the year
        (12_000.0, 9_000.0, 11_000.0),  # a deposit
        (74_000.0, 71_000.0, 73_000.0),  # the year paid at once
        (64_000.0, 61_000.0, 73_000.0),  # and at a discount
    ],
)
def test_by_hand_what_a_bill_of_ten_days_settles(
    committed: Baseline, spend_usd: float, ahead: float, settled: float
) -> None:
    bill = (committed, spend_usd, BEGINS + timedelta(days=10), 10.0, 0.0)
    assert (ahead_usd(*bill), settled_usd(*bill)) == pytest.approx((ahead, settled))


def test_by_hand_a_year_paid_at_once_is_not_owed_again_and_says_nothing_of_a_day(committed: Baseline) -> None:
    one = _of(committed, *_bills(74_000.0, 1000.0, 1000.0))
    assert one.forecast.owed_usd == 0.0 and one.running_usd_per_day.middle == pytest.approx(100.0)
    assert one.forecast.cost.likely == pytest.approx(83_000.0)
    assert "owed to 1 Jan 2028, whatever the work does: all of it is paid." in str(notes(one, "")[1])
    cheaper = _of(committed, *_bills(64_000.0, 1000.0, 1000.0))
    assert cheaper.forecast.cost.likely == pytest.approx(73_000.0)
    open_days = _of(committed, *_bills(74_000.0, None))
    assert open_days.spend_usd == pytest.approx(75_000.0), "no rent falls due in days that are paid ahead"


def test_by_hand_bills_without_rent_leave_it_owed(committed: Baseline) -> None:
    one = _of(committed, *_bills(1000.0, 1000.0))
    assert one.spend_usd == 2000.0 and one.forecast.owed_usd == 73_000.0
    assert one.forecast.cost.likely == pytest.approx(83_000.0)


def test_before_any_entry_the_forecast_and_its_range_are_about_the_plan(committed: Baseline) -> None:
    cost = _of(committed).forecast.cost
    assert cost.likely == pytest.approx(83_000.0)
    assert cost.high / cost.low == pytest.approx(committed.cost_high_usd / committed.cost_low_usd, rel=0.05)


def test_hours_of_chips_paid_by_the_term_are_no_money(committed: Baseline) -> None:
    hours = [Entry(day=BEGINS + timedelta(days=10 * n), done=1000.0, chip_hours=100.0) for n in (1, 2)]
    one = _of(committed, *hours)
    assert one.spend_usd == one.planned_usd == 6000.0 and not one.is_spend_known
    assert one.forecast.cost.likely == pytest.approx(83_000.0)
    assert "Hours of chips that are paid by the term are no money" in " ".join(map(str, notes(one, "")))
    billed = _of(committed, *_bills(3000.0), hours[1])
    assert "since the last spend" in " ".join(map(str, notes(billed, ""))) and billed.spend_usd == 6000.0


def test_screen_paper_and_json_say_until_when_and_how_much_is_owed(committed: Baseline, run: ResultSet) -> None:
    tracked = Tracked(workload="w", baseline=committed, entries=tuple(_bills(3000.0)))
    answer = actuals_answer(tracked, run)
    (told,) = actuals_json([answer])
    assert told["commitment"] == {
        "term_months": 12, "planned_until": "2028-01-01", "begun_until": "2028-01-01", "owed_until": "2028-01-01",
        "term_usd": 73_000.0, "planned_usd": 73_000.0, "still_owed_usd": 71_000.0, "owed_after_work_usd": 53_000.0,
        "spend_as_planned": False,
    }  # fmt: skip
    assert told["planned_usd"] == told["spend_usd"] == 3000.0
    (row,) = [row for row in figures(answer.standing) if row.title == "Of it rent after the work"]
    assert (str(row.now), str(row.planned)) == ("$53\u202fk", "$53\u202fk"), "265 days at $200"
    line = "The chips are owed to 1 Jan 2028, whatever the work does: $71\u202fk of rent is still to be paid."
    assert line in list(map(str, notes(answer.standing, "")))


@pytest.mark.parametrize(("reuse_pct", "support"), [(0.0, "none"), (40.0, "none"), (0.0, "business")])
def test_terms_and_what_runs_by_the_day_are_the_bill(catalogue: Catalogue, reuse_pct: float, support: str) -> None:
    results = evaluate(_run(1e11, reuse_pct, support), catalogue)
    pick, base = results.choice, frozen(results, TODAY)
    assert pick is not None and base.commitment is not None
    rent, year_h = base.n_chips * base.usd_per_chip_hour, 8760.0
    helped = 1.0 + pick.cost.part("support") / sum(
        pick.cost.part(part) for part in ("compute", "idle", "commitment_waste")
    )
    assert base.commitment.n_terms == 1 and base.commitment.months == 12
    assert base.commitment.term_usd == pytest.approx(rent * year_h * (1 - reuse_pct / 100) * helped, rel=1e-4)
    assert base.committed_usd + base.running_usd + base.upfront_usd == pytest.approx(base.cost_usd)
    assert _of(base).forecast.cost.likely == pytest.approx(base.cost_usd)


def test_other_work_that_takes_all_over_leaves_chips_paid_by_the_day(catalogue: Catalogue) -> None:
    results = evaluate(_run(1e11, 100.0), catalogue)
    assert results.choice is not None and commitment_of(results.profile, results.choice) is None


def test_the_planned_payments_are_those_of_the_plan_s_cash(run: ResultSet) -> None:
    assert run.choice is not None
    base, one = frozen(run, TODAY), picked(run.profile, run.choice)
    assert last_day(base, 1) == owed_until(one)
    once = sum(run.choice.cost.part(part) for part in ("setting_up", "egress", "waiting"))
    for days in (0, 5, 40, 200, 360):
        day, paid = base.work_begins + timedelta(days=days), 0.0
        for due in dues((one,), 0.0, 0.0):
            length = (due.ends - due.begins).days
            share = min(max((day - due.begins).days / length, 0.0), 1.0) if length else float(due.begins <= day)
            paid += due.usd * share
        assert planned_usd(base, day) == pytest.approx(paid, rel=0.01, abs=1.1 * once)


@pytest.mark.parametrize(("longer", "reuse_pct"), [(2.0, 0.0), (2.0, 40.0), (30.0, 0.0)])
def test_a_slow_run_is_forecast_as_the_engine_bills_one_that_is_as_long(
    catalogue: Catalogue, longer: float, reuse_pct: float
) -> None:
    results = evaluate(_run(1e11, reuse_pct), catalogue)
    base = frozen(results, TODAY).model_copy(update={"deadline": None})
    elapsed = int(0.9 * longer * base.work_days)
    entry = Entry(day=base.work_begins + timedelta(days=elapsed), done=0.9 * base.amount)
    one = _of(base.model_copy(update={"rate_low": base.rate / 9, "rate_high": base.rate * 9}), entry)
    days = elapsed + one.forecast.days_left.middle
    bill = evaluate(_run(1e11 * days / base.work_days, reuse_pct), catalogue).by_id[base.candidate].cost.total.likely
    assert one.forecast.cost.likely == pytest.approx(bill, rel=0.02)
    assert (one.forecast.cost.likely > 1.9 * base.cost_usd) == (days > 365.0) == (longer > 10)


def test_a_service_owes_the_terms_of_its_plan_and_no_more_for_a_leap_day(catalogue: Catalogue) -> None:
    profile = load_profiles()["chat-serving-70b"]
    places = profile.places.model_copy(update={"purchase_models": ("commit_3y",)})
    for months, n_terms in ((20.0, 1), (36.0, 1)):
        job = profile.job.model_copy(update={"months": months})
        results = evaluate(profile.model_copy(update={"places": places, "job": job}), catalogue)
        base = frozen(results, TODAY)
        held = base.commitment
        assert held is not None and (held.months, held.n_terms) == (36, n_terms)
        month = 30 * (base.usd_per_day + held.term_usd / 1096)
        entries = [
            Entry(day=base.work_begins + timedelta(days=30 * n), done=30 * base.rate, spend_usd=month)
            for n in range(1, 10)
        ]
        one = _of(base, *entries)
        assert one.spend_usd == pytest.approx(one.planned_usd, rel=1e-3)
        assert one.forecast.cost.likely == pytest.approx(base.cost_usd, rel=1e-3)
        assert not [row for row in figures(one) if row.tone] and "under budget" in str(headline(one))
        assert str(options_line(one, ())).startswith("Nothing to do")


def test_by_hand_of_more_terms_only_the_one_that_has_begun_is_owed_in_any_case(committed: Baseline) -> None:
    """Four months at $6 k on chips that are paid by the month, and $100 a day for all else."""
    months = Commitment(months=1, term_usd=6_000.0, n_terms=4)
    base = committed.model_copy(
        update={"commitment": months, "cost_usd": 34_000.0, "rate_low": 99.9, "rate_high": 100.1}
    )
    one = _of(base, *_bills(3000.0, 3000.0, 3000.0, 3000.0))
    assert one.begun_until == date(2027, 3, 1) and one.owed_until == date(2027, 5, 1)
    assert one.forecast.cost.likely == pytest.approx(34_000.0, rel=1e-3)
    told = str(notes(one, "")[1])
    assert told.startswith(
        "The work takes terms of the chips to 1 May 2027, and the one that has begun is owed to 1 Mar"
    )
    stopped = _of(base, *_bills(3000.0, 3000.0, 3000.0), Entry(day=BEGINS + timedelta(days=40), done=7000.0))
    assert stopped.left == 0.0 and stopped.owed_until == last_day(base, 2), (
        "no month is paid that the work does not touch"
    )
    assert stopped.forecast.cost.likely == pytest.approx(2 * 6000.0 + 40 * 100.0, rel=0.02)


def test_a_plan_frozen_before_terms_were_kept_means_what_it_meant_and_says_so(run: ResultSet) -> None:
    base = frozen(run, TODAY).model_copy(update={"commitment": None})
    entry = Entry(day=base.work_begins + timedelta(days=2), done=1.0, chip_hours=100.0)
    answer = actuals_answer(Tracked(workload=run.profile.id, baseline=base, entries=(entry,)), run)
    assert answer.standing.spend_usd == pytest.approx(base.upfront_usd + 100.0 * base.usd_per_chip_hour)
    assert base.usd_per_day == (base.cost_usd - base.upfront_usd) / base.work_days and answer.drift == TERM_BEFORE
    assert planned_usd(base, planned_end(base)) == pytest.approx(base.cost_usd, rel=1e-2)
    assert "commitment" not in actuals_json([answer])[0] and answer.standing.owed_until is None
