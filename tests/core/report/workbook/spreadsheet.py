"""A spreadsheet as small as our formulas need it: ``+ - * /``, brackets, SUM, ROUND and cells of other sheets."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from openpyxl.workbook import Workbook

_TOKEN = re.compile(
    r"\s*(?:(?P<number>\d+(?:\.\d+)?(?:e[+-]?\d+)?)|(?P<name>SUM|ROUND)\(|"
    r"(?:'(?P<sheet>[^']+)'!)?(?P<cell>\$?[A-Z]+\$?\d+)(?::(?P<to>\$?[A-Z]+\$?\d+))?|(?P<sign>[-+*/(),]))",
    re.IGNORECASE,
)


@dataclass
class Calculator:
    """Works cells out; ``changed`` values stand in the place of those of the file, by (sheet, cell)."""

    book: Workbook
    changed: dict[tuple[str, str], float] = field(default_factory=dict)
    known: dict[tuple[str, str], Any] = field(default_factory=dict)

    def value(self, sheet: str, cell: str) -> Any:
        key = sheet, cell.replace("$", "")
        if key not in self.known:
            raw = self.changed.get(key, self.book[sheet][key[1]].value)
            is_formula = isinstance(raw, str) and raw.startswith("=")
            self.known[key] = _Reader(self, sheet, raw[1:]).read() if is_formula else raw
        return self.known[key]

    def column(self, sheet: str, head: str) -> list[Any]:
        """All cells below a head, as worked out."""
        row, column = next(
            (one.row, one.column_letter) for line in self.book[sheet] for one in line if one.value == head
        )
        return [self.value(sheet, f"{column}{n}") for n in range(row + 1, self.book[sheet].max_row + 1)]


class _Reader:
    """Reads one formula from left to right."""

    def __init__(self, calculator: Calculator, sheet: str, text: str) -> None:
        self.calculator, self.sheet = calculator, sheet
        self.tokens, at = [], 0
        while at < len(text):
            match = _TOKEN.match(text, at)
            assert match, f"{text!r} at {at}"
            self.tokens.append(match)
            at = match.end()

    def read(self) -> float:
        value = self.added()
        assert not self.tokens
        return value

    def sign(self, signs: str) -> str:
        if self.tokens and self.tokens[0]["sign"] and self.tokens[0]["sign"] in signs:
            return str(self.tokens.pop(0)["sign"])
        return ""

    def added(self) -> float:
        value = self.multiplied()
        while sign := self.sign("+-"):
            other = self.multiplied()
            value = value + other if sign == "+" else value - other
        return value

    def multiplied(self) -> float:
        value = self.one()
        while sign := self.sign("*/"):
            other = self.one()
            value = value * other if sign == "*" else value / other
        return value

    def one(self) -> float:
        if self.sign("("):
            value = self.added()
            assert self.sign(")")
            return value
        token = self.tokens.pop(0)
        if token["number"]:
            return float(token["number"])
        if token["name"]:
            return self.called(token["name"])
        return float(self.calculator.value(token["sheet"] or self.sheet, token["cell"]) or 0.0)

    def called(self, name: str) -> float:
        if name == "SUM":
            token = self.tokens.pop(0)
            cells = self.calculator.book[token["sheet"] or self.sheet][f"{token['cell']}:{token['to']}"]
            values = [
                self.calculator.value(token["sheet"] or self.sheet, one.coordinate) for row in cells for one in row
            ]
            assert self.sign(")")
            return sum(value for value in values if isinstance(value, int | float))
        value = self.added()
        assert self.sign(",")
        digits = int(self.tokens.pop(0)["number"])
        assert self.sign(")")
        return float(Decimal(repr(value)).quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP))
