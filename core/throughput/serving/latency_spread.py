"""How far the latencies of a deployment may lie from those predicted."""

from __future__ import annotations

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
        span = speed.tokens_per_s
        factors = span.likely / max(span.high, 1e-9), span.likely / max(span.low, 1e-9)
        return factors, factors
    return shipped_factors(_key("ttft", model, speed)), shipped_factors(_key("tpot", model, speed))


def _key(kind: str, model: TransformerModel, speed: Throughput) -> SpreadKey:
    chip = speed.system.accelerator
    family = "tpu" if chip.kind == "tpu" else "moe" if model.is_moe else "dense"
    is_known = is_calibrated("serving", chip.id) and speed.evidence is not Evidence.ESTIMATE
    return SpreadKey(kind, family, is_known, True, speed.system.n_chips, float(speed.layout.max_batch))
