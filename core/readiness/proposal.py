"""What a scan says of the workload's own fields: kernels, shapes, control flow, libraries, framework."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from core.readiness.checks.libraries import KNOWN_FIELDS
from core.readiness.effort import without_bindings
from core.readiness.finding import Finding
from core.readiness.kinds import Concern
from core.readiness.scan import Scan
from core.units import counted
from core.workload.stack import Stack

MANY_SHAPES, HEAVY_FLOW = 5, 5
"""Places from which shapes are "many" and control flow "heavy" (our choice)."""

_ONE_KERNEL = {"cuda-source", "triton-kernel", "numba-cuda", "raw-kernel", "gpu-pallas", "foreign-call"}
"""Kinds of which each place is one kernel; an extension without its sources and a loaded library count as one each.
Kernels for TPU are none of them: the field counts what a TPU would ask to be rewritten."""


@dataclass(frozen=True, slots=True)
class Proposed:
    """A field of the stack, what it would become, and why."""

    field: str
    value: Any
    why: str


def proposed(scan: Scan, stack: Stack) -> tuple[Proposed, ...]:
    """Fields that would change, with the reason. A scan that saw no use of a framework leaves the framework alone."""
    return tuple(one for one in _all(scan, stack) if getattr(stack, one.field) != one.value)


def _all(scan: Scan, stack: Stack) -> Iterator[Proposed]:
    if scan.frameworks:
        name, n_files = next(iter(scan.frameworks.items()))
        framework = "pytorch/xla" if name == "pytorch" and scan.frameworks.get("pytorch/xla") else name
        yield Proposed("framework", framework, f"imported by {counted(n_files, 'file')}")
    n_kernels = kernels_in(scan.findings)
    yield Proposed("custom_kernels", n_kernels, counted(n_kernels, "kernel"))
    yield _by_places(scan, "dynamic_shapes", Concern.SHAPE, ("none", "some", "many"), MANY_SHAPES)
    yield _by_places(scan, "control_flow", Concern.FLOW, ("none", "some", "heavy"), HEAVY_FLOW)
    used = {KNOWN_FIELDS[one.name] for one in scan.findings if one.name in KNOWN_FIELDS}
    if used - set(stack.libraries):
        yield Proposed("libraries", tuple(sorted({*stack.libraries, *used})), "imported")


def kernels_in(findings: tuple[Finding, ...]) -> int:
    """Kernels of one's own: each that is seen, else one for each that is only built or loaded."""
    counted_kinds = _ONE_KERNEL | {"cpp-extension", "loaded-library"}
    return sum(one.kind_id in counted_kinds for one in without_bindings(findings))


def _by_places(scan: Scan, field: str, concern: Concern, words: tuple[str, str, str], many: int) -> Proposed:
    n_places = sum(one.kind.concern is concern for one in scan.findings)
    step = 0 if not n_places else 2 if n_places >= many else 1
    return Proposed(field, words[step], counted(n_places, "place"))
