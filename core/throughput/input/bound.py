"""Answers of the engine held against the feed: chips that are faster than their input wait for it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from core.ranges import Range
from core.throughput.chips.fleet import Floats
from core.throughput.input.pipeline import InputPipeline, InputSample, hosts_of, input_pipeline_of
from core.throughput.parameters import load_parameters
from core.throughput.types import Throughput
from core.units import plain
from core.workload.jobs.kinds import TrainingJob

_PARTS = {"storage_s": "storage", "processor_s": "the hosts' processors", "copy_s": "copies over PCIe"}


def with_input_bound(job: TrainingJob, sample: InputSample, answers: Sequence[Throughput]) -> list[Throughput]:
    """The answers with waits in their terms, speeds and ranges lowered to what the feed gives, words and bottleneck.

    ``step = max(step of the chips, feed)``. The range's ends are those of the chips or of the feed, whichever are
    lower; the feed's own range is ``exp(+-spread)``.
    """
    running = [number for number, answer in enumerate(answers) if answer.fits and answer.step_time_s > 0]
    if not running:
        return list(answers)
    fitting = [answers[number] for number in running]
    ranks = np.array([answer.layout.dp * answer.layout.fsdp for answer in fitting], dtype=np.float64)
    pipeline = input_pipeline_of(job, sample, hosts_of([a.system for a in fitting], job), ranks)
    found = list(answers)
    for row in np.flatnonzero(_matters(pipeline, fitting)):
        found[running[row]] = _held(job, fitting[row], pipeline, int(row))
    return found


def _matters(pipeline: InputPipeline, answers: Sequence[Throughput]) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Where the slow end of the feed comes below the fast end of the chips."""
    fast_end: Floats = np.array([a.step_time_s * a.tokens_per_s.likely / a.tokens_per_s.high for a in answers])
    return np.asarray(pipeline.total_s * math.exp(load_parameters("host")["feed_spread"]) > fast_end, dtype=np.bool_)


def _held(job: TrainingJob, answer: Throughput, pipeline: InputPipeline, row: int) -> Throughput:
    """One answer held to its feed."""
    feed_s, step_s, speed = float(pipeline.total_s[row]), answer.step_time_s, answer.tokens_per_s
    per_s, spread = speed.likely * step_s / feed_s, math.exp(load_parameters("host")["feed_spread"])
    held = Range(min(speed.low, per_s / spread), min(speed.likely, per_s), min(speed.high, per_s * spread))
    share = held.likely / speed.likely
    on_input, on_host = (float(wait[row]) for wait in pipeline.waits_s(np.full(len(pipeline.storage_s), step_s)))
    terms = answer.step_terms_s | {
        "input": answer.step_terms_s.get("input", 0.0) + on_input,
        "host": answer.step_terms_s.get("host", 0.0) + on_host,
    }
    waits = on_input + on_host > 0
    return replace(
        answer,
        tokens_per_s=held,
        samples_per_s=answer.samples_per_s * share,
        step_terms_s=terms,
        step_time_s=sum(terms.values()),
        mfu=answer.mfu * share,
        bottleneck=("input" if on_input > 0 else "host") if waits else answer.bottleneck,
        notes=(*answer.notes, _words(job, pipeline, row, step_s)) if waits else answer.notes,
        roofline=tuple((phase, intensity, reached * share) for phase, intensity, reached in answer.roofline),
    )


def _words(job: TrainingJob, pipeline: InputPipeline, row: int, step_s: float) -> str:
    """What the chips wait for, with both paces."""
    slowest = max(_PARTS, key=lambda part: float(getattr(pipeline, part)[row]))
    given, wanted = (job.global_batch_sequences / seconds for seconds in (float(pipeline.total_s[row]), step_s))
    return f"Waits for {_PARTS[slowest]}: {plain(given)} samples a second come, the chips could take {plain(wanted)}"
