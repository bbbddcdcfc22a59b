"""C18 log timeline: what a log saw over time, one figure a quantity, with the steady window that calibration uses."""

from __future__ import annotations

from dataclasses import dataclass

from core.calibration.log_window import inside
from core.logs.record import LogRecord
from core.logs.registry import quantity_kinds
from core.units import plain
from gui.charts.figure.figure import Axis, Curve, Figure, Limit, Note
from gui.charts.figure.ticks import linear_ticks

MOST_ROWS = 3
RIGHT_PX = 132


@dataclass(frozen=True, slots=True)
class TimeScale:
    """The unit that suits a log's length."""

    seconds: float
    title: str


def time_scale(duration_s: float) -> TimeScale:
    """Seconds, minutes or hours since the start of the log."""
    if duration_s > 5 * 3600:
        return TimeScale(3600.0, "Hours since the start of the log")
    if duration_s > 300:
        return TimeScale(60.0, "Minutes since the start of the log")
    return TimeScale(1.0, "Seconds since the start of the log")


def shown_quantities(record: LogRecord) -> list[str]:
    """The quantities worth a row, throughput first, three at most."""
    kinds = quantity_kinds()
    charted = [name for name in record.quantities if name in kinds and kinds[name].turn]
    return sorted(charted, key=lambda name: kinds[name].turn)[:MOST_ROWS]


def timeline_figures(record: LogRecord, window_s: tuple[float, float], colour: str) -> list[Figure]:
    """One figure a quantity, top to bottom; only the last one shows the time axis."""
    names = shown_quantities(record)
    return [_figure(record, name, window_s, colour, last=name == names[-1]) for name in names]


def _figure(record: LogRecord, name: str, window_s: tuple[float, float], colour: str, last: bool) -> Figure:
    scale = time_scale(record.duration_s)
    top = _round_top(_highest(record, name, window_s))
    xs, ys = _known_points(record, name, scale)
    start, end = window_s[0] / scale.seconds, window_s[1] / scale.seconds
    window = Curve((start, end), (0.0, 0.0), "nvidia_gpu", low=(0.0, 0.0), high=(top, top), width_px=0.5)
    x_high = max(record.duration_s / scale.seconds, 1e-6)
    title = _title(name)
    lines = _statistics(record, name, window_s)
    return Figure(
        title="",
        summary=f"{title}: " + ", ".join(lines),
        x=Axis(scale.title, 0.0, x_high, shown=last),
        y=Axis("", 0.0, top, names=tuple((tick, plain(tick)) for tick in (0.0, top / 2, top))),
        curves=(window, Curve(xs, ys, colour, width_px=1.25)),
        limits=_window_limits(start, end),
        notes=_notes(title, lines, x_high, top),
        right_px=RIGHT_PX,
        left_px=48,
        table=(("time_s", name), *((str(x * scale.seconds), str(y)) for x, y in zip(xs, ys, strict=True))),
    )


def _title(name: str) -> str:
    """The quantity with its unit, which rates have in their name."""
    kind = quantity_kinds()[name]
    return f"{kind.title}, {kind.unit}" if kind.unit and "/s" not in kind.unit else kind.title


def _highest(record: LogRecord, name: str, window_s: tuple[float, float]) -> float:
    """Top of the axis: the window's highest reading, so that a spike at the start does not flatten the rest."""
    steady = inside(record, name, window_s)
    return float(steady.max()) if len(steady) else float(record.quantities[name].max)


def _window_limits(start: float, end: float) -> tuple[Limit, Limit]:
    return (
        Limit("window-start", "x", start, "", draggable=True, solid=True, past=False),
        Limit("window-end", "x", end, "", draggable=True, solid=True, past=False),
    )


def _known_points(record: LogRecord, name: str, scale: TimeScale) -> tuple[tuple[float, ...], tuple[float, ...]]:
    values = record.series[name]
    known = values == values
    return tuple((record.time_s[known] / scale.seconds).tolist()), tuple(values[known].tolist())


def _statistics(record: LogRecord, name: str, window_s: tuple[float, float]) -> list[str]:
    """Mean and median within the window, and the chip's own limit where the log holds it."""
    values = inside(record, name, window_s)
    if not len(values):
        return ["no reading in the window"]
    lines = [f"mean {plain(float(values.mean()))}"]
    kind = quantity_kinds()[name]
    if kind.limit in record.quantities:
        lines.append(kind.limit_words.format(plain(record.quantities[kind.limit].p50)))
    else:
        lines.append(f"median {plain(sorted(values)[len(values) // 2])}")
    return lines


def _notes(title: str, lines: list[str], x: float, top: float) -> tuple[Note, ...]:
    first = Note(x, top, title, "ink", dx_px=12, dy_px=6, strong=True)
    return (first, *(Note(x, top, line, "ink3", dx_px=12, dy_px=24 + 16 * i) for i, line in enumerate(lines)))


def _round_top(value: float) -> float:
    """The round value at or above: the axis ends on a tick."""
    if value <= 0:
        return 1.0
    return next(tick for tick in linear_ticks(0.0, value * 2.0, 6) if tick >= value)
