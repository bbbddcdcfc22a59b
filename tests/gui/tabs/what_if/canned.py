"""Answers to what-if questions, made up for tests: three inputs, of which each moves something else."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np

from core.breath import breathe
from core.comparison.result import ResultSet
from core.comparison.what_if.cloud import Cloud, Dots, OfHundred, outline
from core.comparison.what_if.few import Gap
from core.comparison.what_if.flips import Flip, FlipEnd
from core.comparison.what_if.goal_seek import Goal, Target
from core.comparison.what_if.heat_map import HeatMap, Winner
from core.comparison.what_if.inputs import Input
from core.comparison.what_if.study import Move, Verdict
from core.comparison.what_if.tilts import Tilt
from core.comparison.what_if.tornado import TornadoRow
from gui.tabs.what_if.studies import Engine

DEADLINE = Input("limits.deadline_days", "Deadline", "days", 60, 45, 90, 6, 240, path="limits.deadline_days")
BUDGET = Input("limits.budget_usd", "Budget", "USD", 3e6, 2.4e6, 3.75e6, 3e5, 1.2e7, path="limits.budget_usd")
SPEED = Input("speed b200", "Speed of B200", "%", 100, 75, 125, 25, 400, tilt=Tilt("speed", "b200", 1.0))
PRICE = Input("price b200", "Price of B200 per chip hour", "USD", 6.2, 5.8, 6.9, 1.2, 31, tilt=Tilt("price", "b200", 1))
INPUTS = (PRICE, DEADLINE, BUDGET, SPEED)
PICK, OTHER, NONE = (
    Verdict("b200-256", "b200", "256 × B200", 1e5),
    Verdict("tpu", "tpu-v6e", "512 × TPU v6e", 2e4),
    Verdict(None),
)
WINNERS = Winner("b200", "B200"), Winner("tpu-v6e", "TPU v6e")
NOW = Gap(-1e5, -17.0, -1.2e5)


@dataclass
class Study:
    """Stands for the engine's study."""

    inputs: tuple[Input, ...] = INPUTS

    def verdict(self, *_: object) -> Verdict:
        """The pick of now."""
        return PICK


@dataclass
class Canned(Engine):
    """Answers at once; notes what was asked. ``holds``: flips wait until they are cancelled. ``has_time``: A and B have
    a time."""

    asked: list[str] = field(default_factory=list)
    holds: bool = False
    has_time: bool = True
    n_rests: int = 0
    mended: dict[str, FlipEnd] = field(default_factory=dict)

    def study(self, results: ResultSet, a: str, b: str | None) -> Study:
        """Notes the two options."""
        self.asked.append(f"study {a} {b}")
        return Study()

    def cloud(self, study: Any) -> Cloud:
        """Two round heaps."""
        rows = (
            OfHundred("cheaper", 12, 88, True),
            OfHundred("budget", 98, 100, False),
            OfHundred("better", 84, 16, True),
        )
        return Cloud(_dots(1.35e6, 36), _dots(1.2e6, 53), rows)

    def tornado(self, study: Any, one: Input) -> TornadoRow:
        """The deadline moves regret most, the speed nothing; the price moves the cost."""
        self.asked.append(f"row {one.id}")
        by = {DEADLINE.id: 3e5, BUDGET.id: 1e5, PRICE.id: 2e4}.get(one.id, 0.0)
        cost = 4e5 if one is PRICE else 0.0
        time = NOW.time if self.has_time else None
        low, high = (Gap(-1e5 + sign * cost, time, -1.2e5 + sign * by) for sign in (-1, 1))
        return TornadoRow(one, replace(NOW, time=time), low, high)

    def flip(self, study: Any, one: Input) -> Flip:
        """The deadline flips on the way down, the budget far beyond its range, speed never."""
        self.asked.append(f"flip {one.id}")
        while self.holds:
            breathe()
        down = {DEADLINE.id: FlipEnd(40, 41, OTHER), BUDGET.id: FlipEnd(4e5, 4.1e5, NONE)}.get(one.id)
        return Flip(one, down, FlipEnd(7.14, 7.1, OTHER) if one is PRICE else None)

    def check(self, study: Any, flip: Flip) -> Flip:
        """All options say the same, or of an input in ``mended`` something else."""
        self.asked.append(f"check {flip.input.id}")
        return replace(flip, down=self.mended.get(flip.input.id, flip.down), is_checked=True)

    def maps(self, study: Any, x: Input, y: Input) -> Iterator[HeatMap]:
        """B200 at left, the TPU at right."""
        self.asked.append(f"map {x.id} {y.id}")
        for is_whole in (False, True):
            xs, ys = np.linspace(x.low, x.high, 6), np.linspace(y.low, y.high, 4)
            winner = np.repeat([[0, 0, 0, 0, 1, 1]], 4, axis=0)
            lead = np.repeat([[9e4, 6e4, 3e4, 1e4, 1e4, 4e4]], 4, axis=0)
            yield HeatMap(x, y, PICK, xs, ys, WINNERS, winner, lead, winner > -1, is_whole)

    def verdict(self, study: Any, *moves: Move) -> Verdict:
        """The TPU below the flip of the deadline."""
        self.asked.append(" ".join(["try", *(one.id for one, _ in moves)]))
        deadline_days = next((value for one, value in moves if one.id == DEADLINE.id), DEADLINE.now)
        return OTHER if deadline_days <= 40 else replace(PICK, name="128 × B200") if len(moves) == 2 else PICK

    def goal(self, study: Any, side: Literal["a", "b"], target: Target, wanted: float, one: Input) -> Goal:
        """Only the price moves the cost."""
        self.asked.append(f"goal {side} {target} {wanted:g} {one.id}")
        return Goal(one, wanted, 5.5 if one is PRICE else None, wanted, one is PRICE)

    def rest(self, study: Any) -> None:
        """There is nothing to forget."""
        self.n_rests += 1


def _dots(cost_usd: float, days: float) -> Dots:
    draw = np.random.default_rng(1)
    costs, times = cost_usd * np.exp(0.1 * draw.normal(size=500)), days * np.exp(0.2 * draw.normal(size=500))
    return Dots(costs, times, cost_usd, days, outline(costs, times))
