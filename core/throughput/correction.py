"""Corrections of what the engine takes of each chip, as fitted from the user's own measurements: speed and terms."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from core.ranges import Evidence
from core.throughput.measured import AS_TAKEN, Measured, Term


@dataclass(frozen=True, slots=True)
class SpeedFactor:
    """Measured over predicted tokens/s of one accelerator for one kind of work.

    ``work`` is "training" or "inference"; ``spread`` is the relative half width of the 80 % range that is left
    (0.07 means plus or minus 7 %); ``evidence`` is MEASURED_HERE for the chip itself, TRANSFERRED for a
    sibling and for another model than was measured.
    """

    accelerator_id: str
    work: str
    factor: float
    spread: float
    n_records: int
    evidence: Evidence
    pull: float = 0.0
    """Share of the way, in the logarithm, that few measurements were pulled back towards the prediction."""
    is_of_others: bool = False
    """Measured on other models alone: the range stays the prediction's own, and ``spread`` is that of those logs."""


@dataclass(frozen=True, slots=True)
class TermFactor:
    """Measured over taken of one term of a chip; what is not None narrows where it counts.

    ``n_params``: this model alone; ``network_gbit_per_s``: hosts with such a network; ``storage``: that kind of it.
    """

    term: Term
    accelerator_id: str
    factor: float
    spread: float
    n_records: int
    pull: float = 0.0
    n_params: float | None = None
    network_gbit_per_s: float | None = None
    storage: str | None = None

    @property
    def where(self) -> tuple[object, ...]:
        """What logs must share to be of one factor."""
        return self.term, self.accelerator_id, self.n_params, self.network_gbit_per_s, self.storage


@dataclass(frozen=True, slots=True)
class RunsOn:
    """What is asked about: a chip, a kind of work, a model's parameters, the hosts and their storage."""

    accelerator_id: str
    work: str
    n_params: float
    n_hosts: int
    network_gbit_per_s: float
    storage: str | None

    def is_of(self, factor: TermFactor) -> bool:
        """True where a factor counts here; a network only for clusters of several hosts."""
        of_network = factor.term != "network" or self.n_hosts > 1
        pairs = (
            (factor.accelerator_id, self.accelerator_id),
            (factor.n_params, self.n_params),
            (factor.network_gbit_per_s, self.network_gbit_per_s),
            (factor.storage, self.storage),
        )
        return of_network and all(asked is None or asked == here for asked, here in pairs)


_IN_SPEED = ("inner_link", "network", "storage")
"""Terms that a measured speed of the model holds already."""


@dataclass(frozen=True)
class Corrections:
    """Factors by (accelerator id, work); no entry means the engine's own prediction stands.

    ``of_models`` are those of models that were measured themselves, or on a sibling, by (accelerator id, work,
    parameters of the model): they go before. ``terms`` are all that logs measured beside speed.
    """

    factors: dict[tuple[str, str], SpeedFactor]
    label: str = "none"
    of_models: dict[tuple[str, str, float], SpeedFactor] = field(default_factory=dict)
    terms: tuple[TermFactor, ...] = ()

    def find(self, accelerator_id: str, work: str, n_params: float | None = None) -> SpeedFactor | None:
        """The factor for a chip, a kind of work and a model of so many parameters, if there is one."""
        own = None if n_params is None else self.of_models.get((accelerator_id, work, n_params))
        return own or self.factors.get((accelerator_id, work))

    def measured_of(self, here: RunsOn) -> Measured:
        """What logs measured of a system; links and storage stay as taken where the model's own speed is measured."""
        own = self.find(here.accelerator_id, here.work, here.n_params)
        is_in_speed = own is not None and own.evidence is Evidence.MEASURED_HERE and not own.is_of_others
        known = [one for one in self.terms if here.is_of(one) and not (is_in_speed and one.term in _IN_SPEED)]
        return _in_one(known) if known else AS_TAKEN


def _in_one(factors: Sequence[TermFactor]) -> Measured:
    spread = next((one.spread for one in factors if one.term == "power"), None)
    return Measured(**{one.term: one.factor for one in factors}, power_spread=spread)


NO_CORRECTIONS = Corrections({})
