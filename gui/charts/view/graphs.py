"""pyqtgraph as ``pg``, loaded with the few classes of Qt that it uses rather than with all of them."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from types import ModuleType
from typing import Any

_COPIED = ("QtCore", "QtGui", "QtWidgets")


@contextmanager
def _nothing_copied() -> Iterator[None]:
    """While it is loaded pyqtgraph copies every name of these modules into modules of its own, for which PySide makes
    some 900 classes: 8 MB and 70 ms of each start. Ours fetch a name when it is asked for."""
    sources: list[Any] = [import_module(f"PySide6.{name}") for name in _COPIED]
    for source, name in zip(sources, _COPIED, strict=True):
        mirror: Any = ModuleType(f"pyqtgraph.Qt.{name}")
        mirror.__getattr__ = _fetching(source, mirror)
        sys.modules[mirror.__name__] = mirror
        source.__dir__ = list  # nothing that could be copied
    try:
        yield
    finally:
        for source in sources:
            del source.__dir__


def _fetching(source: ModuleType, mirror: ModuleType) -> Callable[[str], Any]:
    def fetch(name: str) -> Any:
        value = getattr(source, name)
        setattr(mirror, name, value)
        return value

    return fetch


if "pyqtgraph" in sys.modules:
    import pyqtgraph as pg
else:
    with _nothing_copied():
        import pyqtgraph as pg

__all__ = ["pg"]
