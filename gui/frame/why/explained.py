"""The figure that was asked for, on top of Why: value, formula, live inputs, source, and the mark of an estimate."""

from __future__ import annotations

from collections.abc import Callable

from core.comparison.questions.explain import explanation
from core.comparison.questions.explanation import Explanation
from core.comparison.result import CandidateResult, ResultSet
from gui.frame.why.section import RIGHT, Put, Section, Title, Words

MOST_LETTERS = 12
"""Values up to this length find room beside their name."""


def explained(results: ResultSet, shown: CandidateResult, key: str, close: Callable[[], None]) -> Section | None:
    """The section for a key such as ``part:idle``; None when nothing was asked or the figure is no more."""
    told = explanation(results, shown, key) if key else None
    return _section(told, close) if told else None


def _section(told: Explanation, close: Callable[[], None]) -> Section:
    puts = [
        Put(Title(told.title, name="explained-title", close=close), 0, 0, 2),
        Put(Words(str(told.value), "kpi", "explained-value"), 1, 0, 2),
        Put(Words(str(told.note), "small", "explained-note", wraps=True), 2, 0, 2),
        Put(Words(f"= {told.formula}", "", "explained-formula", wraps=True), 3, 0, 2),
    ]
    for number, (name, text) in enumerate(told.inputs, start=1):
        puts += _input(number, name, str(text))
    last = 4 + 2 * len(told.inputs)
    puts.append(Put(Words(f"Source: {told.source}", "small", "explained-source", wraps=True), last, 0, 2))
    if told.estimate:
        puts.append(Put(Words("Rests on an estimate", "warn", "explained-estimate"), last + 1, 0, 2))
    return Section(tuple(puts), stretch=0, name="why-explained", spoken=f"{told.title}: {told.value}")


def _input(number: int, name: str, text: str) -> list[Put]:
    """Name at left, value at right; one too long for that stands below its name."""
    row, is_long = 2 + 2 * number, len(text) > MOST_LETTERS
    value = Words(text, "", f"explained-input-{number}-value", wraps=is_long)
    below, beside = Put(value, row + 1, 0, 2), Put(value, row, 1, align=RIGHT)
    return [Put(Words(name, "ink2", f"explained-input-{number}", wraps=True), row), below if is_long else beside]
