"""A goal in one line: bring A or B to a cost, a day or a chance by one input, and what value that takes."""

from __future__ import annotations

from typing import Literal, cast

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

TARGETS: dict[str, str] = {"cost": "total cost", "days": "days to ready", "chance": "chance of keeping limits, %"}


class GoalLine(QWidget):
    """``wanted`` tells side, target and amount (USD, days or a share); the input is that of the selected row."""

    wanted = Signal(str, str, float)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.side = named(NoWheelComboBox(), "goal-side", "Goal for option")
        for letter in ("A", "B"):
            self.side.addItem(as_text(letter), letter.lower())
        self.target = named(NoWheelComboBox(), "goal-target", "Goal")
        for key, words in TARGETS.items():
            self.target.addItem(as_text(words), key)
        self.amount = named(QLineEdit(), "goal-amount", "Amount of the goal; Enter seeks it")
        self.amount.setPlaceholderText("such as 1.2 M")
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
        self.amount.returnPressed.connect(self.seek)

    def show_input(self, one: Input | None) -> None:
        """The input by which the goal is sought."""
        self.input.setText(title_of(one) if one else "")
        self.answer.setText("")

    def seek(self) -> None:
        """Asks, or says what is no number."""
        try:
            typed = parse_number(self.amount.text())
        except (InputError, ValueError):
            self.answer.setText("A number, such as 1.2 M")
            return
        target = str(self.target.currentData())
        amount = {"cost": typed / shown_money().per_usd, "chance": typed / 100}.get(target, typed)
        self.answer.setText("…")
        self.wanted.emit(str(self.side.currentData()), target, amount)

    def show_goal(self, goal: Goal) -> None:
        """Which value it takes, or that it does not depend on the input."""
        target = cast(Target, self.target.currentData())
        self.say(goal_words(goal, target, str(self.side.currentText())))

    def say(self, words: str) -> None:
        """An answer, or why there is none."""
        self.answer.setText(words)


def goal_words(goal: Goal, target: Target, side: Literal["A", "B"] | str) -> str:
    """``takes 4.2 weeks``, ``does not depend on it``, ``never: at best $1.1 M``."""
    name = title_of(goal.input)
    if not goal.depends:
        return f"{side}'s {_noun(target)} does not depend on {name[:1].lower()}{name[1:]}"
    if goal.value is None:
        return f"out of reach: {_reached(target, goal.reached)} at the nearest"
    return f"takes {value_words(goal.input, goal.value)} (now {value_words(goal.input, goal.input.now)})"


def _noun(target: Target) -> str:
    return {"cost": "cost", "days": "time", "chance": "chance"}[target]


def _reached(target: Target, reached: float) -> str:
    if target == "cost":
        return usd(reached)
    return f"{days_text(reached)}{THIN}d" if target == "days" else f"{100 * reached:.0f}{THIN}%"
