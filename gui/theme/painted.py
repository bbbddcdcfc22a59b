"""Pictures that are kept, or written, after they were painted."""

from __future__ import annotations

from PySide6.QtCore import QBuffer, QIODevice
from PySide6.QtGui import QImage


def without_painter(picture: QImage) -> QImage:
    """The same picture to keep: one that was painted on keeps its painter's working memory, some 300 kB for a line of
    text, as long as it lives. A copy has none."""
    return picture.copy()


def png_of(picture: QImage) -> bytes:
    """What a file of the picture holds, so that it can be written whole; Qt would begin it in its place."""
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    picture.save(buffer, "PNG")  # type: ignore[call-overload]  # which takes text alone, whatever it is told to take
    return bytes(buffer.data().data())
