"""Hours of people, whoever they are: by the way it is run, as typed, for a week at least."""

from collections.abc import Callable

import pytest

from core.cost.bill.batch import CostBatch
from core.cost.parts.operations import operations
from core.workload.jobs.kinds import OnlineServing, PreTraining
from core.workload.profile import Owning, Profile, Team

MakeBatch = Callable[..., CostBatch]
WEEK_USD = 4000.0


def _profile(months: float = 12.0, typed: float | None = None, staff: float | None = None, delivery: str = "managed"):
    return Profile(
        job=OnlineServing(months=months),
        team=Team(engineer_usd_per_week=WEEK_USD, delivery=delivery, operations_h_per_month=typed),
        owning=Owning(staff_h_per_month=staff),
    )


@pytest.mark.parametrize(
    ("delivery", "hours"), [("managed", (8, 16, 32)), ("kubernetes", (20, 40, 80)), ("bare_metal", (40, 80, 160))]
)
def test_hours_are_usual_by_the_way_it_is_run(make_batch: MakeBatch, delivery: str, hours: tuple[int, ...]) -> None:
    """At 100 USD an hour for 12 months."""
    line = operations(make_batch(_profile(delivery=delivery)))
    assert line.usd[0] == pytest.approx([100 * 12 * one for one in hours])
    assert line.estimates[0] is True


def test_typed_hours_are_no_estimate(make_batch: MakeBatch) -> None:
    line = operations(make_batch(_profile(typed=5.0)))
    assert line.usd[0] == pytest.approx([6_000.0] * 3)
    assert (line.estimates[0], line.sources[0]) == (False, "hours and rate as entered")
    assert operations(make_batch(_profile(typed=0.0))).usd[0] == pytest.approx([0.0] * 3)


def test_staff_typed_for_own_servers_says_nothing_of_rented_ones(make_batch: MakeBatch) -> None:
    profile = _profile(staff=10.0, typed=5.0)
    assert operations(make_batch(profile)).usd[0, 1] == pytest.approx(6_000.0)
    assert operations(make_batch(profile, purchase_model="owned")).usd[0, 1] == pytest.approx(12_000.0)


@pytest.mark.parametrize(("run_h", "months"), [(10.0, 0.25), (182.5, 0.25), (365.0, 0.5)])
def test_a_short_run_pays_a_quarter_of_a_month_at_least(make_batch: MakeBatch, run_h: float, months: float) -> None:
    profile = Profile(job=PreTraining(), team=Team(engineer_usd_per_week=WEEK_USD, operations_h_per_month=10.0))
    assert operations(make_batch(profile, run_h=(run_h,) * 3)).usd[0, 1] == pytest.approx(10 * 100 * months)


def test_waiting_lengthens_it(make_batch: MakeBatch) -> None:
    """365 h of running and 365 / 24 days of waiting are a month."""
    profile = Profile(job=PreTraining(), team=Team(engineer_usd_per_week=WEEK_USD, operations_h_per_month=10.0))
    late = make_batch(profile, run_h=(365.0,) * 3, waiting_days=365 / 24)
    assert operations(late).usd[0, 1] == pytest.approx(1000.0)
