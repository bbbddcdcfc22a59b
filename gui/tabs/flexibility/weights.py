"""Weights of the criteria: a set of them, a slider each, and what 10 points are worth to the user."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QGridLayout, QVBoxLayout, QWidget

from core.comparison.together import workload_range
from core.errors import InputError
from core.flexibility.registry import criteria
from core.flexibility.taken_range import ID as RANGE
from core.flexibility.taken_range import TITLE
from core.plan.edit import set_value
from core.plan.fields import fields
from core.workload.freedom import PRESET_WORDS, Freedom
from core.workload.profile import Profile
from gui.forms.choice_editors import NoWheelComboBox, NoWheelSlider
from gui.forms.typed_editors import NumberEditor
from gui.theme.naming import named
from gui.theme.plain import as_text
from gui.widgets.live import label

TITLE_PX, VALUE_PX = 104, 26
MOST_WEIGHT = 100
WORTH = "ten_points_usd_per_month"
TITLES = {
    **{one.id: one.title for one in criteria() if len(one.id) < 3 and one.id < RANGE},
    RANGE: TITLE,
    **{one.id: one.title for one in criteria() if len(one.id) > 2 or one.id > RANGE},
}
"""Of all criteria by their ids, in order."""


def weights_of(profile: Profile) -> dict[str, float]:
    """The weight of every criterion as it counts now."""
    known = {one.id: one.weight(profile) for one in criteria()}
    return known | {RANGE: workload_range.weight_of(profile.freedom)}


class Weights(QWidget):
    """``edited`` tells field, value and words of the step, ``refused`` a field and what is wrong with its text; a set
    of weights takes all weights by hand back."""

    edited = Signal(str, object, str)
    refused = Signal(str, str)
    preset_chosen = Signal(str)
    finished = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.preset = named(NoWheelComboBox(), "weights-preset", "Set of weights")
        for key, words in PRESET_WORDS.items():
            self.preset.addItem(as_text(words), key)
        self.by_hand = label("", "small", "weights-by-hand", wraps=True)
        self.sliders = {one: self._slider(one, title) for one, title in TITLES.items()}
        self._values = {one: label("", "", f"weight-{one}-value") for one in TITLES}
        info = next(one for one in fields(Freedom) if one.path == WORTH)
        self.worth = NumberEditor(info)
        named(self.worth.line, "ten-points-worth", "10 points are worth, a month")
        self.problem = label("", "err", "ten-points-problem", wraps=True)
        self.problem.hide()
        self._beside_problem: float | None = None
        self._lay_out()
        self.preset.activated.connect(lambda _: self.preset_chosen.emit(self.preset.currentData()))
        self.worth.edited.connect(self._on_worth)
        self.worth.refused.connect(lambda words: self.refused.emit(WORTH, words))
        self.worth.finished.connect(self.finished)

    def _slider(self, criterion_id: str, title: str) -> NoWheelSlider:
        slider = named(NoWheelSlider(Qt.Orientation.Horizontal), f"weight-{criterion_id}", f"Weight of {title}")
        slider.setRange(0, MOST_WEIGHT)
        slider.setPageStep(5)
        slider.valueChanged.connect(lambda value, one=criterion_id: self._on_moved(one, value))
        slider.sliderReleased.connect(self.finished)
        return slider

    def _lay_out(self) -> None:
        column, grid = QVBoxLayout(self), QGridLayout()
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addWidget(self.preset)
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(4)
        for row, (one, title) in enumerate(TITLES.items()):
            self._values[one].setFixedWidth(VALUE_PX)
            self._values[one].setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            name = label(title, "ink2", explains=True)
            name.setFixedWidth(TITLE_PX)
            for place, widget in enumerate((name, self.sliders[one], self._values[one])):
                grid.addWidget(widget, row, place)
        column.addLayout(grid)
        column.addWidget(self.by_hand)
        column.addWidget(label("10 points are worth, a month", "ink2"))
        column.addWidget(self.worth)
        column.addWidget(self.problem)

    def show_profile(self, profile: Profile) -> None:
        """The weights of a workload, without telling anybody; a slider that is held stays in the hand."""
        free = profile.freedom
        self.preset.setCurrentIndex(self.preset.findData(free.preset))
        for one, weight in weights_of(profile).items():
            with QSignalBlocker(self.sliders[one]):
                self.sliders[one].setValue(round(weight))
            self._values[one].setText(f"{weight:.0f}")
        typed = [title for one, title in TITLES.items() if free.weight_of(one) is not None]
        self.by_hand.setText(f"Set by hand: {', '.join(typed)}; choosing a set takes them back" if typed else "")
        self.by_hand.setVisible(bool(typed))
        self._show_worth(free.ten_points_usd_per_month)

    def refuse(self, words: str, usd: float | None) -> None:
        """A text that is no value stays to be mended, with a sentence below it, beside the value that counts."""
        self._beside_problem = usd
        self._say(words)

    def _show_worth(self, usd: float | None) -> None:
        if not self.problem.text() or usd != self._beside_problem:
            self._say("")
            self.worth.show_value(usd)

    def _say(self, words: str) -> None:
        self.problem.setText(words)
        self.problem.setVisible(bool(words))
        self.worth.set_state("error" if words else "")

    def _on_worth(self, usd: float | None) -> None:
        try:
            set_value(Freedom(), WORTH, usd)
        except InputError as error:
            self.refused.emit(WORTH, f"Expected {error.expected}")
            return
        self._say("")
        self.edited.emit(WORTH, usd, "Worth of 10 points")

    def _on_moved(self, criterion_id: str, value: int) -> None:
        self._values[criterion_id].setText(str(value))
        self.edited.emit(criterion_id.lower(), float(value), f"Weight of {TITLES[criterion_id]}")


def of_preset(preset: str) -> dict[str, Any]:
    """Fields and values that choose a set of weights: it takes back every weight set by hand."""
    return {"preset": preset} | {one.lower(): None for one in TITLES}
