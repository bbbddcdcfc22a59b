"""Every chart of some results as files: a picture of twice the screen's pixels and a drawing of vectors each."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QSizeF

from core.breath import breathe
from core.comparison.result import ResultSet
from core.errors import MachineError
from gui.charts.figure.figure import Figure
from gui.charts.paint.picture import natural_height
from gui.charts.registry import charts
from gui.charts.view.export import save
from gui.theme.theme import Theme

WIDTH_PX, HEIGHT_PX = 960.0, 540.0
_KINDS = (".png", ".svg")


def write_charts(
    results: ResultSet, theme: Theme, folder: Path, prefix: str, told: Callable[[float], object] = lambda _: None
) -> list[Path]:
    """Writes all charts that have something to show, named ``<prefix>-<chart>``; ``told`` hears the share that is done.

    For threads that may wait for the engine: some charts ask it. Raises MachineError when the disk refuses.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise MachineError(f"write charts to {folder}", error.strerror or str(error)) from error
    written: list[Path] = []
    for number, (name, kind) in enumerate(charts().items(), start=1):
        breathe()
        figure = kind.draw(results, results.recommendation.choice)
        if figure.title and not figure.empty:
            written += _saved(figure, theme, folder / f"{prefix}-{name}")
        told(number / len(charts()))
    return written


def _saved(figure: Figure, theme: Theme, path: Path) -> list[Path]:
    """One chart, as high as its rows need."""
    size = QSizeF(WIDTH_PX, natural_height(figure, WIDTH_PX) if figure.rows else HEIGHT_PX)
    files = [path.with_name(f"{path.name}{kind}") for kind in _KINDS]
    for file in files:
        save(figure, theme, size, file)
    return files
