"""Which tests judge a mutant: those that run its line, those of its room and what lies above it first."""

from __future__ import annotations

import ast
from collections.abc import Collection, Mapping
from itertools import accumulate
from pathlib import PurePosixPath

from tests.mutants.server import Answer

MOST = 0.1
"""Of the time of all tests, what the tests of one mutant take: a line of the engine is run by nearly all of them."""
WHOLE_ENGINE = (
    "tests/core/throughput/test_golden.py", "tests/core/comparison/test_evaluate.py",
    "tests/core/report/test_golden_plan.py", "tests/core/comparison/chance/test_contest.py",
    "tests/core/comparison/test_golden_answers.py", "tests/core/comparison/actuals/test_golden_actuals.py",
    "tests/core/report/scenarios/test_golden_scenarios.py", "tests/core/calibration/studies/test_golden_rows.py",
)  # fmt: skip
"""Answers of whole plans, for every change of ``core``."""
WORTH = dict.fromkeys(WHOLE_ENGINE, 0.2)
"""They come as early as if they took so much less: they kill more in a second than others that take as long."""


def judges_of(path: str, files: Collection[str]) -> tuple[str, ...]:
    """The test files for a module, nearest first.

    ``path`` is that of the module, such as ``core/cost/bill/hours.py``; ``files`` are those of the project. First the
    test of the same name; then the nearest folder of the tests that mirrors the module's, with all below it; then what
    lies in the folders above up to that of the package, without what is below them.
    """
    module, tests = PurePosixPath(path), sorted(name for name in files if _is_test(name))
    rooms = [f"tests/{parent}" for parent in module.parents if len(parent.parts) > 1]
    nearest = next((room for room in rooms if any(name.startswith(f"{room}/") for name in tests)), None)
    near = [name for name in tests if nearest and name.startswith(f"{nearest}/")]
    near += [name for name in tests if str(PurePosixPath(name).parent) in (rooms or [f"tests/{module.parent}"])]
    same_name = [name for name in near if PurePosixPath(name).stem == f"test_{module.stem}"]
    whole = [name for name in WHOLE_ENGINE if module.parts[0] == "core" and name in tests]
    return tuple(dict.fromkeys([*same_name, *near, *whole]))


def users_of(path: str, imports: Mapping[str, Collection[str]]) -> tuple[str, ...]:
    """The test files of the core, or of the charts, that import a module, directly or through others.

    ``imports`` tells the modules that each file of the project imports. Who imports a package imports what is in it:
    registries find their modules that way.
    """
    using, newest = {path}, {path}
    while newest:
        names = {name for one in newest for name in _names(one)}
        newest = {name for name, modules in imports.items() if name not in using and not names.isdisjoint(modules)}
        using |= newest
    top = "tests/core/" if path.startswith("core/") else "tests/gui/charts/"
    return tuple(sorted(name for name in using if _is_test(name) and name.startswith(top)))


def header_of(source: str, line: int) -> int:
    """The lines of the innermost statement around a line, without the statements in it, as the bits of a number."""
    around = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.stmt) and _spans(node, line)]
    inner = min(around, key=lambda node: (node.end_lineno or node.lineno) - node.lineno)
    body = getattr(inner, "body", None)
    end = body[0].lineno if body and body[0].lineno > line else (inner.end_lineno or inner.lineno) + 1
    return sum(1 << number for number in range(inner.lineno, end))


def _spans(node: ast.stmt, line: int) -> bool:
    return node.lineno <= line <= (node.end_lineno or node.lineno)


def runners_of(path: str, lines: int, near: Collection[str], records: Mapping[str, Answer]) -> tuple[str, ...]:
    """The test files that run one of these lines of a module: that of its name, the near ones, then the others, the
    quickest of each first, until they take ``MOST`` of the time of all. The near ones where none does: they may start a
    process that does."""
    running = [test for test, record in records.items() if record.lines.get(path, 0) & lines]
    name = f"test_{PurePosixPath(path).stem}"
    rank = {test: 0 if PurePosixPath(test).stem == name else 1 for test in near}
    ordered = sorted(running, key=lambda test: (rank.get(test, 2), records[test].seconds * WORTH.get(test, 1.0)))
    until = list(accumulate((records[test].seconds for test in ordered), initial=0.0))
    most = MOST * sum(record.seconds for record in records.values())
    return tuple(test for test, before in zip(ordered, until, strict=False) if before < most) or tuple(near)


def _names(path: str) -> tuple[str, str]:
    """A module's name and that of its package."""
    name = path.removesuffix(".py").replace("/", ".")
    return name, name.rpartition(".")[0]


def _is_test(name: str) -> bool:
    return name.startswith("tests/") and PurePosixPath(name).match("test_*.py")
