"""Findings as engineer-weeks: each kind by its first place and its further ones, added up with their ranges."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from core.ranges import Range
from core.readiness.finding import Finding
from core.readiness.kinds import Kind, Side

NO_WEEKS = Range(0.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True)
class KindEffort:
    """A kind on one side: its places, and the weeks they take together (our estimate). Libraries stand one by one."""

    kind: Kind
    name: str
    findings: tuple[Finding, ...]
    weeks: Range

    @property
    def title(self) -> str:
        """What it is; a library's own name first, as several of them differ in nothing else."""
        words = self.kind.title
        return f"{self.name}: {words[0].lower()}{words[1:]}" if self.name else words


def efforts(findings: Iterable[Finding], side: Side) -> tuple[KindEffort, ...]:
    """What has to be done on a side, most weeks first.

    ``weeks = first + each x (min(places, most) - 1)``; a library counts once, however often it is imported,
    and an extension not beside its own kernels.
    """
    groups: dict[tuple[str, str], list[Finding]] = defaultdict(list)
    for one in without_bindings(tuple(findings)):
        if one.matters_on(side):
            groups[one.kind_id, one.name].append(one)
    listed = [_effort(tuple(group), side) for group in groups.values()]
    return tuple(sorted(listed, key=lambda one: -one.weeks.likely))


def without_bindings(findings: tuple[Finding, ...]) -> tuple[Finding, ...]:
    """The findings without extensions whose kernels are there as CUDA source: those are counted one by one."""
    has_sources = any(one.kind_id == "cuda-source" for one in findings)
    return tuple(one for one in findings if not (has_sources and one.kind_id == "cpp-extension"))


def total_weeks(listed: Iterable[KindEffort]) -> Range:
    """All of it together: bounds are added, as if all went well or badly at once, which is cautious."""
    total = NO_WEEKS
    for one in listed:
        total = _added(total, one.weeks)
    return total


def _effort(group: tuple[Finding, ...], side: Side) -> KindEffort:
    kind, name = group[0].kind, group[0].name
    effort = kind.effort(side)
    if effort is None:
        raise ValueError(f"Nothing has to be done for '{kind.id}' on {side.value}")
    further = 0 if name else min(len(group), effort.most) - 1
    weeks = _added(effort.first, effort.each.scaled(further)) if further else effort.first
    return KindEffort(kind, name, group, weeks)


def _added(one: Range, other: Range) -> Range:
    return Range(one.low + other.low, one.likely + other.likely, one.high + other.high)
