"""The sentence of what accepting would change, with Discard and Accept."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from core.calibration.accepted import AcceptedCalibration
from core.throughput.correction import SpeedFactor
from core.units import counted, noun, plain, span
from gui.theme.naming import named
from gui.theme.plain import Label, caption, tip
from gui.widgets.elided import ElidedLabel

_SHARES = {"half": 2, "a third": 3, "a quarter": 4, "a fifth": 5, "a sixth": 6, "an eighth": 8, "a tenth": 10}
_SHARES |= {"a twentieth": 20, "a fiftieth": 50}
_NUMBERS = ("no", "one", "two", "three", "four", "five", "six")


class CalibrateFooter(QWidget):
    """Says the speed factor and its range; accepting is an undo step of the panel's, which Enter alone never takes."""

    accepted = Signal()
    discarded = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFixedHeight(56)
        self.factor = named(Label(), "calibration-factor", kind="strong")
        self.detail = named(ElidedLabel(), "calibration-detail", kind="ink2")
        self.effect = named(ElidedLabel(), "calibration-effect", kind="small")
        for label in (self.detail, self.effect):
            label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.discard = _button("Discard", "discard-calibration", "")
        self.accept = _button("Accept", "accept-calibration", "primary")
        self.discard.clicked.connect(self.discarded)
        self.accept.clicked.connect(self.accepted)
        first = QHBoxLayout()
        first.setSpacing(10)
        first.addWidget(self.factor)
        first.addWidget(self.detail, 1)
        words = QVBoxLayout()
        words.setSpacing(1)
        words.addStretch(1)
        words.addLayout(first)
        words.addWidget(self.effect)
        words.addStretch(1)
        row = QHBoxLayout(self)
        row.setContentsMargins(20, 0, 20, 0)
        row.setSpacing(10)
        row.addLayout(words, 1)
        for button in (self.discard, self.accept):
            button.setAutoDefault(False)
            row.addWidget(button)

    def show_proposal(
        self, proposal: AcceptedCalibration, factor: SpeedFactor, chip_name: str, is_accepted: bool
    ) -> None:
        """Says what accepting would make of the chip, all its logs together, or that this one is accepted."""
        self.accept.show()
        self.factor.setText(f"Speed factor for {chip_name}: {plain(factor.factor)}")
        self._tell(self.detail, f"{'In use. ' if is_accepted else ''}{factor_words(factor)}, {proposal.how}")
        self.accept.setEnabled(not is_accepted)
        self.accept.setText("Accepted" if is_accepted else "Accept")
        self._tell(self.effect, "" if is_accepted else "Working out what it would change…")

    def show_lessons(self, reason: str, n_chosen: int, is_accepted: bool) -> None:
        """No speed in this log, but other figures: says how many are taken."""
        self.accept.show()
        self.factor.setText("Speed stays as predicted.")
        taken = f"{counted(n_chosen, 'other figure')} of this log {'is' if n_chosen == 1 else 'are'} taken"
        self._tell(self.detail, f"{'In use. ' if is_accepted else ''}{taken}. {reason}")
        self.accept.setEnabled(not is_accepted)
        self.accept.setText("Accepted" if is_accepted else "Accept")
        self._tell(self.effect, "" if is_accepted else "Working out what it would change…")

    def show_effect(self, text: str) -> None:
        """Says what accepting would change of the answer."""
        self._tell(self.effect, text)

    def show_wait(self) -> None:
        """The factor of another log is being worked out."""
        self.show_problem("")
        self.factor.setText("Predicting what was measured…")

    def show_problem(self, text: str) -> None:
        """Says why there is no factor."""
        self.factor.setText("No change to any prediction.")
        self._tell(self.detail, text)
        self._tell(self.effect, "")
        self.accept.setText("Accept")
        self.accept.setEnabled(False)

    def show_refused(self) -> None:
        """There is nothing to accept."""
        self.show_problem("")
        self.accept.hide()

    def _tell(self, label: Label, text: str) -> None:
        label.setText(text)
        label.setToolTip(tip(text))


def factor_words(factor: SpeedFactor) -> str:
    """``0.84–0.92, from one run, so pulled an eighth of the way back to 1``."""
    ends = span(*(plain(factor.factor * (1 + side * factor.spread)) for side in (-1, 1)))
    n = factor.n_records
    runs = f"from {_NUMBERS[n] if n < len(_NUMBERS) else n} {noun(str(n), 'run')}"
    share = share_words(factor.pull)
    return f"{ends}, {runs}" + (f", so pulled {share} of the way back to 1" if share else "")


def share_words(share: float) -> str:
    """The nearest plain fraction; empty for next to nothing."""
    if share < 0.01:
        return ""
    return min(_SHARES, key=lambda word: abs(_SHARES[word] - 1.0 / share))


def _button(text: str, name: str, kind: str) -> QPushButton:
    return named(QPushButton(caption(text)), name, text.rstrip("…"), kind)
