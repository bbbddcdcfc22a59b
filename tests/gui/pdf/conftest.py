"""Paper is written with Qt begun, as its typeface is read by Qt."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QApplication


@pytest.fixture(autouse=True)
def begun(qapp: QApplication) -> None:
    """Qt has begun."""
