"""Steps of reinforcement learning: rollout, scoring, training and the way of weights between them."""

from __future__ import annotations

from core.calibration.measured.dialect import Cells, Dialect


def _work(_: Cells) -> str:
    return "reinforcement"


DIALECT = Dialect(
    name="rl",
    marks=frozenset({"rollout_s", "gen_per_prompt", "train_s"}),
    work_of=_work,
    renamed={"hardware": "chip"},
)
