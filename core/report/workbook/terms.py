"""Arithmetic that is worked out here and written down for a spreadsheet at once, so that both come to the same."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Term:
    """A number and the formula that gives it: ``Term(6.0, "A1*B1")``. Sums and differences carry their own brackets."""

    value: float
    text: str

    def __mul__(self, other: Term | float) -> Term:
        other = term(other)
        return Term(self.value * other.value, f"{self.text}*{other.text}")

    def __add__(self, other: Term | float) -> Term:
        other = term(other)
        return Term(self.value + other.value, f"({self.text}+{other.text})")

    def __sub__(self, other: Term | float) -> Term:
        other = term(other)
        return Term(self.value - other.value, f"({self.text}-{other.text})")

    def __truediv__(self, other: float) -> Term:
        return Term(self.value / other, f"({self.text}/{other!r})")

    __rmul__ = __mul__
    __radd__ = __add__

    def __rsub__(self, other: float) -> Term:
        return term(other) - self


def term(value: Term | float) -> Term:
    """A plain number as a term of its own."""
    return value if isinstance(value, Term) else Term(float(value), repr(float(value)))
