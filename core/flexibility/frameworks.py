"""F3: how the user's framework and libraries run on the chip."""

from __future__ import annotations

from core.catalogue.details.related import support
from core.catalogue.entries import FrameworkSupport
from core.flexibility.criterion import Criterion, Finding, Subject
from core.ranges import Range
from core.workload.profile import FRAMEWORK_WORDS, LIBRARY_WORDS

SUPPORT_VALUE = {"native": 1.0, "layer": 0.6, "convert": 0.3, "none": 0.0}
"""Native, through a translation layer, after a conversion, not at all (our proposal)."""


def mean_support(subject: Subject) -> Range:
    """Mean of the support values of the framework and each library in use; an unknown one counts from 0 to 1."""
    spans = [_span(row) for row in _support_by_name(subject).values()]
    return Range(*(sum(column) / len(spans) for column in zip(*spans, strict=True)))


def _support_by_name(subject: Subject) -> dict[str, FrameworkSupport | None]:
    names = (subject.profile.stack.framework, *subject.profile.stack.libraries)
    return {name: support(subject.catalogue, name, subject.accelerator) for name in names}


def frameworks(subject: Subject) -> Finding:
    """See :func:`mean_support`."""
    support_by_name = _support_by_name(subject)
    rows = [row for row in support_by_name.values() if row is not None]
    return Finding(
        value=mean_support(subject),
        inputs=tuple((_word(name), row.support if row else "unknown") for name, row in support_by_name.items()),
        evidence="; ".join(f"{_word(name)}: {_way(row)}" for name, row in support_by_name.items()),
        source=", ".join(sorted({row.source for row in rows})) or "no entry",
        estimate=not rows or all(row.estimate for row in rows),
    )


def _span(row: FrameworkSupport | None) -> tuple[float, float, float]:
    if row is None:
        return 0.0, 0.5, 1.0
    value = SUPPORT_VALUE[row.support]
    return value, value, value


def _way(row: FrameworkSupport | None) -> str:
    if row is None:
        return "unknown"
    return f"after conversion to {row.via}" if row.support == "convert" and row.via else row.via or row.support


def _word(name: str) -> str:
    return FRAMEWORK_WORDS.get(name) or LIBRARY_WORDS.get(name) or name


CRITERION = Criterion(
    "F3", "Frameworks", "mean of native 1, layer 0.6, convert 0.3, none 0", 18, 10, mean_support, frameworks
)
