"""Every chart by its id, for the report and for the self-test's count."""

from __future__ import annotations

from collections.abc import Callable

from core.comparison.result import ResultSet
from gui.charts.cost_bars import cost_bars
from gui.charts.count_bars import count_bars
from gui.charts.cumulative_cash import cumulative_cash
from gui.charts.decision_map import decision_map
from gui.charts.exit_bill import exit_bill
from gui.charts.figure import Figure
from gui.charts.flexibility_bars import flexibility_bars
from gui.charts.latency_load import latency_load
from gui.charts.memory_stack import memory_stack
from gui.charts.roofline import roofline
from gui.charts.round_trip import round_trip
from gui.charts.save_interval import interval_figure
from gui.charts.spot_risk import spot_figure
from gui.charts.step_time import step_time
from gui.charts.throughput import throughput
from gui.charts.unit_cost import unit_cost

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
