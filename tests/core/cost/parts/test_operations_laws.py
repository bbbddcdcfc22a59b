"""Hours of people: a base and a share a node, by the way it is run and who sells it, while it runs; setting up once."""

from collections.abc import Callable

import pytest

from core.constants import HOURS_PER_MONTH
from core.cost.bill.batch import CostBatch
from core.cost.parts.operations import operations
from core.cost.parts.setting_up import setting_up
from core.workload.jobs.kinds import BatchInference, OnlineServing, PreTraining
from core.workload.profile import Owning, Profile, Team

MakeBatch = Callable[..., CostBatch]
WEEK_USD = 4000.0
"""100 USD an hour."""


def _profile(months: float = 12.0, delivery: str = "managed", staff: float | None = None, **typed: float) -> Profile:
    return Profile(
        job=OnlineServing(months=months),
        team=Team(engineer_usd_per_week=WEEK_USD, delivery=delivery, **typed),
        owning=Owning(staff_h_per_month=staff),
    )


def _run(**typed: float) -> Profile:
    return Profile(job=PreTraining(), team=Team(engineer_usd_per_week=WEEK_USD, **typed))


@pytest.mark.parametrize(
    ("delivery", "base", "per_node"),
    [
        ("managed", (2, 4, 8), (0.1, 0.25, 0.5)),
        ("kubernetes", (4, 8, 16), (0.5, 1, 2)),
        ("bare_metal", (8, 16, 32), (1, 2, 4)),
    ],
)
def test_hours_are_a_base_and_a_share_a_node(
    make_batch: MakeBatch, delivery: str, base: tuple[float, ...], per_node: tuple[float, ...]
) -> None:
    """At 100 USD an hour for 12 months, on 8 and on 64 nodes of a large cloud."""
    for n_nodes in (8, 64):
        line = operations(make_batch(_profile(delivery=delivery), n_chips=(8.0 * n_nodes,)))
        hours = [one + n_nodes * more for one, more in zip(base, per_node, strict=True)]
        assert line.usd[0] == pytest.approx([100 * 12 * one for one in hours])
        assert line.estimates[0] is True
        assert dict(line.inputs_of(0))["Nodes"].value == n_nodes


def test_typed_hours_are_no_estimate(make_batch: MakeBatch) -> None:
    line = operations(make_batch(_profile(operations_h_per_month=5.0)))
    assert line.usd[0] == pytest.approx([6_000.0] * 3)
    assert (line.estimates[0], line.sources[0]) == (False, "hours and rate as entered")
    assert operations(make_batch(_profile(operations_h_per_month=0.0))).usd[0] == pytest.approx([0.0] * 3)


def test_staff_typed_for_own_servers_says_nothing_of_rented_ones(make_batch: MakeBatch) -> None:
    profile = _profile(staff=10.0, operations_h_per_month=5.0)
    assert operations(make_batch(profile)).usd[0, 1] == pytest.approx(6_000.0)
    assert operations(make_batch(profile, purchase_model="owned")).usd[0, 1] == pytest.approx(12_000.0)


@pytest.mark.parametrize("run_h", [28.0, 365.0])
def test_it_is_operated_while_it_runs_and_no_longer(make_batch: MakeBatch, run_h: float) -> None:
    """Neither a quarter of a month for 28 hours, nor anything for what is waited for."""
    batch = make_batch(_run(operations_h_per_month=10.0), run_h=(run_h,) * 3, waiting_days=15.0)
    assert operations(batch).usd[0, 1] == pytest.approx(10 * 100 * run_h / HOURS_PER_MONTH)


def _batches(each_month: float, **typed: float) -> Profile:
    return Profile(
        job=BatchInference(batches_per_month=each_month, window_h=72, months=12),
        team=Team(engineer_usd_per_week=WEEK_USD, delivery="managed", **typed),
    )


@pytest.mark.parametrize(
    ("each_month", "run_h", "months"),
    [
        (1, 6.5, 12 * 24 / HOURS_PER_MONTH),
        (1, 60.0, 12 * 60 / HOURS_PER_MONTH),
        (30, 5.0, 12 * 30 * 24 / HOURS_PER_MONTH),
        (60, 20.0, 12),
    ],
)
def test_batches_are_operated_on_the_days_on_which_one_runs(
    make_batch: MakeBatch, each_month: float, run_h: float, months: float
) -> None:
    """A base of 4 hours a month and a quarter of an hour for one node."""
    batch = make_batch(_batches(each_month), run_h=(run_h,) * 3, n_chips=(8.0,))
    assert operations(batch).usd[0, 1] == pytest.approx(100 * 4.25 * months)


def test_hours_typed_and_own_servers_count_for_all_months_of_batches(make_batch: MakeBatch) -> None:
    typed = make_batch(_batches(1, operations_h_per_month=5.0), run_h=(6.5,) * 3)
    assert operations(typed).usd[0, 1] == pytest.approx(6_000.0)
    own = make_batch(_batches(1), run_h=(6.5,) * 3, n_chips=(8.0,), purchase_model="owned")
    assert operations(own).inputs_of(0)[3][1].value == pytest.approx(12.0)


def test_setting_up_is_paid_once_by_size(make_batch: MakeBatch) -> None:
    """Two hours and half an hour a node; the same for a run of a day and for one of a year, and as typed."""
    for run_h in (24.0, 8760.0):
        line = setting_up(make_batch(_run(), n_chips=(64.0,), run_h=(run_h,) * 3))
        assert line.usd[0] == pytest.approx([300.0, 600.0, 1600.0])
    typed = setting_up(make_batch(_run(setting_up_h=3.0), n_chips=(64.0,)))
    assert typed.usd[0] == pytest.approx([300.0] * 3) and typed.estimates[0] is False


def test_a_marketplace_takes_more_of_people_than_a_large_cloud(make_batch: MakeBatch) -> None:
    large, market = (operations(make_batch(_run(), provider=one)).usd[0] for one in ("aws", "runpod"))
    assert (market >= large).all() and market[1] > 1.2 * large[1]
