"""Workshop and factory: where the guides put each workload of a plan, and what the computed costs say there.

Across: the share of time in matrix products, from the layers. Up: how settled the code is. The guides lean to GPU where
work still changes and to TPU where it is steady and tensor-heavy (statements S3-01, S2-10, S4-37). They draw no lines:
those below are a guess of ours.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

import numpy as np

from core.comparison.together.part import PlanPart
from core.ranges import HIGH_PCT, LOW_PCT, Range
from core.units import rounded
from core.workload.models.network import NetworkModel
from core.workload.models.transformer import TransformerModel
from core.workload.profile import Profile

Lean = Literal["gpu", "tpu", "depends"]
Winner = Literal["gpu", "tpu", "close", "none"]
Line = tuple[tuple[float, float], tuple[float, float]]
"""Two points of a border: matrix share and stability."""
Call = Literal["agree", "disagree", "too close", "no advice", "no answer"]

LEFT_PCT, RIGHT_PCT = 40.0, 100.0
WORKSHOP = ((LEFT_PCT, 92.0), (95.0, 0.0))
"""Line below which the guides lean to GPU (a guess of ours)."""
FACTORY = ((59.0, 100.0), (RIGHT_PCT, 32.0))
"""Line above which the guides lean to TPU (a guess of ours)."""

WEEKLY_PER_MONTH = 52 / 12
"""Changes a month of code that changes weekly: stability 0."""
STABILITY = {"exploring": Range(0.0, 17.0, 33.0), "stable": Range(33.0, 60.0, 85.0), "frozen": Range(85.0, 95.0, 100.0)}
"""Stability where only the maturity is known (our estimate)."""

FLOPS_PER_VALUE = Range(500.0, 1000.0, 2000.0)
"""Work of a matrix unit in the time in which a chip writes one value of another operation: some 4 bytes at 300 FLOP a
byte of memory bandwidth, part of it fused (our estimate)."""
VALUES_PER_WIDTH = 10.0
"""Values that a transformer's layer writes for a token beside its products, over its width (our estimate)."""
"""Percentiles of the draws at the ends of an 80 % range."""


@dataclass(frozen=True, slots=True)
class Gap:
    """The best TPU's cost over the best GPU's, less 1, in percent: negative where the TPU costs less."""

    pct: Range
    gpu_name: str
    tpu_name: str


@dataclass(frozen=True, slots=True)
class Placed:
    """A workload on the map: ``matrix_pct`` is None where nothing tells it; ``is_locked``: the layers do, so that no
    hand moves it across. ``gap`` is None where one of the two kinds does not fit."""

    profile: Profile
    matrix_pct: Range | None
    is_locked: bool
    stability: Range
    winner: Winner
    gap: Gap | None
    why_not: str = ""

    @property
    def lean(self) -> Lean | None:
        """What the guides say there; None where the workload has no place across."""
        return None if self.matrix_pct is None else lean_at(self.matrix_pct.likely, self.stability.likely)

    @property
    def call(self) -> Call:
        """Whether guides and numbers say the same."""
        if self.winner == "none":
            return "no answer"
        if self.winner == "close":
            return "too close"
        if self.lean in (None, "depends"):
            return "no advice"
        return "agree" if self.lean == self.winner else "disagree"


def placed(profile: Profile, part: PlanPart | None, why_not: str = "") -> Placed:
    """A workload's place, with what its costs say once its part in the plan is known; until then ``why_not`` they do
    not."""
    winner, gap = winner_of(part) if part else ("none", None)
    matrix_pct = matrix_share_pct(profile)
    return Placed(
        profile, matrix_pct, is_known(profile), stability(profile), winner, gap, part.why_not if part else why_not
    )


def lean_at(matrix_pct: float, stability: float) -> Lean:
    """The region of a point."""
    if stability < height_of(WORKSHOP, matrix_pct):
        return "gpu"
    return "tpu" if stability > height_of(FACTORY, matrix_pct) else "depends"


def height_of(line: Line, x: float) -> float:
    """Stability on a border at a matrix share."""
    (x1, y1), (x2, y2) = line
    return y1 + (x - x1) * (y2 - y1) / (x2 - x1)


@dataclass(frozen=True, slots=True)
class Stretch:
    """What the guides say between two stabilities."""

    low: float
    high: float
    lean: Lean


def leans_at(matrix_pct: float) -> tuple[Stretch, ...]:
    """What the guides say along the upright axis, from 0 to 100; where a lean begins or ends it flips."""
    workshop, factory = (min(max(height_of(line, matrix_pct), 0.0), 100.0) for line in (WORKSHOP, FACTORY))
    told = (Stretch(0.0, workshop, "gpu"), Stretch(workshop, factory, "depends"), Stretch(factory, 100.0, "tpu"))
    return tuple(one for one in told if one.high > one.low)


