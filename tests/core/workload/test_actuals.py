"""Actuals in the document: saved, told in a comparison of plans, and old files that know none."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from core.plan.difference import differences
from core.plan.fields import fields
from core.plan.plan import Plan
from core.plan.sample_plan import sample_plan
from core.plan.schema import plan_of, rows_of
from core.plan.store import load, save
from core.plan.workloads import remove_workload
from core.report.plan_hash import plan_hash
from core.workload.actuals import Baseline, Commitment, Entry, OwnHardware, Tracked, with_tracked


@pytest.fixture(scope="module")
def followed() -> Plan:
    base = Baseline(
        frozen_on=date(2026, 12, 1), candidate="x", name="8 × H100", place="Lambda", n_chips=8, usd_per_chip_hour=5.0,
        amount=100.0, work_begins=date(2027, 1, 1), work_days=10.0, rate_low=9.0, rate_high=11.0, cost_usd=10.0,
        cost_low_usd=9.0, cost_high_usd=12.0,
    )  # fmt: skip
    plan = sample_plan()
    entry = Entry(day=date(2027, 1, 3), done=20.0, spend_usd=2.0)
    one = Tracked(workload=plan.profiles[0].id, baseline=base, entries=(entry,))
    return plan.model_copy(update={"actuals": (one,)})


def test_actuals_are_saved_and_read(followed: Plan, tmp_path: Path) -> None:
    save(followed, tmp_path / "a.roofplan")
    assert load(tmp_path / "a.roofplan").actuals == followed.actuals


def test_own_hardware_is_kept_and_a_file_from_before_it_loads_as_it_was(followed: Plan, tmp_path: Path) -> None:
    own = OwnHardware(price_usd=5.0, installing_usd=1.0, worth_usd=2.0)
    bought = _with(followed, own=own)
    save(bought, tmp_path / "own.roofplan")
    assert load(tmp_path / "own.roofplan").actuals[0].baseline.own == own
    (rented,) = [row for row in rows_of(followed)["meta"] if row["name"] == "actuals"]
    assert '"own"' not in rented["document"], "as files of before: their fingerprint stays"
    old = plan_of(rows_of(followed), "old.roofplan").actuals[0].baseline
    assert old.own is None and old.usd_per_day == old.cost_usd / old.work_days
    assert {info.path for info in fields(bought)} - {info.path for info in fields(followed)} == {
        f"actuals.0.baseline.own.{name}" for name in ("price_usd", "installing_usd", "worth_usd", "capital_usd")
    }
    assert (bought.actuals[0].baseline.running_usd, bought.actuals[0].baseline.wear_usd_per_day) == (6.0, 0.3)


def test_terms_are_kept_and_a_file_from_before_them_loads_as_it_was(followed: Plan, tmp_path: Path) -> None:
    year = Commitment(months=12, term_usd=3.0, n_terms=2)
    paid = _with(followed, commitment=year)
    save(paid, tmp_path / "year.roofplan")
    base = load(tmp_path / "year.roofplan").actuals[0].baseline
    assert base.commitment == year and (base.committed_usd, base.running_usd, base.usd_per_day) == (6.0, 4.0, 0.4)
    (by_use,) = [row for row in rows_of(followed)["meta"] if row["name"] == "actuals"]
    assert '"commitment"' not in by_use["document"], "as files of before: their fingerprint stays"
    old = plan_of(rows_of(followed), "old.roofplan").actuals[0].baseline
    assert old.commitment is None and old.bills_hours and not base.bills_hours
    assert {info.path for info in fields(paid)} - {info.path for info in fields(followed)} == {
        f"actuals.0.baseline.commitment.{name}" for name in ("months", "term_usd", "n_terms")
    }


def test_a_file_without_actuals_loads_and_keeps_its_hash(followed: Plan) -> None:
    plan = sample_plan()
    rows = rows_of(plan)
    rows["meta"] = [row for row in rows["meta"] if row["name"] != "actuals"]
    old = plan_of(rows, "old.roofplan")
    assert old.actuals == () and plan_hash(old) == plan_hash(plan) != plan_hash(followed)


def test_they_go_with_their_workload_and_are_told(followed: Plan) -> None:
    assert remove_workload(followed, 0).actuals == ()
    told = differences(sample_plan(), followed)
    assert [one.after for one in told] == ["1 entry against the plan of 2026-12-01"]


def _told(before: Plan, after: Plan) -> list[tuple[str, str, str]]:
    return [(one.title, one.before, one.after) for one in differences(before, after)]


def _with(plan: Plan, *entries: Entry, **baseline: object) -> Plan:
    one = plan.actuals[0]
    base = one.baseline.model_copy(update=baseline)
    return plan.model_copy(update={"actuals": (one.model_copy(update={"entries": entries, "baseline": base}),)})


def test_differences_name_the_days_whose_entries_differ_and_the_plan_that_was_frozen(followed: Plan) -> None:
    first = followed.actuals[0].entries[0]
    name = f"Actuals of {followed.profiles[0].name}"
    more = first.model_copy(update={"done": 25.0})
    log = Entry(day=date(2027, 1, 5), steps=3.0, chip_hours=8.0, source="log", file_name="a.log")
    assert _told(followed, _with(followed, more, log)) == [
        (f"{name}, 2027-01-03", "20 tokens, spent $2.00", "25 tokens, spent $2.00"),
        (f"{name}, 2027-01-05", "\u2013", "3 steps, 8 chip hours, from a.log"),
    ]
    assert _told(followed, _with(followed, first, cost_usd=11.0)) == [
        (f"{name}, frozen plan", "8 × H100, Lambda, $10.00, of 2026-12-01", "8 × H100, Lambda, $11.00, of 2026-12-01")
    ]
    many = [Entry(day=date(2027, 1, n), done=1.0) for n in range(1, 20)]
    assert _told(followed, _with(followed, *many)) == [
        (f"{name}, 19 days of them different", "1 entry against the plan of 2026-12-01",
         "19 entries against the plan of 2026-12-01"),
    ]  # fmt: skip


def test_tracking_anew_takes_the_place_of_before(followed: Plan) -> None:
    one = followed.actuals[0].model_copy(update={"entries": ()})
    assert with_tracked(followed.actuals, one) == (one,)
    other = one.model_copy(update={"workload": "other"})
    assert with_tracked((one,), other) == (one, other)
