"""The candidates of a bill as arrays: how sure their prices are, what they are held for, inputs by their words."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from core.catalogue.catalogue import Catalogue
from core.catalogue.loading import load_catalogue
from core.cost.bill.batch import CostBatch
from core.cost.total import bills
from core.workload.jobs.kinds import BatchInference, OnlineServing, PreTraining
from core.workload.profile import Profile, Team

MakeBatch = Callable[..., CostBatch]
RUN = Profile(job=PreTraining())


def _priced(batch: CostBatch, *offers: dict[str, object]) -> CostBatch:
    """The batch with its offers changed one by one."""
    changed = tuple(one.model_copy(update=update) for one, update in zip(batch.offers, offers, strict=True))
    return replace(batch, offers=changed)


@pytest.mark.parametrize(
    ("quality", "as_of", "span"),
    [
        ("ok", "2026-11-01", (1.0, 1.0, 1.0)),
        ("ok", "undated", (1.0, 1.0, 1.0)),
        ("old", "2025-01-01", (0.55, 1.0, 1.35)),
        ("spot moves", "undated", (0.58, 1.0, 1.42)),
        ("average", "2026-11-01", (0.5, 1.0, 1.0)),
        ("suspect", "2026-11-01", (0.7, 1.0, 2.0)),
        ("a word of one's own", "undated", (1.0, 1.0, 1.0)),
    ],
)
def test_how_far_off_a_price_may_be(
    make_batch: MakeBatch, quality: str, as_of: str, span: tuple[float, float, float]
) -> None:
    """By its quality alone, where nothing tells how prices drift."""
    batch = _priced(make_batch(RUN), {"quality": quality, "as_of": as_of})
    assert batch.price_factor[0] == pytest.approx(span)


def test_rent_is_billed_at_the_price_of_today(make_batch: MakeBatch) -> None:
    """H100 of a specialised cloud: 2.99 in December 2025, 3.85 in September 2026; one's own price stays."""
    shipped = load_catalogue()
    batch = make_batch(RUN, n_chips=(8.0, 8.0, 8.0))
    batch = replace(batch, catalogue=replace(shipped, cost_inputs=batch.catalogue.cost_inputs))
    old = {"provider": "lambda", "accelerator_id": "h100-sxm", "as_of": "2025-12-15", "quality": "ok"}
    batch = _priced(batch, old, {**old, "layer": "plan"}, {**old, "as_of": "2025"})
    assert batch.usd_per_chip_hour[:, 0] == pytest.approx([2.0 * 3.85 / 2.99, 2.0, 2.0])
    assert batch.price_factor[1].tolist() == [1.0, 1.0, 1.0]
    below, _, above = batch.price_factor[2]
    assert below < 0.8 and above > 1.4
    assert [source.endswith("brought to today") for source in batch.price_sources] == [True, False, False]


def test_a_list_without_a_date_may_be_as_old_as_the_oldest(make_batch: MakeBatch) -> None:
    """Since 1 January 2024: exp(0.1594 x sqrt(2.89 years)) = 1.311."""
    shipped = load_catalogue()
    batch = _priced(make_batch(RUN), {"as_of": "undated v8", "quality": "ok", "accelerator_id": "trn2"})
    batch = replace(batch, catalogue=replace(shipped, cost_inputs=batch.catalogue.cost_inputs))
    assert batch.price_factor[0] == pytest.approx([1 / 1.311, 1.0, 1.311], rel=1e-3)


def test_each_candidate_has_the_doubt_of_its_own_offer(make_batch: MakeBatch) -> None:
    batch = make_batch(RUN, n_chips=(8.0, 8.0, 16.0))
    batch = _priced(batch, {"quality": "ok"}, {"quality": "suspect"}, {"quality": "ok"})
    assert batch.price_factor[:, 2].tolist() == [1.0, 2.0, 1.0]
    assert batch.price_factor[:, 0].tolist() == [1.0, 0.7, 1.0]


def test_a_doubtful_price_widens_the_total_by_what_the_rent_may_change(make_batch: MakeBatch) -> None:
    """Only hours of chips: 64 x 100 h and 2 h of starting at 2 USD = 13,056 USD, 0.7 to 2 times as much."""
    profile = Profile(job=PreTraining(), team=Team(operations_h_per_month=0.0))
    sure = make_batch(profile, run_h=(100.0,) * 3)
    doubtful = _priced(sure, {"quality": "suspect"})
    (one,), (other,) = bills(sure).costs, bills(doubtful).costs
    assert other.total.likely == one.total.likely
    rent = one.part("compute") + one.part("idle")
    assert rent == pytest.approx(13_056.0)
    below, above = one.total.likely - one.total.low, one.total.high - one.total.likely
    assert other.total.high - other.total.likely == pytest.approx(np.hypot(above, rent), rel=1e-6)
    assert other.total.likely - other.total.low == pytest.approx(np.hypot(below, 0.3 * rent), rel=1e-6)


def test_months_are_those_of_the_plan(make_batch: MakeBatch) -> None:
    """Service and batches as planned; a run of 365 h after 365 / 24 days of waiting takes one month."""
    for job in (OnlineServing(months=9.0), BatchInference(months=9.0)):
        assert make_batch(Profile(job=job)).months.tolist() == [[9.0] * 3]
    late = make_batch(RUN, run_h=(365.0,) * 3, waiting_days=365 / 24)
    assert late.months[0] == pytest.approx([1.0] * 3)


def test_chips_may_have_a_span_of_their_own(make_batch: MakeBatch) -> None:
    batch = make_batch(RUN, n_chips=(8.0, 16.0))
    assert batch.chips.tolist() == [[8.0], [16.0]]
    wide = replace(batch, chips_factor=np.array([[0.5, 1.0, 2.0]] * 2))
    assert wide.chips.tolist() == [[4.0, 8.0, 16.0], [8.0, 16.0, 32.0]]


def test_an_engineer_s_hour_is_a_fortieth_of_the_week(make_batch: MakeBatch) -> None:
    assert make_batch(Profile(team=Team(engineer_usd_per_week=6000.0))).engineer_usd_per_hour == 150.0


def test_only_hardware_with_a_priced_server_is_owned(make_batch: MakeBatch) -> None:
    """Its hours cost nothing; the same without a server is rented at its price."""
    batch = make_batch(RUN, n_chips=(8.0, 8.0, 8.0), purchase_model="owned")
    batch = _priced(batch, {}, {"instance": "typed"}, {"purchase_model": "on_demand"})
    assert batch.is_owned[:, 0].tolist() == [True, False, False]
    assert batch.usd_per_chip_hour[:, 0].tolist() == [0.0, 2.0, 2.0]


def test_where_a_price_comes_from(make_batch: MakeBatch) -> None:
    batch = _priced(make_batch(RUN, n_chips=(8.0, 8.0)), {}, {"source": "list", "as_of": "2026-10", "estimate": True})
    assert list(batch.price_sources) == ["T, 2026-11", "list, 2026-10"]
    assert list(batch.price_estimates) == [False, True]


def test_inputs_are_asked_by_the_words_of_each_offer(make_batch: MakeBatch, priced: Catalogue) -> None:
    """AWS has a row of its own, others take that of any."""
    batch = _priced(make_batch(RUN, n_chips=(8.0, 8.0)), {"provider": "aws"}, {"provider": "lambda"})
    out = batch.by_provider("egress_internet")
    assert out.values.tolist() == [[0.08, 0.1, 0.12], [0.0, 0.05, 0.1]]
