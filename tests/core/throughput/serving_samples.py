"""One H100 serving row by hand-chosen figures, so that results of the equations can be worked out on paper."""

from dataclasses import fields, replace

import numpy as np

from core.throughput.chips.fleet import Fleet
from core.throughput.serving.quantities import Arrangement, Chips, Rates, Requests

NO_RATES = {field.name: np.asarray(0.0) for field in fields(Rates)}
ONES = (
    "hbm_share", "prefill_share", "attention_share", "moe_prefill_share", "decode_link_share", "prefill_link_share",
    "imbalance", "interference", "batch_interference", "expert_read_share", "expert_decode_share",
    "attention_decode_share",
)  # fmt: skip
EVEN = Rates(**NO_RATES | {name: np.asarray(1.0) for name in ONES} | {"chunk_tokens": np.asarray(8192.0)})
"""Everything at its data sheet, no overheads: what is left is bytes and FLOPs."""


def chips(**figures: float) -> Chips:
    """1 TB/s, 1 PFLOP/s, 100 GB, links of 100 GB/s, eight to a domain; figures of the fleet may differ."""
    known = {
        "n_chips": 8.0, "achievable_flops": 1e15, "memory_bytes": 100e9, "domain_chips": 8.0,
        "inner_bytes_per_s": 100e9, "outer_bytes_per_s": 10e9,
    } | figures  # fmt: skip
    values = {field.name: np.asarray(known.get(field.name, 1.0)) for field in fields(Fleet)}
    return Chips(Fleet(**values), np.asarray(1e12))


def requests(**figures: float) -> Requests:
    """1,000 tokens in, 100 out, all in two bytes."""
    known = {
        "input_tokens": 1000.0, "output_tokens": 100.0, "weight_bytes": 2.0, "expert_bytes": 2.0, "head_bytes": 2.0,
        "kv_bytes": 2.0, "beams": 1.0,
    } | figures  # fmt: skip
    return Requests(**{name: np.asarray(value) for name, value in known.items()})


def arrangement(**degrees: float) -> Arrangement:
    """One sequence on one chip; degrees may differ."""
    known = {"tp": 1.0, "pp": 1.0, "attention_dp": 1.0, "ep": 1.0, "batch": 1.0} | degrees
    return Arrangement(**{name: np.asarray(value) for name, value in known.items()})


def rates(**values: float) -> Rates:
    """:data:`EVEN` with some values replaced."""
    return replace(EVEN, **{name: np.asarray(value) for name, value in values.items()})
