"""A throw-away chart: this one file gives the Cost tab a page whose bars open their formula in Why."""

from core.comparison.questions.bill_parts import EXPLAINS
from core.comparison.result import ResultSet
from gui.charts.figure.figure import Axis, Bar, Figure, Row, left_room
from gui.charts.figure.kind import ChartKind, Stand

TITLE = "Compute alone"


def compute_bars(results: ResultSet, selected_id: str | None = None) -> Figure:
    shown = results.results[:3]
    amounts = [result.cost.part("compute") for result in shown]
    key = EXPLAINS.key("compute")
    rows = tuple(Row(result.id, result.candidate.name) for result in shown)
    return Figure(
        TITLE,
        "What the chips cost, without the rest of the bill.",
        x=Axis("USD", 0.0, max(amounts)),
        rows=rows,
        bars=tuple(Bar(row, 0.0, usd, "ink", "Compute", explains=key) for row, usd in enumerate(amounts)),
        left_px=left_room(rows),
    )


CHART = ChartKind("compute-alone", TITLE, compute_bars, (Stand("cost", "Compute"),), has_rows=True)
