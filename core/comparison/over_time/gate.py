"""What a pilot must show, and the chance that it does: the share of draws in which all measures hold."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from core.comparison.chance.errors import N_DRAWS, Errors
from core.comparison.over_time.runs import Run
from core.comparison.over_time.spread import Spread, range_of, share_of_draws, spread_of
from core.constants import SECONDS_PER_HOUR
from core.ranges import Range
from core.workload.phases import AT_LEAST, Measure

Mask = NDArray[np.bool_]
SECONDS_PER_MINUTE = 60.0


@dataclass(frozen=True)
class MeasureAnswer:
    """One measure: what is predicted of it, with a range where there is one, and its own chance; None where open."""

    measure: Measure
    predicted: Range | None
    chance: float | None


@dataclass(frozen=True)
class Gate:
    """The end of a pilot. ``chance`` is the share of draws in which all measures hold whose chance is known, None
    without any; where some are ``open`` the true one is at most that."""

    run: Run
    measures: tuple[MeasureAnswer, ...]
    chance: float | None
    passes: Mask

    @property
    def open(self) -> tuple[Measure, ...]:
        """Measures of whose chance nothing is known."""
        return tuple(one.measure for one in self.measures if one.chance is None)


def gate_of(run: Run, scale: Run | None) -> Gate:
    """The gate of a pilot, before the phase it decides about."""
    passes, told = np.ones(1 + N_DRAWS, dtype=bool), []
    for measure in run.phase.measures:
        own, answer = _answered(run, scale, measure)
        passes = passes if own is None else passes & own
        told.append(answer)
    known = any(one.chance is not None for one in told)
    return Gate(run, tuple(told), share_of_draws(passes) if known else None, passes)


def _answered(run: Run, scale: Run | None, measure: Measure) -> tuple[Mask | None, MeasureAnswer]:
    if measure.is_drawn:
        spread = _predicted(run, scale, measure)
        if spread is None:
            return None, MeasureAnswer(measure, None, None)
        mask = spread >= measure.threshold if measure.quantity in AT_LEAST else spread <= measure.threshold
        return mask, MeasureAnswer(measure, range_of(spread), share_of_draws(mask))
    predicted = _likely(run, measure)
    if measure.chance_pct is None:
        return None, MeasureAnswer(measure, predicted, None)
    mask = _as_often(measure.chance_pct / 100, f"pilot {run.phase.id} {measure.quantity}")
    return mask, MeasureAnswer(measure, predicted, measure.chance_pct / 100)


def _predicted(run: Run, scale: Run | None, measure: Measure) -> Spread | None:
    """The draws of a quantity that the engine predicts with a range."""
    if measure.quantity == "run_days":
        return None if scale is None else scale.working
    speed = _speed_over_likely(run)
    if measure.quantity == "speed_share":
        return 100.0 * speed
    held = run.held
    return held.result.throughput.tokens_per_s.likely / held.result.candidate.n_chips * speed


def _speed_over_likely(run: Run) -> Spread:
    """A run that takes longer is slower by as much; of a service the predicted speed itself."""
    held = run.held
    if held.profile.job.ends:
        days = spread_of(held.run_days, held.causes.speed)
        return np.asarray(days[0] / days)
    speed = held.result.throughput.tokens_per_s
    return spread_of(speed.scaled(1.0 / speed.likely), held.causes.speed)


def _likely(run: Run, measure: Measure) -> Range | None:
    """A figure without a range, where the engine has one: it knows how often runs stop, and nothing of the loss."""
    losses = run.held.result.losses
    if losses is None or measure.quantity == "loss_gap_pct":
        return None
    value = (
        losses.stops_per_day
        if measure.quantity == "stops_per_day"
        else losses.restart_h * SECONDS_PER_HOUR / SECONDS_PER_MINUTE
    )
    return Range(value, value, value)


def _as_often(chance: float, cause: str) -> Mask:
    """True in so many of the draws, by a cause of its own; in the likely case where that is more often than not."""
    errors = Errors([((cause, 1.0),)], N_DRAWS).values[0]
    limit = NormalDist().inv_cdf(min(max(chance, 1e-9), 1 - 1e-9))
    return np.concatenate(([chance >= 0.5], errors <= limit))
