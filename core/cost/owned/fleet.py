"""The candidates on owned hardware: servers, months held and terms side by side."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from core.catalogue.catalogue import Catalogue
from core.catalogue.entries import Accelerator, Server
from core.constants import HOURS_PER_MONTH
from core.cost.bill.batch import Array, CostBatch
from core.cost.bill.hours import set_up_h
from core.cost.owned.terms import OwnTerms, own_terms
from core.workload.profile import Profile


@dataclass(frozen=True)
class OwnedFleet:
    """Owned candidates of a batch, m of its n. ``servers`` and ``life_months`` have shape (m, 1), ``months`` (m, 3)."""

    rows: NDArray[np.intp]
    terms: tuple[OwnTerms, ...]
    term_of: NDArray[np.intp]
    servers: Array
    months: Array

    def span(self, name: str) -> Array:
        """A term of each candidate, low, likely, high, shape (m, 3)."""
        return np.array([getattr(one, name) for one in self.terms], dtype=np.float64).reshape(-1, 3)[self.term_of]

    def plain(self, name: str) -> Array:
        """A term without a span, shape (m, 1)."""
        return np.array([getattr(one, name) for one in self.terms], dtype=np.float64)[self.term_of].reshape(-1, 1)

    def all_rows(self, values: Array, n: int) -> Array:
        """Values of the owned candidates among all n, 0 elsewhere, shape (n, columns)."""
        all_values = np.zeros((n, values.shape[1]))
        all_values[self.rows] = values
        return all_values


def fleet_for(
    profile: Profile, catalogue: Catalogue, chip: Accelerator, server: Server, servers: int, months: Array
) -> OwnedFleet:
    """So many servers of one kind, held for other months than those of a bill, shape (k, 1) or (k, 3): what is counted
    of them has k rows."""
    terms = own_terms(profile, catalogue, chip, server)
    one = np.zeros(1, dtype=np.intp)
    return OwnedFleet(one, (terms,), one, np.array([[float(servers)]]), months)


def owned_fleet(batch: CostBatch) -> OwnedFleet:
    """The owned candidates of a batch; a run holds its servers from set-up to end, others for their months."""
    return _fleet(_Keyed(batch))


class _Keyed:
    """A batch as a cache key: the same object is the same key."""

    def __init__(self, batch: CostBatch) -> None:
        self.batch = batch

    def __hash__(self) -> int:
        return id(self.batch)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Keyed) and other.batch is self.batch


@lru_cache(maxsize=2)
def _fleet(keyed: _Keyed) -> OwnedFleet:
    batch = keyed.batch
    servers = batch.catalogue.server_by_instance
    rows = np.flatnonzero(batch.is_owned[:, 0])
    numbers: dict[str, int] = {}
    terms: list[OwnTerms] = []
    for row in rows:
        name = batch.offers[row].instance
        if name not in numbers:
            numbers[name] = len(terms)
            terms.append(own_terms(batch.profile, batch.catalogue, batch.accelerators[row], servers[name]))
    size = np.array([servers[batch.offers[row].instance].n_chips for row in rows], dtype=np.float64)
    return OwnedFleet(
        rows,
        tuple(terms),
        np.array([numbers[batch.offers[row].instance] for row in rows], dtype=np.intp),
        np.ceil(batch.n_chips[rows] / size).reshape(-1, 1) if len(rows) else np.zeros((0, 1)),
        _months_held(batch)[rows],
    )


def _months_held(batch: CostBatch) -> Array:
    """Months that servers are held for this plan, shape (n, 3).

    Between batches they wait for the next one: ``used + (months in service - used) x (1 - share taken over)``.
    """
    used, in_service = (batch.paid_h + set_up_h(batch)) / HOURS_PER_MONTH, batch.profile.job.months_in_service
    if in_service is None:
        return used
    free = np.maximum(in_service - used, 0.0)
    return np.asarray(used + free * (1.0 - batch.profile.places.commitment_reuse_pct / 100.0))
