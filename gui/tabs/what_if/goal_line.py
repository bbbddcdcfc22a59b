"""A goal in one line: bring A or B to a cost, a day or a chance by one input, and what value that takes."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import cast

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QWidget

from core.comparison.what_if.goal_seek import Goal, Target
from core.comparison.what_if.inputs import Input
from core.comparison.what_if.words import title_of, value_words
from core.errors import InputError
from core.units import THIN, days_text, parse_number, shown_money, usd
from gui.forms.choice_editors import NoWheelComboBox
from gui.theme.naming import named
from gui.theme.plain import as_text
from gui.widgets.elided import ElidedLabel
from gui.widgets.live import PAGE_SIDE_PX, label


@dataclass(frozen=True, slots=True)
class _Kind:
    """A target as it is listed and spoken of, an amount of it as one types it, and units that may stand behind."""

    words: str
    noun: str
    expected: str
    example: str
    units: tuple[str, ...] = ()

    def typed(self, text: str) -> float:
        """Raises ValueError for what is no number."""
        bare = text.strip().lower()
        unit = next((one for one in self.units if bare.endswith(one)), "")
        return parse_number(bare.removesuffix(unit))


KINDS: dict[Target, _Kind] = {
    "cost": _Kind("total cost", "cost", "A number", "1.2 M"),
    "days": _Kind("days to ready", "time", "A number of days", "45", ("days", "d")),
    "chance": _Kind("chance of keeping limits, %", "chance", "A chance from 0 to 100", "90", ("%",)),
}


class GoalLine(QWidget):
    """``wanted`` tells side, target and amount (USD, days or a share); the input is that of the selected row. An answer
    goes as soon as another question stands there."""

    wanted = Signal(str, str, float)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.side = named(NoWheelComboBox(), "goal-side", "Goal for option")
        for letter in ("A", "B"):
            self.side.addItem(as_text(letter), letter.lower())
        self.target = named(NoWheelComboBox(), "goal-target", "Goal")
        for key, kind in KINDS.items():
            self.target.addItem(as_text(kind.words), key)
        self.amount = named(QLineEdit(), "goal-amount", "Amount of the goal; Enter seeks it")
        self.amount.setFixedWidth(110)
        self.input = label("", "strong", "goal-input")
        self.answer = ElidedLabel()
        self.answer.setObjectName("goal-answer")
        row = QHBoxLayout(self)
        row.setContentsMargins(PAGE_SIDE_PX, 2, PAGE_SIDE_PX, 6)
        row.setSpacing(8)
        for widget in (label("Bring", "ink2"), self.side, self.target, label("to", "ink2"), self.amount):
            row.addWidget(widget)
        for widget in (label("by", "ink2"), self.input):
            row.addWidget(widget)
        row.addWidget(self.answer, 1)
        self._asked: tuple[str, Target] | None = None
        self.amount.returnPressed.connect(self.seek)
        self.amount.textEdited.connect(self.forget)
        self.side.currentIndexChanged.connect(self.forget)
        self.target.currentIndexChanged.connect(self._on_target)
        self._on_target()

    def show_input(self, one: Input | None) -> None:
        """The input by which the goal is sought."""
        self.input.setText(title_of(one) if one else "")
        self.forget()

    def forget(self) -> None:
        """What was asked is not asked any more."""
        self._asked = None
        self.answer.setText("")

    def seek(self) -> None:
        """Asks, or says what is no number."""
        target, kind = self._target, KINDS[self._target]
        try:
            typed = kind.typed(self.amount.text())
        except (InputError, ValueError):
            typed = math.nan
        if math.isnan(typed) or (target == "chance" and not 0 <= typed <= 100):
            self.answer.setText(f"{kind.expected}, such as {kind.example}")
            return
        amount = {"cost": typed / shown_money().per_usd, "chance": typed / 100}.get(target, typed)
        self._asked = self.side.currentText(), target
        self.answer.setText("…")
        self.wanted.emit(str(self.side.currentData()), target, amount)

    def show_goal(self, goal: Goal) -> None:
        """Which value it takes, or that it does not depend on the input; nothing where another question stands."""
        if self._asked is not None:
            side, target = self._asked
            self.say(goal_words(goal, target, side))

    def say(self, words: str) -> None:
        """An answer, or why there is none."""
        self.answer.setText(words)

    @property
    def _target(self) -> Target:
        return cast(Target, self.target.currentData())

    def _on_target(self) -> None:
        self.amount.setPlaceholderText(f"such as {KINDS[self._target].example}")
        self.forget()


def goal_words(goal: Goal, target: Target, side: str) -> str:
    """``takes 4.2 weeks``, ``does not depend on it``, ``out of reach``: what is nearest, or what it leaps between."""
    name = title_of(goal.input)
    if not goal.depends:
        return f"{side}'s {KINDS[target].noun} does not depend on {name[:1].lower()}{name[1:]}"
    if goal.jump is not None:
        before, after = _reached(target, goal.jump.before), _reached(target, goal.jump.after)
        return f"out of reach: goes from {before} to {after} past {value_words(goal.input, goal.jump.value)}"
    if goal.value is None:
        return f"out of reach: {_reached(target, goal.reached)} at the nearest"
    return f"takes {value_words(goal.input, goal.value)} (now {value_words(goal.input, goal.input.now)})"


def _reached(target: Target, reached: float) -> str:
    if target == "cost":
        return usd(reached)
    return f"{days_text(reached)}{THIN}d" if target == "days" else f"{100 * reached:.0f}{THIN}%"
