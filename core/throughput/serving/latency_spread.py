"""How far the latencies of a deployment may lie from those predicted."""

from __future__ import annotations

from functools import lru_cache

from core.ranges import Evidence
from core.throughput.types import Throughput
from core.throughput.uncertainty import SpreadKey, is_calibrated, shipped_factors
from core.workload.models.kind_of_model import AnyModel
from core.workload.models.transformer import TransformerModel

Factors = tuple[float, float]


def latency_factors(model: AnyModel, speed: Throughput) -> tuple[Factors, Factors]:
    """Low and high end over the likely time to first token, and over that per output token: 80 % ranges.

    From the classes of published rows that no fit had seen (``spread.json``). A network that answers in one go has the
    range of its speed in both.
    """
    if not isinstance(model, TransformerModel):
        return slowness(speed), slowness(speed)
    chip = speed.system.accelerator
    is_known = speed.evidence is not Evidence.ESTIMATE and is_calibrated("serving", chip.id)
    family = "tpu" if chip.kind == "tpu" else "moe" if model.is_moe else "dense"
    return _of_class(family, is_known, speed.system.n_chips, speed.layout.max_batch)


def slowness(speed: Throughput) -> Factors:
    """Low and high end of a time that follows the speed, over the likely one."""
    span = speed.tokens_per_s
    return span.likely / max(span.high, 1e-9), span.likely / max(span.low, 1e-9)


@lru_cache(maxsize=4096)
def _of_class(family: str, is_known: bool, n_chips: int, concurrency: int) -> tuple[Factors, Factors]:
    first, each_next = (
        shipped_factors(SpreadKey(kind, family, is_known, True, n_chips, float(concurrency)))
        for kind in ("ttft", "tpot")
    )
    return first, each_next
