"""Why a system cannot run the work, and what would admit it."""

from __future__ import annotations

import math

from core.ranges import Evidence, Range
from core.throughput.chips.fleet import USABLE_MEMORY_SHARE, usable_precision
from core.throughput.types import Layout, Reason, System, Throughput
from core.units import THIN, grouped, plain
from core.workload.jobs.kinds import PRECISION_WORDS, TrainingJob

NO_SPEED = Range(0.0, 0.0, 0.0)


def no_peak(system: System, wanted: str) -> Reason | None:
    """Why a chip cannot be predicted when no rate of it is known in any usable precision; None when one is."""
    if usable_precision(system.accelerator, wanted)[1]:
        return None
    text = f"No compute peak of {system.accelerator.short_name} is known for {PRECISION_WORDS[wanted]}"
    return Reason("unknown", text, "Wait for its data sheet, or choose another precision")


def memory_reason(
    needed_gib: float, capacity_gib: float, n_chips: int, splits: bool, stays_gib: float = 0.0, other: str = ""
) -> Reason:
    """What does not fit, by how much, and from how many chips, or on which, it would.

    ``stays_gib`` of what is needed does not shrink with more chips; ``other`` is another change that would help.
    """
    text = f"Needs {plain(needed_gib)}{THIN}GiB a chip, {plain(capacity_gib)} are there"
    left = capacity_gib - stays_gib
    larger = f"Use chips with {plain(needed_gib)}{THIN}GiB or more"
    if splits and left > 0:
        enough = n_chips * 2 ** math.ceil(math.log2(max((needed_gib - stays_gib) / left, 1.0) + 1e-9))
        larger = f"May fit with {grouped(enough)} chips" if enough > n_chips else larger
    return Reason("memory", text, f"{larger}, or {other}" if other else larger)


def no_layout(job: TrainingJob, system: System, given: Layout | None) -> Reason:
    """Why no layout of the chips is possible at all: the batch is too small, or the given degrees do not divide."""
    if given is not None:
        degrees = ", ".join(f"{name} {getattr(given, name)}" for name in ("dp", "fsdp", "tp", "pp", "cp", "ep"))
        text = f"{grouped(system.n_chips)} chips and {grouped(job.global_batch_sequences)} sequences do not split so"
        return Reason("layout", f"{text}: {degrees}", "Take degrees that divide both, or let them be searched")
    text = f"A batch of {grouped(job.global_batch_sequences)} sequences cannot fill {grouped(system.n_chips)} chips"
    return Reason("batch", text, "Take fewer chips or a larger global batch")


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
