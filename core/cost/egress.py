"""Egress: the data set moved to the chips once, and what leaves the provider each month."""

from __future__ import annotations

from core.catalogue.tco import cost_input
from core.cost.batch import Array, CostBatch, figures
from core.cost.line import Component, Line, constant, likely
from core.made import Made


def egress(batch: CostBatch) -> Line:
    """``data set GB x price at its provider + GB a month x price at the offer's provider x months``, USD, shape (n, 3).

    Nothing is moved when the data already lies with the provider or the place of the data is not stated.
    """
    places = batch.profile.places
    out = batch.by_scope("egress_internet", lambda offer: offer.provider)
    seller = places.data_provider.strip().casefold() or "any"
    away = figures({seller: cost_input(batch.catalogue, "egress_internet", seller)}, [seller])
    moved_gb = _moves(batch) * float(batch.profile.job.dataset_gb)
    usd = moved_gb * away.values + places.egress_gb_per_month * out.values * batch.months
    return Line(
        usd=usd,
        formula="GB moved once × price there + GB a month × price here × months",
        inputs=(
            ("Moved once", "GB", moved_gb[:, 0]),
            ("Price where the data lies", "USD/GB", constant(batch, float(away.values[0, 1]))),
            ("Leaves each month", "GB", constant(batch, places.egress_gb_per_month)),
            ("Price here", "USD/GB", likely(out.values)),
            ("Months", "", likely(batch.months)),
        ),
        sources=Made(batch.n, lambda row: f"{away.sources[0]}, {out.sources[row]}"),
        estimates=Made(batch.n, lambda row: away.estimates[0] or out.estimates[row]),
    )


def _moves(batch: CostBatch) -> Array:
    """1 where the data set must be moved to the offer's provider, else 0, shape (n, 1)."""
    home = batch.profile.places.data_provider.strip().casefold()
    return batch.per_offer(lambda offer: bool(home) and offer.provider.casefold() != home)


COMPONENT = Component("egress", egress)
