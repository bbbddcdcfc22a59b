"""Which work in samples published runs speak for, and how wide the range of what they say is."""

from __future__ import annotations

from core.catalogue.entries import Accelerator
from core.throughput.uncertainty import SpreadKey, is_calibrated, shipped_factors

PIECE = "samples"
TPU_FAMILY = "tpu"
"""TPUs are judged on a line of their own, whatever the network."""
SEEN_ON_TPU = frozenset({("vision", True)})
"""Families of networks, and whether trained, of which three rows on TPUs at least are among those fitted; what XLA
makes of the others hardly anybody published (``tests/core/throughput/samples/test_seen.py`` counts the rows)."""


def is_seen(chip: Accelerator, family: str, trains: bool) -> bool:
    """True where rows of such work on such chips are behind the model; software for GPUs is one for all networks."""
    return chip.kind != "tpu" or (family, trains) in SEEN_ON_TPU


def spread_key(chip: Accelerator, family: str, trains: bool, n_chips: int, is_estimate: bool = False) -> SpreadKey:
    """The class that decides how wide a range is: of TPUs, for work not seen on them, the widest that speaks of it."""
    seen = is_seen(chip, family, trains)
    is_known = seen and not is_estimate and is_calibrated(PIECE, chip.id)
    if chip.kind != "tpu":
        return SpreadKey(PIECE, family, is_known, True, n_chips)
    classes = (TPU_FAMILY,) if seen else (TPU_FAMILY, family)
    return min((SpreadKey(PIECE, one, is_known, True, n_chips) for one in classes), key=shipped_factors)
