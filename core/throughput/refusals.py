"""Why a system cannot run the work, and what would admit it."""

from __future__ import annotations

import math

from core.amounts import MEMORY, Amount, Counted, Sentence
from core.ranges import Evidence, Range
from core.throughput.chips.fleet import USABLE_MEMORY_SHARE
from core.throughput.types import Layout, Reason, System, Throughput
from core.units import ms_words
from core.workload.jobs.kinds import TrainingJob

NO_SPEED = Range(0.0, 0.0, 0.0)
MOST_GIB = 576.0
"""Twice the memory of the largest chip that is sold (288 GB): no chip that anybody could use holds more."""

DOUBLINGS = 7
"""Of the chips that are tried for what would hold a run: a hundred times as many is another plan."""


def memory_reason(
    needed_gib: float, capacity_gib: float, n_chips: int, splits: bool, stays_gib: float = 0.0, other: str = "",
    enough_chips: int | None = None, most_tried: int = 0,
) -> Reason:  # fmt: skip
    """What does not fit, by how much, and from how many chips, or on which, it would.

    ``stays_gib`` of what is needed does not shrink with more chips; ``other`` is another change that would help.
    ``enough_chips`` was found to hold it, 0 where no count does of those tried, up to ``most_tried``; None leaves it to
    the sizes.
    """
    needed = Amount(needed_gib, MEMORY)
    unit = "" if str(needed).endswith(MEMORY) else MEMORY
    text = Sentence("Needs {} a chip, {} are there", needed, Amount(capacity_gib, unit))
    left = capacity_gib - stays_gib
    larger = Sentence("Use chips with {} or more", needed)
    if needed_gib > MOST_GIB:
        larger = Sentence("No chip holds {}: take a smaller model or smaller inputs", needed)
    if enough_chips == 0 and splits and (most_tried or left > 0) and needed_gib > MOST_GIB:
        larger = Sentence("Takes more than {}", Counted(most_tried or n_chips * 2**DOUBLINGS, "chip"))
    elif enough_chips:
        larger = Sentence("May fit with {}", Counted(enough_chips, "chip"))
    elif enough_chips is None and splits and left > 0:
        doublings = max(1, math.ceil(math.log2(max((needed_gib - stays_gib) / left, 1.0)) - 1e-9))
        larger = Sentence("May fit with {}", Counted(n_chips * 2**doublings, "chip"))
    return Reason("memory", text, Sentence("{}, or {}", larger, other) if other else larger)


def no_layout(job: TrainingJob, system: System, given: Layout | None) -> Reason:
    """Why no layout of the chips is possible at all: the batch is too small, or the given degrees do not divide."""
    if given is not None:
        degrees = ", ".join(f"{name} {getattr(given, name)}" for name in ("dp", "fsdp", "tp", "pp", "cp", "ep"))
        n_chips, sequences = Counted(system.n_chips, "chip"), Counted(job.global_batch_sequences, "sequence")
        text = Sentence("{} and {} do not split so: {}", n_chips, sequences, degrees)
        return Reason("layout", text, "Take degrees that divide both, or let them be searched")
    return batch_too_small(job.global_batch_sequences, "sequence", system)


def batch_too_small(size: int, of: str, system: System) -> Reason:
    """A batch of so many samples or sequences, ``of`` one of them, leaves chips without work."""
    text = Sentence("A batch of {} cannot fill {}", Counted(size, of), Counted(system.n_chips, "chip"))
    return Reason("batch", text, "Take fewer chips or a larger global batch")


def too_slow(what: str, time_ms: float, limit_ms: float) -> Reason:
    """The best that the chips can do takes longer than its limit."""
    text = Sentence("At best {} to {}, limit {}", ms_words(time_ms), what, ms_words(limit_ms))
    return Reason("latency", text, Sentence("May fit with a limit of {}", ms_words(time_ms * 1.02)))


def nothing(system: System, reason: Reason, precision: str, memory_gib: dict[str, float] | None = None) -> Throughput:
    """The answer for a system on which the work cannot run."""
    return Throughput(
        system=system,
        fits=False,
        reasons=(reason,),
        layout=Layout(),
        tokens_per_s=NO_SPEED,
        samples_per_s=0.0,
        step_time_s=0.0,
        step_terms_s={},
        mfu=0.0,
        bottleneck="memory",
        memory_gib=memory_gib or {},
        memory_capacity_gib=system.accelerator.memory_gb * USABLE_MEMORY_SHARE,
        latency=None,
        evidence=Evidence.MODELLED,
        precision=precision,
    )
