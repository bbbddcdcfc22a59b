"""Workshop and factory: the guides' regions with the plan's workloads in the colours of what costs less there."""

from __future__ import annotations

from collections.abc import Sequence

from core.comparison.together.part import STILL_NEEDED
from core.comparison.together.workload_map import (
    FACTORY,
    LEFT_PCT,
    RIGHT_PCT,
    WORKSHOP,
    Line,
    Placed,
    height_of,
    worst_disagreement,
)
from core.units import DASH, MINUS, THIN, plain
from gui.charts.figure.figure import (
    Axis,
    Bar,
    Curve,
    Figure,
    LegendEntry,
    Limit,
    Mark,
    Note,
    Row,
    Shape,
    left_room,
    right_room,
)
from gui.theme.chip_colours import NEUTRAL

MAP_TITLE, GAPS_TITLE = "Workshop and factory", "What the numbers say"
GPU, TPU = "nvidia_gpu", "google_tpu"
"""Colour keys of the two kinds."""
COLOURS = {"gpu": GPU, "tpu": TPU, "close": NEUTRAL, "none": NEUTRAL}
LEAN_WORDS = {
    "gpu": "the guides lean GPU",
    "tpu": "the guides lean TPU",
    "depends": "the guides say it depends",
    None: "its share of matrix products is unknown",
}
CALL_COLOURS = {"agree": "good", "disagree": "err"}
ONLY = {"gpu": "only GPUs fit", "tpu": "only TPUs fit"}
AT_WORK = "at work"
"""Stands beside a workload whose costs are not known yet."""
ONLY_SHORT = {"gpu": "GPU only", "tpu": "TPU only"}
EMPTY = "A workload stands here once its model is known"
RADIUS_PX, N_PIECES = 6.5, 40
_LEGEND = (
    LegendEntry("GPU costs less", GPU, "circle"),
    LegendEntry("TPU costs less", TPU, "square"),
    LegendEntry("too close to call", NEUTRAL, "hollow"),
)


def workload_map(rows: Sequence[Placed]) -> Figure:
    """The map; a workload whose share nobody knows is a line over the full width."""
    left = LEFT_PCT if all(one.matrix_pct is None or one.matrix_pct.likely >= LEFT_PCT for one in rows) else 0.0
    unknown = tuple(_unknown(one, left) for one in rows if one.matrix_pct is None)
    return Figure(
        MAP_TITLE,
        " ".join(_sentence(one) for one in rows) or EMPTY,
        "marks show what the numbers say",
        x=Axis("Tensor-heaviness: time in matrix products, %", left, RIGHT_PCT),
        y=Axis("Stability: 0 changes weekly, 100 frozen", 0.0, 100.0),
        marks=tuple(_mark(one) for one in rows if one.matrix_pct is not None),
        curves=(*_regions(left), *unknown),
        notes=_names(left),
        legend=_LEGEND,
        table=_table(rows),
        left_px=48,
        right_px=16,
    )


def _regions(left: float) -> tuple[Curve, ...]:
    """The two leans as bands to their borders; what lies between depends."""
    xs, low = _border(WORKSHOP, left, WORKSHOP[1][0])
    workshop = Curve(xs, low, GPU, dashed=True, low=tuple(0.0 for _ in xs), high=low, width_px=1.0)
    xs, high = _border(FACTORY, FACTORY[0][0], RIGHT_PCT)
    factory = Curve(xs, high, TPU, dashed=True, low=high, high=tuple(100.0 for _ in xs), width_px=1.0)
    return workshop, factory


def _border(line: Line, left: float, right: float) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """A border in short pieces, so that labels may stand close to it."""
    xs = tuple(left + (right - left) * n / N_PIECES for n in range(N_PIECES + 1))
    return xs, tuple(min(height_of(line, x), 100.0) for x in xs)


def _names(left: float) -> tuple[Note, ...]:
    far = f"{GPU}_label_text", f"{TPU}_label_text"
    return (
        Note(left, 0.0, "Workshop: guides lean GPU (a guess)", far[0], "left", 10, -12, strong=True),
        Note(FACTORY[0][0], 100.0, "Factory: guides lean TPU (a guess)", far[1], "left", 34, 14, strong=True),
        Note(left, 100.0, "Depends", "ink2", "left", 10, 14, strong=True),
    )


def _mark(one: Placed) -> Mark:
    assert one.matrix_pct is not None
    shape: Shape = "square" if one.winner == "tpu" else "circle"
    return Mark(
        one.profile.id,
        one.matrix_pct.likely,
        one.stability.likely,
        (one.matrix_pct.low, one.matrix_pct.high),
        (one.stability.low, one.stability.high),
        RADIUS_PX,
        shape,
        COLOURS[one.winner],
        one.winner in ("close", "none"),
        one.profile.name,
        "",
        f"{_sentence(one)}\n{_how_to_drag(one)}",
        drag="y" if one.is_locked else "both",
    )


