"""Every chart by its id, for the report and for the self-test's count."""

from __future__ import annotations

from collections.abc import Callable

from core.comparison.result import ResultSet
from gui.charts.figure.figure import Figure
from gui.charts.kinds.cost_bars import cost_bars
from gui.charts.kinds.count_bars import count_bars
from gui.charts.kinds.cumulative_cash import cumulative_cash
from gui.charts.kinds.decision_map import decision_map
from gui.charts.kinds.exit_bill import exit_bill
from gui.charts.kinds.flexibility_bars import flexibility_bars
from gui.charts.kinds.latency_load import latency_load
from gui.charts.kinds.memory_stack import memory_stack
from gui.charts.kinds.roofline import roofline
from gui.charts.kinds.round_trip import round_trip
from gui.charts.kinds.save_interval import interval_figure
from gui.charts.kinds.spot_risk import spot_figure
from gui.charts.kinds.step_time import step_time
from gui.charts.kinds.throughput import throughput
from gui.charts.kinds.unit_cost import unit_cost

FIGURES: dict[str, Callable[[ResultSet, str | None], Figure]] = {
    "decision-map": decision_map,
    "cost-by-part": cost_bars,
    "unit-cost": unit_cost,
    "cumulative-cash": cumulative_cash,
    "chips-days-cost": count_bars,
    "spot-risk": spot_figure,
    "save-interval": interval_figure,
    "roofline": roofline,
    "throughput": throughput,
    "step-time": step_time,
    "memory": memory_stack,
    "latency-load": latency_load,
    "places": round_trip,
    "flexibility": flexibility_bars,
    "exit-bill": exit_bill,
}