def by_maturity(profile: Profile) -> Mapping[str, Profile]:
    """The workload as it would be at each maturity, by its name: all that the engine reads of a place on the upright
    axis."""
    return {
        name: profile.model_copy(
            update={"stack": profile.stack.model_copy(update={"maturity": name, "changes_per_month": None})}
        )
        for name in STABILITY
    }


def stability(profile: Profile) -> Range:
    """``100 x (1 - changes a month / 4.33)``: 0 for code that changes weekly; by maturity where changes are unknown."""
    changes = profile.stack.changes_per_month
    if changes is None:
        return STABILITY[profile.stack.maturity]
    value = 100.0 * max(0.0, 1.0 - changes / WEEKLY_PER_MONTH)
    return Range(value, value, value)


def is_known(profile: Profile) -> bool:
    """True where the layers tell the share: of an entered model whose work is products and passes over values."""
    model = profile.model
    if not model.model_fields_set:
        return False
    return not (isinstance(model, NetworkModel) and (model.family == "graph" or model.lookup_values > 0))


def matrix_share_pct(profile: Profile) -> Range | None:
    """Percent of the time in matrix products: ``F / (F + k v)`` with F FLOPs in products and v other values written.

    What the user typed where the layers do not tell; None where nobody did. Time in custom ops is taken off.
    """
    typed = profile.stack.matrix_pct
    if not is_known(profile):
        return None if typed is None else Range(typed, typed, typed)
    share = partial(_share, *_flops_and_values(profile.model))
    own = 1.0 - (profile.stack.custom_op_pct or 0.0) / 100
    low, likely, high = (
        100 * own * share(k) for k in (FLOPS_PER_VALUE.high, FLOPS_PER_VALUE.likely, FLOPS_PER_VALUE.low)
    )
    return Range(low, likely, high)


def _share(flops: float, values: float, flops_per_value: float) -> float:
    whole = flops + flops_per_value * values
    return flops / whole if whole > 0 else 0.0


def _flops_and_values(model: TransformerModel | NetworkModel) -> tuple[float, float]:
    """Forward FLOPs in products and other values written: of a token, or of a pass over a sample."""
    if isinstance(model, NetworkModel):
        return 1e9 * (model.conv_gflops + model.matmul_gflops + model.attention_gflops), 1e6 * model.activation_millions
    inputs = 0 if model.tied_embeddings else model.embedding_params // 2
    return 2.0 * (model.n_active_params - inputs), VALUES_PER_WIDTH * model.d_model * model.n_layers


def winner_of(part: PlanPart) -> tuple[Winner, Gap | None]:
    """Whose best, as the comparison ranks them, costs less, ``close`` where the range of the gap holds 0; a kind alone
    where only it fits."""
    gpu, tpu = part.of_kind.get("gpu"), part.of_kind.get("tpu")
    if gpu is None or tpu is None:
        return ("gpu" if gpu else "tpu" if tpu else "none"), None
    ratio = tpu.drawn.cost_usd.astype(np.float64) / np.maximum(gpu.drawn.cost_usd, 1e-9) - 1.0
    likely = tpu.result.cost.total.likely / max(gpu.result.cost.total.likely, 1e-9) - 1.0
    low, high = np.percentile(ratio, (LOW_PCT, HIGH_PCT)).tolist()
    pct = Range(100 * min(low, likely), 100 * likely, 100 * max(high, likely))
    winner: Winner = "tpu" if pct.high < 0 else "gpu" if pct.low > 0 else "close"
    return winner, Gap(pct, gpu.result.candidate.name, tpu.result.candidate.name)


def worst_disagreement(rows: Sequence[Placed]) -> Placed | None:
    """The workload of those that disagree whose gap is widest."""
    apart = [one for one in rows if one.call == "disagree"]
    return max(apart, key=lambda one: abs(one.gap.pct.likely) if one.gap else 0.0, default=None)


def moved(one: Placed, matrix_pct: float, stability: float) -> Mapping[str, Any]:
    """Fields of the workload and their values that put it at a place: changes a month with the maturity that goes with
    them, and the share where the layers do not tell it."""
    at = min(max(stability, 0.0), 100.0)
    maturity = next(name for name, span in STABILITY.items() if at <= span.high)
    changes = rounded(WEEKLY_PER_MONTH * (1.0 - at / 100), 2)
    fields: dict[str, Any] = {"stack.changes_per_month": changes, "stack.maturity": maturity}
    if not one.is_locked:
        fields["stack.matrix_pct"] = float(round(min(max(matrix_pct, 0.0), 100.0)))
    return fields
