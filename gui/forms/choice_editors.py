"""Editors in which one chooses: combo box, segmented buttons, check boxes, sliders."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QEvent, QObject, QSignalBlocker, Qt
from PySide6.QtGui import QPaintEvent, QPalette, QWheelEvent
from PySide6.QtWidgets import (
    QButtonGroup,
    QCheckBox,
    QComboBox,
    QHBoxLayout,
    QPushButton,
    QSlider,
    QStyle,
    QStyleOptionComboBox,
    QStylePainter,
    QWidget,
)

from core.plan.fields import FieldInfo
from gui.forms.editor import Editor
from gui.forms.typed_editors import NumberEditor
from gui.theme.naming import named
from gui.theme.plain import as_text, caption

MOST_SEGMENTS = 3


class NoWheelComboBox(QComboBox):
    """A combo box that the wheel scrolls past, so that scrolling a form never changes it. What has no room ends in
    dots, where Qt cuts through a letter."""

    @property
    def shown(self) -> str:
        """The choice as it is painted, or what stands there before one is made."""
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        field = QStyle.SubControl.SC_ComboBoxEditField
        room = self.style().subControlRect(QStyle.ComplexControl.CC_ComboBox, option, field, self)
        words = self.placeholderText() if self.currentIndex() < 0 else self.currentText()
        return self.fontMetrics().elidedText(words, Qt.TextElideMode.ElideRight, room.width())

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Leaves the wheel to the form."""
        event.ignore()

    def paintEvent(self, event: QPaintEvent) -> None:
        """As Qt does, with what there is room for."""
        painter, option = QStylePainter(self), QStyleOptionComboBox()
        self.initStyleOption(option)
        painter.drawComplexControl(QStyle.ComplexControl.CC_ComboBox, option)
        if self.currentIndex() < 0:
            option.palette.setBrush(QPalette.ColorRole.ButtonText, option.palette.placeholderText())
        option.currentText = self.shown
        painter.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, option)


class NoWheelSlider(QSlider):
    """A slider that the wheel scrolls past."""

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Leaves the wheel to the form."""
        event.ignore()


class ComboEditor(Editor):
    """One of several choices."""

    def __init__(self, info: FieldInfo, parent: QWidget | None = None) -> None:
        super().__init__(info, parent)
        self.combo = NoWheelComboBox()
        self.combo.setMaxVisibleItems(24)
        self.combo.setPlaceholderText("Choose one")
        for value, words in info.choices.items():
            self.combo.addItem(as_text(words), value)
        self.add(self.combo)
        self.combo.activated.connect(self.tell_chosen)

    def show_value(self, value: Any) -> None:
        """Shows a choice."""
        self.combo.setCurrentIndex(self.combo.findData(value))

    def target(self) -> QWidget:
        """The combo box."""
        return self.combo

    def set_state(self, state: str) -> None:
        """Colours the border."""
        self.combo.setProperty("state", state)
        self.combo.style().polish(self.combo)

    def tell_chosen(self, index: int) -> None:
        """Tells of the entry that was chosen."""
        self.edited.emit(self.combo.itemData(index))
        self.finished.emit()


class SegmentEditor(Editor):
    """Up to three choices side by side; arrow keys move between them."""

    def __init__(self, info: FieldInfo, parent: QWidget | None = None) -> None:
        super().__init__(info, parent)
        self.group = QButtonGroup(self)
        self.group.setExclusive(True)
        self._values = list(info.choices)
        for number, (value, words) in enumerate(info.choices.items()):
            button = _segment(words, _place_of(number, len(info.choices)))
            named(button, f"field-{info.path}-{value}", f"{info.title}: {words}")
            self.group.addButton(button, number)
            self.add(button)
        self.group.idClicked.connect(self._on_chosen)

    def show_value(self, value: Any) -> None:
        """Presses one segment."""
        if value in self._values:
            self.group.button(self._values.index(value)).setChecked(True)

    def target(self) -> QWidget:
        """The pressed segment."""
        return self.group.checkedButton() or self.group.buttons()[0]

    def stops(self) -> list[QWidget]:
        """Every segment."""
        return list(self.group.buttons())

    def _on_chosen(self, number: int) -> None:
        self.edited.emit(self._values[number])
        self.finished.emit()


class CheckEditor(Editor):
    """Yes or no."""

    def __init__(self, info: FieldInfo, parent: QWidget | None = None) -> None:
        super().__init__(info, parent)
        self.box = QCheckBox()
        self.add(self.box)
        self.row.addStretch(1)
        self.box.clicked.connect(self._on_clicked)

    def show_value(self, value: Any) -> None:
        """Sets the tick."""
        self.box.setChecked(bool(value))

    def target(self) -> QWidget:
        """The box."""
        return self.box

    def _on_clicked(self, is_checked: bool) -> None:
        self.edited.emit(is_checked)
        self.finished.emit()


class SliderEditor(NumberEditor):
    """A number from 0 to 100 as a slider beside its field."""

    def __init__(self, info: FieldInfo, parent: QWidget | None = None) -> None:
        super().__init__(info, parent)
        self.slider = NoWheelSlider(Qt.Orientation.Horizontal)
        self.slider.setRange(round(info.bounds.ge or 0), round(info.bounds.le or 100))
        self.slider.setPageStep(10)
        self.slider.setObjectName(f"slider-{info.path}")
        self.slider.setAccessibleName(f"{info.title}, slider")
        self.slider.installEventFilter(self)
        self.row.setSpacing(12)
        self.row.insertWidget(0, self.slider, 1)
        self.line.setFixedWidth(56)
        self.slider.valueChanged.connect(self._on_slid)

    def show_value(self, value: Any) -> None:
        """Moves the slider as well."""
        super().show_value(value)
        self.follow(value)

    def follow(self, value: Any) -> None:
        """The slider stands where the plan does, or its next key would go on from elsewhere."""
        with QSignalBlocker(self.slider):
            self.slider.setValue(round(value))

    def stops(self) -> list[QWidget]:
        """Slider, then field."""
        return [self.slider, self.line]

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The step of sliding ends when slider or keys are let go and the focus leaves."""
        if watched is self.slider and event.type() in (QEvent.Type.FocusOut, QEvent.Type.MouseButtonRelease):
            self.finished.emit()
        return super().eventFilter(watched, event)

    def _on_slid(self, value: int) -> None:
        self._value = float(value)
        self.write(float(value))
        self.edited.emit(float(value))


def segmented_buttons(
    owner: QWidget, choices: Mapping[str, str], prefix: str, title: str = "", width_px: int = 0
) -> tuple[QButtonGroup, QHBoxLayout]:
    """A row of buttons of which one is pressed: pages of a dialog, or places to choose between.

    They are numbered in the order of ``choices``; ``title`` tells screen readers what is chosen.
    """
    group, row = QButtonGroup(owner), QHBoxLayout()
    group.setExclusive(True)
    row.setSpacing(0)
    for number, (key, words) in enumerate(choices.items()):
        button = _segment(words, _place_of(number, len(choices)))
        named(button, f"{prefix}-{key}", f"{title}: {words}" if title else words)
        button.setAutoDefault(False)
        button.setMinimumWidth(width_px)
        group.addButton(button, number)
        row.addWidget(button)
    return group, row


def _segment(words: str, place: str) -> QPushButton:
    button = QPushButton(caption(words))
    button.setCheckable(True)
    button.setProperty("kind", "segment")
    button.setProperty("place", place)
    return button


def _place_of(number: int, count: int) -> str:
    return "first" if number == 0 else "last" if number == count - 1 else "middle"
