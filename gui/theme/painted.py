"""Pictures that are kept after they were painted."""

from __future__ import annotations

from PySide6.QtGui import QImage


def without_painter(picture: QImage) -> QImage:
    """The same picture to keep: one that was painted on keeps its painter's working memory, some 300 kB for a line of
    text, as long as it lives. A copy has none."""
    return picture.copy()
