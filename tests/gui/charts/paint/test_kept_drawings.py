"""What charts draw, to a third of a pixel: figures made up to show every way of drawing, and charts of results made up
for tests, which no change of the engine moves. ``ROOFPLAN_UPDATE_GOLDEN=1`` writes them anew; read the difference.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.calibration.accepted import Check
from gui.charts.figure.figure import (
    Area,
    Axis,
    Bar,
    Curve,
    Figure,
    LegendEntry,
    Limit,
    Mark,
    Note,
    Row,
    Step,
)
from gui.charts.kinds.check_errors import check_errors
from gui.charts.kinds.predicted_measured import Pair, predicted_measured_figure
from gui.charts.paint.picture import natural_height
from gui.charts.paint.points import Highlights
from gui.charts.registry import charts
from tests.gui.charts.paint.shapes import assert_drawn, drawn, whole
from tests.gui.sample_results import sample_results

OF_SERVICE = ("decision-map", "latency-load", "unit-cost", "memory")
pytestmark = pytest.mark.usefixtures("qapp")


SWATCHES = ("circle", "square", "hollow", "half", "dashed", "box", "hatch", "line", "dash", "tick")
LEGEND = (
    *(LegendEntry(f"as {swatch}", "nvidia_gpu", swatch) for swatch in SWATCHES),
    LegendEntry("pale", "google_tpu", "box", 0.4),
    LegendEntry("words only"),
)


def _mark(name: str, x: float, y: float, **more: object) -> Mark:
    told: dict[str, object] = {
        "x_range": (x - 1, x + 1.5), "y_range": (y - 6, y + 9), "radius_px": 6.0, "shape": "circle",
        "colour": "nvidia_gpu", "hollow": False, "value": f"{name} $1.2 M", "tip": "", **more,
    }  # fmt: skip
    return Mark(id=name, x=x, y=y, name=name, **told)  # type: ignore[arg-type]


MARKS = (
    _mark("Alpha", 2, 30, show_value=True),
    _mark("Beta", 2.4, 33, shape="square", fill="half", colour="google_tpu"),
    _mark("Gamma", 5, 60, shape="square", fill="dashed", x_range=None, show_value=True),
    _mark("Delta", 5.4, 61, fill="half", y_range=None),
    _mark("Omega", 5.2, 64, fill="dashed", radius_px=8.0),
    _mark("Hollow", 8, 20, hollow=True, fill="dashed"),
    _mark("Unnamed", 8.3, 24, show_name=False),
    _mark("At the edge", 9.9, 98, show_value=True),
    _mark("Outside", 11, 50),
    _mark("Low", 0.1, 1),
)
LIMITS = (
    Limit("budget", "x", 6, "Budget $6 M", draggable=True),
    Limit("plan", "x", 6.6, "Plan ends", solid=True, past=False),
    Limit("time", "y", 80, "60 days, 30 Jan", draggable=True),
    Limit("soon", "y", 99, "High", side="left", past=False),
    Limit("far", "y", 140, "Not seen"),
    Limit("far too", "x", 14, "Not seen"),
)
CURVES = (
    Curve((0, 3, 6, 10), (10, 20, 35, 50), "nvidia_gpu", "up", labels=("H100", "$2.10"), low=(5, 15, 30, 42),
          high=(20, 30, 45, 60)),
    Curve((0, 5, 10), (70, 48, 46), "google_tpu", "down", dashed=True, labels=("TPU",), width_px=1.5),
    Curve((0, 5, 5, 10), (90, 90, 5, 5), "ink3", name="best so far"),
)  # fmt: skip
NOTES = (
    Note(4, 40, "plain", dx_px=3, dy_px=-8),
    Note(4, 44, "centred", align="centre", strong=True),
    Note(9, 70, "to the right", align="right", colour="ink3"),
    Note(5, 48, "where they meet", dot=True, dy_px=-12, strong=True),
    Note(9.9, 3, "beside the corner", dot=True, dx_px=4, dy_px=10),
)
POINTS = Figure(
    "Points", "summary", "every kind", Axis("Days", 0, 10), Axis("Cost", 0, 100, scale=10), marks=MARKS, legend=LEGEND,
    limits=LIMITS,
)  # fmt: skip
LINES = Figure(
    "Lines", "", "", Axis("Rate", -1, 10, names=((0, "none"), (5, "five"), (12, "out"))), Axis("Share", -5, 100),
    curves=CURVES, notes=NOTES, right_px=80, limits=LIMITS[:2], marks=MARKS[3:5],
)  # fmt: skip
LOGS = Figure(
    "", x=Axis("A title that is longer than the chart is wide", 2, 5.5, log=True, scale=1e3),
    y=Axis("", -1.2, 3, log=True), left_px=20, legend=LEGEND[:2],
    marks=(_mark("One", 3, 1, x_range=(2.9, 3.3), y_range=(0.8, 1.1)),),
)  # fmt: skip
PARTS = (
    "compute", "storage", "egress", "operations", "setting_up", "porting", "pipeline", "energy", "interruptions",
)  # fmt: skip
BARS = (
    *(Bar(0, number, number + 1, f"part:{part}", "", part=part) for number, part in enumerate(PARTS)),
    Bar(1, 0, 4, "part:idle", "", hatched=True, part="idle"),
    Bar(1, 4, 4.05, "part:storage", "", part="storage"),
    Bar(2, 0, 14, "nvidia_gpu", ""),
    Bar(3, 11, 12, "nvidia_gpu", ""),
    Bar(4, 2, 3, "google_tpu", ""),
)
ROWS = (
    Row("a", "Alpha", "circle", "nvidia_gpu", right=(("1.2", "ink"), ("0.9-1.4", "ink3")), range=(7, 9.7), ticks=(5,)),
    Row("b", "A name that is much too long for the room at the left", "square", "google_tpu", True, note="Misses the "
        "deadline by 6 days; cheaper with 288 chips, which nobody lets", note_at=4.05, range=(1, 3)),
    Row("c", "Cut", right=(("14", "ink"),), range=(12, 16)),
    Row("", "Nothing"),
    Row("e", "Last", note="Short (of course)", note_at=3, ticks=(1, 6), range=(3.5, 6)),
)  # fmt: skip
STRIPED = tuple(
    Area(name, tuple(Step(x, x + 1, low, low + high) for x, high in ((0, 1.0), (1, 2.0), (2, 0.0), (3, 1.5))), colour,
         shade, stripes, labels)
    for name, low, colour, shade, stripes, labels in (
        ("base", 0.0, "nvidia_gpu", 0.5, "", ("Base", "4 chips")), ("more", 2.0, "google_tpu", 1.0, "thick", ("More",)),
        ("thin", 4.0, "ink3", 1.0, "thin", ("Thin", "a text that is too long for its room")),
        ("top", 6.0, "amd_gpu", 1.0, "", ()),
    )
)  # fmt: skip


def _rows(**more: object) -> Figure:
    return Figure("Rows", subtitle="sub", x=Axis("Cost", 0, 10), rows=ROWS, bars=BARS, legend=LEGEND[5:8], left_px=120,
                  right_px=110, limits=(Limit("b", "x", 6, "Budget", draggable=True),), **more)  # type: ignore[arg-type] # fmt: skip


AREAS = Figure("Areas", x=Axis("Months", 0, 4.5), y=Axis("Chips", 0, 8), areas=STRIPED, right_px=90)
LIT = Highlights("b", "a", ("Alpha", "Gamma"), "idle")


def test_points_are_drawn_as_ever() -> None:
    selected = Highlights("Beta", "Gamma", ("Beta", "Delta"))
    assert_drawn("points", {
        "wide": drawn(POINTS, (640, 360)),
        "selected": drawn(POINTS, (640, 360), selected),
        "tight": drawn(POINTS, (300, 170), selected, stale=True),
        "logs": drawn(LOGS, (260, 200)),
        "paper": drawn(LOGS, (420, 200), on_paper=True),
    })  # fmt: skip


def test_lines_are_drawn_as_ever() -> None:
    assert_drawn("lines", {
        "wide": drawn(LINES, (640, 360)),
        "selected": drawn(LINES, (480, 240), Highlights("down", "up")),
        "areas": drawn(AREAS, (480, 260)),
        "empty": drawn(Figure("Nothing", empty="Fill in tokens"), (300, 120)),
    })  # fmt: skip


def test_rows_are_drawn_as_ever() -> None:
    whisker, above = _rows(whisker_below=True, row_px=34), _rows(names_above=True, row_px=46)
    assert_drawn("rows", {
        "plain": drawn(_rows(), (640, 300)),
        "lit": drawn(_rows(), (640, 300), LIT),
        "whisker": drawn(whisker, (520, round(natural_height(whisker, 520)))),
        "above": drawn(above, (520, round(natural_height(above, 520))), LIT),
        "paper": drawn(_rows(row_px=24), (520, 200), on_paper=True),
        "tight": drawn(_rows(), (340, 150)),
    })  # fmt: skip


@pytest.mark.parametrize("serving", [False, True])
def test_charts_of_made_up_results_are_drawn_as_ever(serving: bool) -> None:
    results = sample_results(serving)
    selected = results.results[1].id
    told = {}
    for chart in OF_SERVICE if serving else charts():
        kind = charts()[chart]
        figure = kind.draw(results, selected)
        height = round(natural_height(figure, 620)) if figure.rows else 340
        told[chart] = whole(figure, (620, height), Highlights(selected=selected))
    assert_drawn("service" if serving else "run", told)


def test_charts_of_measurements_are_drawn_as_ever() -> None:
    checks = [
        Check(name="Tokens/s", before_pct=15.2, after_pct=2.0), Check(name="Power", before_pct=-38.0, after_pct=-0.2),
        Check(name="Memory", before_pct=4.0, after_pct=-97.0),
    ]  # fmt: skip
    pair = Pair("a", "H100", "nvidia_gpu", "circle", 1000.0, 800.0, 990.0)
    pairs = [pair, replace(pair, id="b", name="TPU", colour="google_tpu", shape="square", measured=55.0, before=210.0)]
    assert_drawn("measured", {
        "errors": whole(check_errors(checks), (460, 240)),
        "one": whole(check_errors(checks[:1]), (320, 160)),
        "pairs": whole(predicted_measured_figure(pairs), (420, 320)),
        "pair": whole(predicted_measured_figure(pairs[:1]), (420, 320), Highlights("a", "a-before")),
    })  # fmt: skip