def _how_to_drag(one: Placed) -> str:
    across = "The layers tell the matrix share." if one.is_locked else "Across: time in matrix products."
    return f"Drag up or down, or Shift with the arrows: how often the code changes. {across}"


def _unknown(one: Placed, left: float) -> Curve:
    y = one.stability.likely
    words = f"{one.profile.name}: share of matrix products unknown"
    return Curve((left, RIGHT_PCT), (y, y), "ink3", one.profile.id, width_px=1.25, tip=words, name=words)


def gap_rows(rows: Sequence[Placed], with_ranges: bool = True) -> Figure:
    """The best TPU's cost against the best GPU's, a row a workload, around one line at 0; ranges drawn and, where there
    is room, told."""
    lines = tuple(_row(one, with_ranges) for one in rows)
    gaps = [one.gap.pct for one in rows if one.gap]
    reach = max([20.0, *(min(max(abs(gap.low), abs(gap.high)), 150.0) for gap in gaps)])
    bars = tuple(
        Bar(number, min(one.gap.pct.likely, 0.0), max(one.gap.pct.likely, 0.0), COLOURS[one.winner], _sentence(one))
        for number, one in enumerate(rows)
        if one.gap
    )
    return Figure(
        GAPS_TITLE,
        " ".join(_sentence(one) for one in rows),
        "best TPU against best GPU, total cost, %",
        x=Axis("TPU costs less    |    GPU costs less, %", -1.05 * reach, 1.05 * reach),
        rows=lines,
        bars=bars,
        limits=(Limit("even", "x", 0.0, "", solid=True, past=False),),
        table=_table(rows),
        left_px=left_room(lines),
        right_px=right_room(lines),
        row_px=34,
        bar_px=8,
        whisker_below=True,
    )


def _row(one: Placed, with_range: bool) -> Row:
    shape: Shape = "square" if one.winner == "tpu" else "circle"
    gap = one.gap.pct if one.gap else None
    none = DASH if with_range else ONLY_SHORT.get(one.winner, DASH)
    likely, call = (signed(gap.likely) if gap else none, "ink"), (one.call, CALL_COLOURS.get(one.call, "ink3"))
    beside = f"{signed(gap.low)} to {signed(gap.high)}" if gap else ONLY.get(one.winner, why_not_short(one.why_not))
    texts = (likely, (beside, "ink3"), call) if with_range else (likely, call)
    hollow = one.winner in ("close", "none")
    return Row(
        one.profile.id,
        one.profile.name,
        shape,
        COLOURS[one.winner],
        hollow,
        texts,
        range=(gap.low, gap.high) if gap else None,
        tip=_sentence(one),
    )


def why_not_short(why_not: str) -> str:
    """A word for the column where a sentence would take the bars' room; the tip tells all of it."""
    if why_not in ("", AT_WORK):
        return why_not
    return STILL_NEEDED if why_not.startswith(STILL_NEEDED) else "none fits"


def signed(pct: float) -> str:
    """``+18``, ``−22``, and 0 without a sign."""
    number = plain(abs(round(pct)), 3)
    return number if round(pct) == 0 else f"{'+' if pct > 0 else MINUS}{number}"


def _sentence(one: Placed) -> str:
    guides = LEAN_WORDS[one.lean]
    if one.gap is None:
        return f"{one.profile.name}: {guides}; {ONLY.get(one.winner) or one.why_not or 'no answer'}."
    gap = one.gap
    less = "less" if gap.pct.likely < 0 else "more"
    return (
        f"{one.profile.name}: {guides}; {gap.tpu_name} costs {plain(abs(round(gap.pct.likely)), 3)}{THIN}% {less} than "
        f"{gap.gpu_name} ({signed(gap.pct.low)} to {signed(gap.pct.high)}{THIN}%): {one.call}."
    )


def worst_words(rows: Sequence[Placed]) -> str:
    """The sentence for the worst disagreement; what holds where there is none; empty before there is an answer."""
    worst = worst_disagreement(rows)
    if worst is None and all(one.winner == "none" for one in rows):
        return ""
    if worst is None:
        return "Guides and numbers part nowhere, as far as both say anything."
    return f"Widest apart is {_sentence(worst)} The numbers are this plan's costs alone: test before relying on either."


def _table(rows: Sequence[Placed]) -> tuple[tuple[str, ...], ...]:
    lines: list[tuple[str, ...]] = [
        ("workload", "matrix_pct", "stability", "guides", "costs_less", "gap_pct", "gap_low", "gap_high", "call")
    ]
    for one in rows:
        share = f"{one.matrix_pct.likely:.1f}" if one.matrix_pct else ""
        pct = one.gap.pct if one.gap else None
        gap = [f"{value:.1f}" for value in (pct.likely, pct.low, pct.high)] if pct else [""] * 3
        place = (one.profile.name, share, f"{one.stability.likely:.1f}", one.lean or "")
        lines.append((*place, one.winner, *gap, one.call))
    return tuple(lines)
