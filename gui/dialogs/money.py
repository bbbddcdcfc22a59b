"""Currency and price age: what money is shown in, by a typed rate, and after how many days a price counts as old."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from pydantic import ValidationError
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QDialog, QDialogButtonBox, QGridLayout, QLineEdit, QVBoxLayout, QWidget

from core.catalogue.prices.dates import parse_as_of
from core.plan.plan import Currency, Plan
from core.units import Money, date_text, money_in, parse_number, plain, usd
from gui.session.plan_session import PlanSession
from gui.theme.naming import named
from gui.theme.plain import Label

USD = "USD"
CODES = (USD, "EUR", "GBP", "JPY", "CNY", "HKD", "SGD", "TWD", "KRW", "INR", "AUD", "CAD", "CHF", "SEK", "BRL")
SAMPLE_USD = 1e6
_FIELD_PX = 150


@dataclass(frozen=True, slots=True)
class Answer:
    """What was typed: a currency and a number of days, or why it cannot be taken."""

    currency: Currency
    old_price_days: int
    problem: str = ""


def read_answer(code: str, rate: str, days: str, today: date, before: Plan) -> Answer:
    """The dialog's texts as values; a rate that did not change keeps the day on which it was typed."""
    try:
        currency = _currency(code.strip().upper(), rate, today, before.currency)
        return Answer(currency, _whole_days(days))
    except ValueError as error:
        return Answer(before.currency, before.old_price_days, str(error))


def _whole_days(text: str) -> int:
    try:
        value = parse_number(text)
    except ValueError:
        value = 0.0
    if not value.is_integer() or not 1 <= value <= 3650:
        raise ValueError("Days: a whole number from 1 to 3 650")
    return int(value)


def _currency(code: str, rate: str, today: date, before: Currency) -> Currency:
    if code == USD:
        return Currency()
    try:
        per_usd = parse_number(rate, has_decimal_comma=True)
    except ValueError:
        raise ValueError(f"Rate: how much {code or 'of it'} one US dollar buys, such as 0.92") from None
    if (code, per_usd) == (before.code, before.per_usd):
        return before
    try:
        return Currency(code=code, per_usd=per_usd, as_of=today.isoformat())
    except ValidationError as error:
        field = error.errors(include_url=False)[0]["loc"][0]
        rate_words = "Rate: a number above 0, at most 1 000 000"
        raise ValueError("Currency: three letters, such as EUR" if field == "code" else rate_words) from None


class MoneyDialog(QDialog):
    """Says what a million dollars would read while one types."""

    def __init__(self, plan: Plan, today: date, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        named(self, "money-dialog", "Currency and price age")
        self.setWindowTitle("Currency and price age")
        self._plan, self._today = plan, today
        self.code = named(QComboBox(), "money-code", "Currency")
        self.code.setEditable(True)
        self.code.addItems(list(dict.fromkeys([*CODES, plan.currency.code])))
        self.code.setCurrentText(plan.currency.code)
        self.rate = named(QLineEdit(plain(plan.currency.per_usd, 6)), "money-rate", "Rate")
        self.days = named(QLineEdit(str(plan.old_price_days)), "money-days", "Days after which a price counts as old")
        self._sample = named(Label(), "money-sample", kind="small")
        self._message = named(Label(), "money-message", kind="err")
        self._rate_label = Label()
        kinds = QDialogButtonBox.StandardButton
        self.buttons = QDialogButtonBox(kinds.Ok | kinds.Cancel)
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        self._build()
        self.code.currentTextChanged.connect(self._on_code)
        self.rate.textChanged.connect(self._show)
        self.days.textChanged.connect(self._show)
        self._show()

    @property
    def answer(self) -> Answer:
        """What is typed now."""
        texts = self.code.currentText(), self.rate.text(), self.days.text()
        return read_answer(*texts, self._today, self._plan)

    def _build(self) -> None:
        grid = QGridLayout()
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(8)
        rows = (
            (Label("Currency"), self.code, "Money is shown in it and kept in US dollars"),
            (self._rate_label, self.rate, "Typed by you: Roofplan fetches no rates"),
            (Label("Prices count as old after"), self.days, "days; old ones are flagged wherever they count"),
        )
        for number, (title, field, words) in enumerate(rows):
            note = Label(words)
            note.setProperty("kind", "small")
            title.setBuddy(field)
            field.setFixedWidth(_FIELD_PX)
            for column, widget in enumerate((title, field, note)):
                grid.addWidget(widget, number, column, Qt.AlignmentFlag.AlignVCenter)
        column_of = QVBoxLayout(self)
        column_of.setContentsMargins(20, 16, 20, 16)
        column_of.setSpacing(12)
        column_of.addLayout(grid)
        column_of.addWidget(self._sample)
        column_of.addWidget(self._message)
        column_of.addWidget(self.buttons)

    def _on_code(self, code: str) -> None:
        """A rate belongs to a currency: that of another one is not offered for it."""
        same = code.strip().upper() == self._plan.currency.code
        self.rate.setText(plain(self._plan.currency.per_usd, 6) if same else "")
        self._show()

    def _show(self) -> None:
        code, answer = self.code.currentText().strip().upper(), self.answer
        self._rate_label.setText(f"1 USD in {code or '…'}")
        self.rate.setEnabled(code != USD)
        if code == USD and self.rate.text() != "1":
            self.rate.setText("1")
        self.buttons.button(QDialogButtonBox.StandardButton.Ok).setEnabled(not answer.problem)
        self._message.setText(answer.problem)
        self._sample.setText("" if answer.problem else _sample_words(answer.currency))


def _sample_words(currency: Currency) -> str:
    """``A million US dollars is shown as €920 k. Rate typed on 21 Nov 2026.``"""
    money: Money = currency.money
    if money.is_usd:
        return "Money is shown in US dollars."
    with money_in(money):
        shown = usd(SAMPLE_USD)
    day = parse_as_of(currency.as_of)
    typed = f" Rate typed on {date_text(day)}." if day else ""
    return f"A million US dollars is shown as {shown}.{typed}"


def ask_money(window: QWidget, session: PlanSession, today: date | None = None) -> None:
    """Opens the dialog without stopping the work; its answer becomes one undo step."""
    dialog = MoneyDialog(session.plan, today or date.today(), window)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)

    def take() -> None:
        answer = dialog.answer
        values = {"currency": answer.currency, "old_price_days": answer.old_price_days}
        changed = [name for name, value in values.items() if getattr(session.plan, name) != value]
        label = "Change days of old prices" if changed == ["old_price_days"] else "Change currency"
        if changed:
            session.end_step()
            session.replace_plan(session.plan.model_copy(update=values), label)

    dialog.accepted.connect(take)
    dialog.open()
