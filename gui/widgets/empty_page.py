"""What a page shows before it has anything to show: a sentence and the one thing to do next."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QPushButton, QVBoxLayout, QWidget

SENTENCE_PX = (520, 64)


def empty_page(sentence: QLabel, button: QPushButton) -> QWidget:
    """Both in the middle, a little above it; who makes them says what they tell and do."""
    sentence.setWordWrap(True)
    sentence.setFixedSize(*SENTENCE_PX)
    sentence.setAlignment(Qt.AlignmentFlag.AlignCenter)
    box = QWidget()
    column = QVBoxLayout(box)
    column.addStretch(1)
    column.addWidget(sentence, 0, Qt.AlignmentFlag.AlignHCenter)
    column.addSpacing(12)
    column.addWidget(button, 0, Qt.AlignmentFlag.AlignHCenter)
    column.addStretch(2)
    return box
