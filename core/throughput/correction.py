"""Corrections of the engine's speed, chip by chip, as fitted from the user's own measurements."""

from __future__ import annotations

from dataclasses import dataclass, field

from core.ranges import Evidence


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


@dataclass(frozen=True)
class Corrections:
    """Factors by (accelerator id, work); no entry means the engine's own prediction stands.

    ``of_models`` are those of models that were measured themselves, or on a sibling, by (accelerator id, work,
    parameters of the model): they go before.
    """

    factors: dict[tuple[str, str], SpeedFactor]
    label: str = "none"
    of_models: dict[tuple[str, str, float], SpeedFactor] = field(default_factory=dict)

    def find(self, accelerator_id: str, work: str, n_params: float | None = None) -> SpeedFactor | None:
        """The factor for a chip, a kind of work and a model of so many parameters, if there is one."""
        own = None if n_params is None else self.of_models.get((accelerator_id, work, n_params))
        return own or self.factors.get((accelerator_id, work))


NO_CORRECTIONS = Corrections({})
