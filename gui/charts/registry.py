"""Every chart by its id: each module of :mod:`gui.charts.kinds` that declares a ``CHART``."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from datetime import date
from functools import cache
from typing import Any

import gui.charts.kinds
from gui.charts.answers import actuals
from gui.charts.figure.figure import Figure
from gui.charts.figure.kind import ChartKind

OF_ANSWERS: dict[str, Callable[[Any, date], Figure]] = {**actuals.DRAWN}
"""Figures of answers beside the comparison's own by id: the answer and today to what is drawn."""


@cache
def charts() -> dict[str, ChartKind]:
    """The charts by id, for the report and for the self-test's count."""
    names = [module.name for module in pkgutil.iter_modules(gui.charts.kinds.__path__)]
    modules = [importlib.import_module(f"gui.charts.kinds.{name}") for name in names]
    declared: list[ChartKind] = [module.CHART for module in modules if hasattr(module, "CHART")]
    return {chart.id: chart for chart in declared}


def pages_of(tab: str) -> dict[str, list[ChartKind]]:
    """The charts of a tab by the title of their page, pages and charts in the order of their turns."""
    here = [(stand, chart) for chart in charts().values() for stand in chart.stands if stand.tab == tab]
    pages: dict[str, list[ChartKind]] = {}
    for stand, chart in sorted(here, key=lambda one: one[0].turn):
        pages.setdefault(stand.page, []).append(chart)
    return pages
