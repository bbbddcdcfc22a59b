"""Doubts about what was entered: legal values that cost speed or look like slips, with a repair where there is one."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from core.units import THIN, grouped, plain
from core.workload.models.transformer import TransformerModel
from core.workload.profile import Profile

TILE = 128
"""Rows and columns of the matrix unit of a TPU; other sizes are padded up to it."""


_MEAN_TOLERANCE_PCT = 1.0


@dataclass(frozen=True, slots=True)
class Doubt:
    """A field that deserves a look: its path in the profile, a sentence, and a value that settles it (None: none)."""

    path: str
    text: str
    repair: Any = None


def doubts(profile: Profile) -> tuple[Doubt, ...]:
    """Every doubt about a profile, in form order."""
    raised = (_sequence_length(profile), _step(profile), _ramp(profile), _head_size(profile), _window(profile),
              _hours(profile), _weights(profile))  # fmt: skip
    return tuple(doubt for doubt in raised if doubt is not None)


def _sequence_length(profile: Profile) -> Doubt | None:
    job = profile.job.training
    if profile.is_in_samples or job is None or job.sequence_length % TILE == 0:
        return None
    length = job.sequence_length
    padded = math.ceil(length / TILE) * TILE
    nearest = max(round(length / TILE), 1) * TILE
    return Doubt(
        "job.sequence_length", f"Not a multiple of {TILE}: a TPU pads it to {grouped(padded)}", _round_length(nearest)
    )


def _round_length(nearest: int) -> int:
    """The power of two close by, which is what most people mean, else the nearest multiple of the tile."""
    power = 2 ** round(math.log2(nearest))
    return power if abs(power - nearest) <= 0.04 * nearest else nearest


def _step(profile: Profile) -> Doubt | None:
    job = profile.job.training
    if job is None:
        return None
    step_tokens = job.sequence_length * job.global_batch_sequences
    if job.n_tokens >= step_tokens:
        return None
    text = f"Less than one step: a batch holds {grouped(step_tokens)} {profile.unit_word}"
    return Doubt("job.n_tokens", text, float(step_tokens))


def _ramp(profile: Profile) -> Doubt | None:
    """A batch that grows where no engine counts it; forms do not ask for it there, but files may hold it."""
    job = profile.job.training
    if job is None or job.ramp_from_sequences is None or (job.ramps and not profile.is_in_samples):
        return None
    where = "pre-training and fine-tuning of language models"
    return Doubt("job.ramp_from_sequences", f"Not counted: a batch that grows makes a difference in {where} alone")


def _head_size(profile: Profile) -> Doubt | None:
    if not isinstance(profile.model, TransformerModel):
        return None
    size = profile.model.d_head
    if size % TILE == 0:
        return None
    padded = math.ceil(size / TILE) * TILE
    return Doubt("model.d_head", f"Not a multiple of {TILE}: a TPU pads each head to {padded}")


def _window(profile: Profile) -> Doubt | None:
    """A window that is longer than the time between two batches, which would pile up."""
    window_h, limit_h = getattr(profile.job, "window_h", None), profile.job.round_limit_h
    if window_h is None or limit_h is None or limit_h >= window_h:
        return None
    text = f"A batch comes every {plain(limit_h)}{THIN}h, and must be done before the next one"
    return Doubt("job.window_h", text, float(f"{limit_h:.3g}"))


def _hours(profile: Profile) -> Doubt | None:
    """Own hours that are missing, or whose mean is not the mean load entered."""
    job = profile.job.service
    if job is None or job.traffic != "own":
        return None
    if not job.hours:
        return Doubt("job.load_by_hour", "No hours entered: the load is taken alike at all hours")
    mean_pct = 100 * sum(job.hours) / len(job.hours) / max(job.hours)
    if abs(mean_pct - job.mean_load_pct) <= _MEAN_TOLERANCE_PCT:
        return None
    text = f"The hours entered have a mean of {plain(mean_pct)}{THIN}% of their top; they are bent to this mean"
    return Doubt("job.mean_load_pct", text, float(f"{mean_pct:.3g}"))


def _weights(profile: Profile) -> Doubt | None:
    weights = profile.weights
    if weights.cost or weights.time or weights.flexibility:
        return None
    return Doubt("weights.cost", "All three are 0, so nothing decides the order", 50.0)
