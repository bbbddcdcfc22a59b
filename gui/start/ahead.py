"""What tabs need of the engine is read ahead by a worker once the start is over, so that they open at once."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from importlib import import_module

from PySide6.QtCore import QTimer

from core.logs.registry import formats
from gui.session.road import Road, Work, whole

AFTER_MS = 1_500
"""A start leaves the road to the first answer."""

MODULES = (
    "core.calibration.own_logs.what_ran",
    "core.calibration.published_rows",
    "core.calibration.lessons",
    "core.comparison.together.workload_range",
    "core.comparison.questions.freedom_order",
    "core.logs.drop",
    "core.logs.mapping.propose",
    "core.logs.recorder",
    "core.plan.joined_logs",
)
"""Doors of the rooms that take longest: Calibrate held the window for half a second when it was first opened,
Flexibility for a third. Widgets are made by the GUI thread alone, and so are their modules."""


def read_ahead_soon(road: Road) -> None:
    """Begins once the first answer has had its time."""
    QTimer.singleShot(AFTER_MS, road, partial(read_ahead, road))


def read_ahead(road: Road) -> Work:
    """A module a step, so that whatever the user asks for meanwhile goes first."""
    steps: list[Callable[[], object]] = [*(partial(import_module, name) for name in MODULES), formats]
    return road.start_batch(None, map(whole, steps), len(steps))
