"""What the file of a chart declares of itself as ``CHART``: its id, how it is drawn, and where the window shows it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from core.comparison.result import CandidateResult, ResultSet
from gui.charts.figure.figure import Figure

Draw = Callable[[ResultSet, str | None], Figure]
"""Results and the id of the selected candidate to a figure."""

Words = Callable[[ResultSet, CandidateResult], Sequence[str]]
"""Results and the shown candidate to the sentences that stand below the chart."""


@dataclass(frozen=True, slots=True)
class Stand:
    """A place of a chart: the tab's id, the page within the tab (empty where it has none), and its turn there."""

    tab: str
    page: str = ""
    turn: int = 100


def no_figure(_: ResultSet, __: str | None) -> Figure:
    """Of charts that are handed their figures."""
    return Figure("")


def no_words(_: ResultSet, __: CandidateResult) -> tuple[str, ...]:
    """Of charts that say all by themselves."""
    return ()


def rounded_usd(value: float) -> float:
    """A dragged amount to three digits, as one would type it."""
    return float(f"{value:.3g}") if value > 0 else 1.0


def two_digits(value: float) -> float:
    """A dragged value to two digits, as one would type it."""
    return float(f"{value:.2g}")


@dataclass(frozen=True, slots=True)
class Drag:
    """What dragging a limit edits: the field of the profile, the words of the undo step, the value as one types it."""

    limit_id: str
    field: str
    words: str
    typed: Callable[[float], float] = two_digits


@dataclass(frozen=True, slots=True)
class Question:
    """What the engine must be asked before a chart can be drawn: away from the GUI thread, never None as an answer.

    ``draw`` and ``words`` are given the answer; ``at_work`` stands in the chart until there is one.
    """

    ask: Callable[[ResultSet, CandidateResult], Any]
    draw: Callable[[ResultSet, CandidateResult, Any], Figure]
    words: Callable[[ResultSet, Any], Sequence[str]]
    at_work: str


@dataclass(frozen=True, slots=True)
class ChartKind:
    """A chart to be found by its id. Tabs that have pages of charts take those that stand on them.

    ``title`` names the chart while it has no figure. ``has_rows`` is True for bars, which bring their own margin.
    ``drags`` are the limits whose fields do not depend on the results. With a ``question`` the window draws from its
    answer, and ``draw`` serves those who may wait for the engine.
    """

    id: str = ""
    title: str = ""
    draw: Draw = no_figure
    stands: tuple[Stand, ...] = ()
    words: Words = no_words
    drags: tuple[Drag, ...] = ()
    has_rows: bool = False
    question: Question | None = None
