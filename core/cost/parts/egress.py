"""Egress: the data set moved to the chips once, and what leaves the provider each month."""

from __future__ import annotations

import numpy as np

from core.catalogue.cost_inputs import cost_input
from core.catalogue.entries import Offer
from core.cost.bill.batch import Array, CostBatch
from core.cost.bill.component import Colour, Component
from core.cost.bill.figures import Figures, figures
from core.cost.bill.given import Given
from core.cost.bill.line import Line, constant, likely
from core.cost.bill.tiers import EGRESS, tiers
from core.lazy_sequence import LazySequence


def egress(batch: CostBatch) -> Line:
    """``data set GB x price of moving it once + price of a month's GB, by steps, x months``, USD, shape (n, 3).

    Nothing is moved when the data already lies there or its place is not stated. Out of another provider it leaves
    over the internet; between regions of one provider that has a price of its own. Providers with steps ask less for
    each GB above them; owned hardware pays for none.
    """
    places, dataset_gb = batch.profile.places, float(batch.profile.job.dataset_gb)
    once, month = _moving_usd_per_gb(batch, dataset_gb), _leaving(batch)
    usd = dataset_gb * once + month.values * batch.months
    return Line(
        usd=usd,
        formula="GB moved once × price there + GB a month × price here, by steps × months",
        inputs=(
            ("Moved once", "GB", np.where(likely(once) > 0, dataset_gb, 0.0)),
            ("Price of moving", "USD/GB", likely(once)),
            ("Leaves each month", "GB", constant(batch, places.egress_gb_per_month)),
            ("Price here", "USD/GB", likely(month.values) / max(places.egress_gb_per_month, 1e-9)),
            ("Months", "", likely(batch.months)),
        ),
        kinds=(Given.GB_MOVED_ONCE, Given.MOVING_PRICE, Given.GB_LEAVING_A_MONTH, Given.LEAVING_PRICE, Given.MONTHS),
        sources=LazySequence(
            batch.n, lambda row: f"prices of leaving {_home(batch) or 'nowhere'} and {month.sources[row]}"
        ),
        estimates=LazySequence(batch.n, lambda row: _is_estimate(batch, row, bool(month.estimates[row]))),
    )


def _home(batch: CostBatch) -> str:
    return batch.profile.places.data_provider.strip().casefold()


def _leaving(batch: CostBatch) -> Figures:
    """USD a month for what leaves each offer's provider, shape (n, 3)."""
    gb = batch.profile.places.egress_gb_per_month
    flat = batch.by_provider("egress_internet")
    values = gb * flat.values
    offers, offer_of = batch.offers_once
    for provider, steps in tiers(EGRESS).items():
        mine = np.array([offer.provider == provider for offer in offers], dtype=bool)[offer_of]
        values[mine] = float(steps.usd(np.array(gb)))
    marks = LazySequence(batch.n, lambda row: _leaves_by_estimate(batch, batch.offers[row].provider, gb))
    return Figures(np.where(batch.is_owned, 0.0, values), flat.sources, marks)


def _leaves_by_estimate(batch: CostBatch, provider: str, gb: float) -> bool:
    """True where some of a month's GB leave a provider at a price that is an estimate."""
    steps = tiers(EGRESS).get(provider)
    if steps is None:
        return gb > 0 and cost_input(batch.catalogue, "egress_internet", provider).estimate
    return any(steps.estimates[: sum(start < gb for start in steps.starts)])


def _is_estimate(batch: CostBatch, row: int, leaves_by_estimate: bool) -> bool:
    """True where the price of a month's GB, or of moving the data set there, is an estimate."""
    home, offer = _home(batch), batch.offers[row]
    if not home or leaves_by_estimate:
        return leaves_by_estimate
    if offer.provider.casefold() != home:
        return _leaves_by_estimate(batch, home, float(batch.profile.job.dataset_gb))
    is_moved = bool(batch.profile.places.data_region.strip()) and _is_other_region(batch, offer, home)
    return is_moved and cost_input(batch.catalogue, "egress_inter_region", home).estimate


def _moving_usd_per_gb(batch: CostBatch, dataset_gb: float) -> Array:
    """USD for each GB of the data set that is moved to a candidate, shape (n, 3); 0 where it lies already."""
    home = _home(batch)
    if not home:
        return np.zeros((batch.n, 3))
    elsewhere = batch.per_offer(lambda offer: offer.provider.casefold() != home)
    moved = elsewhere * _away(batch, home, dataset_gb)
    if not batch.profile.places.data_region.strip():
        return moved
    across = _price(batch, "egress_inter_region", home)
    return moved + batch.per_offer(lambda offer: _is_other_region(batch, offer, home)) * across


def _away(batch: CostBatch, home: str, gb: float) -> Array:
    """Mean price of a GB that leaves the provider of the data, all in one month, shape (3,)."""
    steps = tiers(EGRESS).get(home)
    return _price(batch, "egress_internet", home) if steps is None else np.full(3, float(steps.rate(np.array(gb))))


def _price(batch: CostBatch, name: str, provider: str) -> Array:
    return np.asarray(figures([cost_input(batch.catalogue, name, provider)]).values[0])


def _is_other_region(batch: CostBatch, offer: Offer, home: str) -> bool:
    """True as well for an offer that does not say where it runs: moving may cost."""
    return offer.provider.casefold() == home and offer.region != batch.profile.places.data_region.strip()


COMPONENT = Component(
    part="egress",
    title="Egress",
    order=90,
    colour=Colour(light="#8E6BBF", dark="#A98AD6"),
    count=egress,
    follows_use="always",
)
