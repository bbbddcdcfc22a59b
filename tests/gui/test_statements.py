"""Each of the guides' 151 statements stands somewhere in the program: a rule, a field, a part, an effect, a screen.

``tests/data/statements.txt`` has one line a statement: its number, then where it stands. A statement that is missing,
or one that names what no longer exists, fails.
"""

from __future__ import annotations

import importlib
import typing
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from pydantic import BaseModel

from core.comparison.advice.rules import rule_book
from core.cost.registry import part_ids
from core.flexibility.registry import criteria
from core.workload.profile import Profile
from gui.charts.registry import charts
from gui.tabs.registry import TABS

TABLE = Path(__file__).parents[1] / "data" / "statements.txt"
OF_EACH_GUIDE = {"S0": 37, "S1": 32, "S2": 30, "S3": 13, "S4": 39}


def _rows() -> dict[str, list[str]]:
    lines = [line.split() for line in TABLE.read_text(encoding="utf-8").splitlines()]
    return {first: anchors for first, *anchors in lines}


def test_every_statement_has_a_place() -> None:
    rows = _rows()
    wanted = [f"{guide}-{n:02d}" for guide, count in OF_EACH_GUIDE.items() for n in range(1, count + 1)]
    assert list(rows) == wanted
    assert [statement for statement, anchors in rows.items() if not anchors] == []


def test_every_place_exists() -> None:
    missing = [
        f"{statement} {anchor}"
        for statement, anchors in _rows().items()
        for anchor in anchors
        if not _exists(statement, anchor)
    ]
    assert missing == []


def test_the_check_tells_what_is_not_there() -> None:
    made_up = ("rule:R99", "field:job.no_such", "part:luck", "effect:core.units:no_such", "effect:core.no_such:",
               "chart:pie", "screen:no_such", "criterion:F0", "cloud:nine")  # fmt: skip
    assert [anchor for anchor in made_up if _exists("S0-01", anchor)] == []


def test_advice_is_not_the_only_place() -> None:
    kinds = Counter(anchor.partition(":")[0] for anchors in _rows().values() for anchor in anchors)
    assert {"rule", "field", "part", "effect", "screen", "chart", "criterion"} <= set(kinds)


def _exists(statement: str, anchor: str) -> bool:
    kind, _, name = anchor.partition(":")
    if kind == "rule":
        return statement in _advised() and not name
    if kind == "effect":
        return _is_code(name)
    return name in _named().get(kind, frozenset())


@cache
def _named() -> dict[str, frozenset[str]]:
    return {
        "field": frozenset(_field_paths(Profile)),
        "part": frozenset(part_ids()),
        "criterion": frozenset(criterion.id for criterion in criteria()),
        "chart": frozenset(charts()),
        "screen": frozenset(tab.id for tab in TABS) | {"help"},
    }


@cache
def _advised() -> frozenset[str]:
    return frozenset(statement for rule in rule_book().rules for statement in rule.statements)


def _is_code(name: str) -> bool:
    module, _, function = name.partition(":")
    try:
        found_module = importlib.import_module(module)
    except ModuleNotFoundError:
        return False
    return not function or hasattr(found_module, function)


def _field_paths(model: type[BaseModel], above: str = "") -> Iterator[str]:
    for name, field in model.model_fields.items():
        yield above + name
        for inner in _models_in(field.annotation):
            yield from _field_paths(inner, f"{above}{name}.")


def _models_in(annotation: object) -> Iterator[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for argument in typing.get_args(annotation):
        yield from _models_in(argument)
