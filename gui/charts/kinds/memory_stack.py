"""C10, memory: what fills the fullest chip, against what it holds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from core.comparison.result import CandidateResult, ResultSet
from core.units import THIN, gib_text
from gui.charts.figure.figure import Axis, Bar, Figure, LegendEntry, Row, left_room, right_room
from gui.charts.figure.kind import ChartKind, Stand
from gui.charts.figure.shown import candidate_row, empty_sentence, shown_results

TITLE = "Memory of the fullest chip"
PARTS = {
    "weights": ("Weights", "part:compute"),
    "gradients": ("Gradients", "part:storage"),
    "optimizer": ("Optimiser", "part:egress"),
    "activations": ("Activations", "part:operations"),
    "other_models": ("Other models", "part:porting"),
    "kv_cache": ("KV cache", "part:porting"),
    "logits": ("Logits", "part:energy"),
    "buffers": ("Buffers", "part:idle"),
    "reserve": ("Reserve", "part:idle"),
}
HATCHED = ("reserve",)
EDGE = 1.03
CUT = 1.5
"""A bar longer than so many of the largest chip is cut: one card for a job of a cluster hid all other bars."""


def memory_stack(results: ResultSet, selected_id: str | None = None) -> Figure:
    """The bars as a figure; the tick of a row is the chip's capacity."""
    shown = [r for r in shown_results(results, selected_id) if r.throughput.memory_gib]
    if not shown:
        return Figure(TITLE, empty=empty_sentence(results) or "No layout was found to show the memory of")
    rows = tuple(_row(r) for r in shown)
    bars = tuple(bar for number, r in enumerate(shown) for bar in _bars(r, number))
    used = [part for part in _parts(shown) if any(r.throughput.memory_gib.get(part, 0) > 0 for r in shown)]
    legend = tuple(LegendEntry(*_style(part), "hatch" if part in HATCHED else "box") for part in used)
    return Figure(
        TITLE,
        _summary(shown),
        x=Axis("GiB per chip", 0.0, _axis_end_gib(shown)),
        rows=rows,
        bars=bars,
        legend=(*legend, LegendEntry("capacity", "ink", "tick")),
        table=_table(shown, used),
        left_px=left_room(rows),
        right_px=right_room(rows),
        row_px=28,
    )


def _axis_end_gib(shown: Sequence[CandidateResult]) -> float:
    """Beyond every bar and tick; a need far beyond what any chip holds is cut, its figure stands in the row."""
    largest_chip = max(r.throughput.memory_capacity_gib for r in shown)
    return EDGE * max(largest_chip, min(max(_used(r) for r in shown), CUT * largest_chip))


def _parts(shown: Sequence[CandidateResult]) -> list[str]:
    reported = {part for r in shown for part in r.throughput.memory_gib}
    return [*PARTS, *sorted(reported - set(PARTS) - {"capacity"})]


def _style(part: str) -> tuple[str, str]:
    return PARTS.get(part, (part.replace("_", " ").capitalize(), "part:idle"))


def _used(result: CandidateResult) -> float:
    return sum(gib for part, gib in result.throughput.memory_gib.items() if part != "capacity")


def _row(result: CandidateResult) -> Row:
    candidate, capacity = result.candidate, result.throughput.memory_capacity_gib
    texts = (
        (gib_text(_used(result)), "ink" if _used(result) <= capacity else "err"),
        (f"of {gib_text(capacity)}", "ink3"),
    )
    return replace(candidate_row(result, texts, f"{candidate.name}: {_of_text(result)}"), ticks=(capacity,))


def _bars(result: CandidateResult, number: int) -> list[Bar]:
    at, bars = 0.0, []
    for part in _parts([result]):
        gib = result.throughput.memory_gib.get(part, 0.0)
        if gib > 0:
            words, colour = _style(part)
            bars.append(Bar(number, at, at + gib, colour, f"{words} {_spaced(gib)}", part in HATCHED, part))
            at += gib
    return bars


def _summary(shown: Sequence[CandidateResult]) -> str:
    return " ".join(f"{r.candidate.name}: {_of_text(r)}." for r in shown[:5])


def _of_text(result: CandidateResult) -> str:
    """``64.2 of 78.4 GiB``; both with a unit where they have not the same."""
    used, capacity = _spaced(_used(result)), _spaced(result.throughput.memory_capacity_gib)
    unit = capacity[-4:]
    return f"{used.removesuffix(unit)} of {capacity}"


def _spaced(gib: float) -> str:
    number, _, unit = gib_text(gib).rpartition(THIN)
    return f"{number} {unit}"


def _table(shown: Sequence[CandidateResult], parts: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    header = ("candidate", *(f"{part}_gib" for part in parts), "capacity_gib")
    rows = [header]
    for r in shown:
        amounts = [f"{r.throughput.memory_gib.get(part, 0.0):.4g}" for part in parts]
        rows.append((r.candidate.name, *amounts, f"{r.throughput.memory_capacity_gib:.4g}"))
    return tuple(rows)


CHART = ChartKind("memory", TITLE, memory_stack, (Stand("performance", turn=30),), has_rows=True)
