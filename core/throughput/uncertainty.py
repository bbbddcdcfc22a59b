"""How far measurements lie from predictions: 80 % ranges by class of work, from rows whose source no fit had seen."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from core import paths
from core.ranges import Range

BANDS = ((4.0, "to 4"), (32.0, "to 32"), (math.inf, "above 32"))
"""Concurrency a replica: the wait for a first token is told apart by it."""
BANDED = ("ttft", "tpot")
KINDS = {
    "tokens_per_s_per_chip": "training", "samples_per_s_per_chip": "training", "step_time_s": "training",
    "output_tokens_per_s_total": "throughput", "total_tokens_per_s": "throughput", "samples_per_s": "throughput",
    "ttft_ms": "ttft", "tpot_ms": "tpot", "speedup_vs_off": "throughput", "peak_mem_gib_per_chip": "memory",
}  # fmt: skip
"""Kind of range of a transformer's metric; work in samples is ``samples``."""
LOW_LOAD = BANDS[0][0]
"""Requests at once on a replica up to which a first token hardly queues."""


@dataclass(frozen=True, slots=True)
class SpreadKey:
    """What decides how wide a range is.

    ``kind``: training, finetune, memory, throughput, tpot, ttft or samples. ``family``: training dense, moe, tpu or
    encoder; finetune and memory full, lora or qlora; serving dense, moe or tpu; samples vision, encoder, recommender,
    diffusion, graph or tpu. ``is_chip_known``: rows of that chip were among those fitted. ``is_stack_known``: software
    and layout class are stated. ``concurrency``: requests at once on a replica, 0 where not stated.
    ``is_network_known``: there is one host, or the rate between hosts is stated. ``towards``: another class that such
    work is like by ``lean``, of 1; logarithms lie that far between the two.
    """

    kind: str
    family: str
    is_chip_known: bool = True
    is_stack_known: bool = True
    n_chips: int = 1
    concurrency: float = 0.0
    is_network_known: bool = True
    towards: SpreadKey | None = None
    lean: float = 0.0

    @property
    def path(self) -> tuple[str, ...]:
        """Names of the classes that the key belongs to, widest first."""
        family = f"{self.kind}/{self.family}"
        if self.kind not in BANDED:
            return self.kind, family
        band = next(name for most, name in BANDS if self.concurrency <= most) if self.concurrency else "unstated"
        return self.kind, family, f"{family}/{band}"


@dataclass(frozen=True, slots=True)
class SpreadTable:
    """Fitted ranges: natural logarithms of measured over predicted, 10th and 90th percentile, by class.

    ``widening`` multiplies or adds to the logarithms: ``chip_unknown`` and ``stack_unknown`` are factors,
    ``per_decade`` is added for each factor of ten in chips beyond ``largest`` of the kind, ``network_unknown`` where
    the rate between hosts is assumed.
    """

    classes: dict[str, tuple[float, float]]
    widening: dict[str, float]
    largest: dict[str, float]
    chips: dict[str, frozenset[str]]

    def factors(self, key: SpreadKey) -> tuple[float, float]:
        """Low and high end over the likely value, ``low <= 1 <= high``, in the direction of the metric itself."""
        low, high = self._logs(key)
        if key.towards is not None:
            there = self._logs(key.towards)
            low, high = low + key.lean * (there[0] - low), high + key.lean * (there[1] - high)
        return math.exp(low), math.exp(high)

    def _logs(self, key: SpreadKey) -> tuple[float, float]:
        low, high = next(self.classes[name] for name in reversed(key.path) if name in self.classes)
        wider = 1.0 if key.is_chip_known else self.widening["chip_unknown"]
        wider *= 1.0 if key.is_stack_known else self.widening["stack_unknown"]
        beyond = self.widening["per_decade"] * max(0.0, math.log10(key.n_chips / self.largest.get(key.kind, math.inf)))
        beyond += 0.0 if key.is_network_known else self.widening["network_unknown"]
        return min(low, 0.0) * wider - beyond, max(high, 0.0) * wider + beyond


@cache
def shipped_spread() -> SpreadTable:
    """The shipped table ``resources/engine/spread.json``; raises KeyError for a part that it lacks."""
    return read_spread(paths.resources() / "engine" / "spread.json")


def read_spread(path: Path) -> SpreadTable:
    """A table as stored by :func:`core.calibration.studies.spreads.write_spread`."""
    stored: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return SpreadTable(
        classes={row["class"]: (row["low_ln"], row["high_ln"]) for row in stored["classes"]},
        widening={name: float(row["value"]) for name, row in stored["widening"].items()},
        largest={kind: float(n) for kind, n in stored["largest_n_chips"].items()},
        chips={piece: frozenset(chips) for piece, chips in stored["chips"].items()},
    )


def is_calibrated(piece: str, accelerator_id: str) -> bool:
    """True when rows of the chip were among those that set a piece: ``training``, ``serving`` or ``samples``."""
    return accelerator_id in shipped_spread().chips[piece]


@lru_cache(maxsize=4096)
def shipped_factors(key: SpreadKey) -> tuple[float, float]:
    """Low and high end of a class over the likely value, as shipped."""
    return shipped_spread().factors(key)


def ranged(likely: float, key: SpreadKey) -> Range:
    """The value with the 80 % range of its class."""
    low, high = shipped_factors(key)
    return Range(likely * low, likely, likely * high)


def speed_range_of_time(likely: float, key: SpreadKey) -> Range:
    """The range of a speed whose class is stated for times: the ends change places."""
    low, high = shipped_factors(key)
    return Range(likely / high, likely, likely / low)
