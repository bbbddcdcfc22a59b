"""Looks up inputs of total cost of ownership: the row whose scope fits closest."""

from __future__ import annotations

from core.catalogue.catalogue import Catalogue
from core.catalogue.entries import CostInput
from core.errors import InputError

ANY = "any"


def cost_input(catalogue: Catalogue, name: str, scope: str = ANY) -> CostInput:
    """The row ``name`` whose scope fits ``scope`` closest, else the general one.

    ``scope`` is a few words, such as ``"gcp tpu-v5e"`` or ``"aws"``; a row fits when each word of its own scope is one
    of them or begins one (``tpu`` fits ``tpu-v5e``), and the row with most such words wins. Rows of scope ``any`` fit
    everything. Raises InputError when no row fits.
    """
    row = find_cost_input(catalogue, name, scope)
    if row is None:
        raise InputError("cost_inputs.csv", f"no row '{name}' for '{scope}'", "such a row, or one of scope 'any'")
    return row


def find_cost_input(catalogue: Catalogue, name: str, scope: str = ANY) -> CostInput | None:
    """As :func:`cost_input`, but None when no row fits. Each question is answered once per catalogue."""
    answers = catalogue.cost_input_answers
    if (name, scope) not in answers:
        answers[name, scope] = _closest(catalogue, name, scope)
    return answers[name, scope]


def _closest(catalogue: Catalogue, name: str, scope: str) -> CostInput | None:
    asked = scope.lower().split()
    rows = catalogue.cost_inputs_by_name.get(name, ())
    fitting = [(fit, row) for row in rows if (fit := _fit(row.scope, asked)) >= 0]
    return max(fitting, key=lambda pair: pair[0])[1] if fitting else None


def _fit(scope: str, asked: list[str]) -> int:
    """Letters of the scope that fit, 0 for a general row, -1 for none."""
    if scope == ANY:
        return 0
    words = scope.lower().split()
    fits = all(any(one == word or one.startswith(f"{word}-") for one in asked) for word in words)
    return sum(map(len, words)) + 100 * len(words) if fits else -1
