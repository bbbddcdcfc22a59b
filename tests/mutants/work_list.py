"""What is mutated: the work list of cosmic-ray's operators, without what no test can tell."""

from __future__ import annotations

import ast
import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

Position = tuple[int, int]
"""Line from 1, column in characters from 0."""

OPERATORS = (
    *(f"ReplaceBinaryOperator_{change}" for change in (
        "Add_Sub", "Sub_Add", "Mul_Div", "Div_Mul", "FloorDiv_Div", "Mod_Mul", "Pow_Mul", "BitOr_BitAnd",
        "BitAnd_BitOr",
    )),
    *(f"ReplaceComparisonOperator_{change}" for change in (
        "Eq_NotEq", "NotEq_Eq", "Lt_LtE", "Lt_GtE", "LtE_Lt", "LtE_Gt", "Gt_GtE", "Gt_LtE", "GtE_Gt", "GtE_Lt",
        "Is_IsNot", "IsNot_Is",
    )),
    "ReplaceUnaryOperator_USub_UAdd", "ReplaceUnaryOperator_Delete_Not", "ReplaceUnaryOperator_Delete_Invert",
    "AddNot", "ReplaceTrueWithFalse", "ReplaceFalseWithTrue", "ReplaceAndWithOr", "ReplaceOrWithAnd",
    "ReplaceBreakWithContinue", "ReplaceContinueWithBreak", "ExceptionReplacer", "NumberReplacer",
    "ZeroIterationForLoop",
)  # fmt: skip
"""Of cosmic-ray's operators, those whose mutant may live; ``a << b`` for ``a + b`` of floats dies of its type."""

LOGGERS = {"log", "logger", "logging", "_log", "_LOG", "LOG"}
TYPE_CALLS = {"cast", "TypeVar", "NewType"}


@dataclass(frozen=True, order=True)
class Mutant:
    """One change of one file: the ``occurrence``-th place that an operator finds in it.

    ``place`` names it by its words, so that it is the same place when lines are added elsewhere.
    """

    path: str
    start: Position
    operator: str
    occurrence: int
    place: str

    def source(self, original: str) -> str:
        """The changed text of the file. Raises ValueError when it has no such place."""
        from cosmic_ray.mutating import mutate_code
        from cosmic_ray.plugins import get_operator

        changed = mutate_code(original, get_operator(f"core/{self.operator}")(), self.occurrence)
        if not isinstance(changed, str):
            raise ValueError(f"{self.path}: no {self.operator} number {self.occurrence}")
        return changed


def work_list(root: Path, paths: Iterable[str]) -> list[Mutant]:
    """Every mutant of the files that a test could tell."""
    return [mutant for path in paths for mutant in _mutants(path, (root / path).read_text(encoding="utf-8"))]


def sampled(mutants: Iterable[Mutant], number: int, seed: int) -> list[Mutant]:
    """A seeded sample: places first, one change of each then, so that no kind of place weighs more by its operators.

    Whether a place is drawn depends on the seed and its own words alone: a seed means the same places after a change
    elsewhere, and a sample can be asked again once its survivors have tests.
    """
    places: dict[tuple[str, str], list[Mutant]] = defaultdict(list)
    for mutant in sorted(mutants):
        places[mutant.path, mutant.place].append(mutant)
    chosen = sorted(places, key=lambda place: _lot(seed, *place))[:number]
    return [places[place][int.from_bytes(_lot(seed, "change", *place)) % len(places[place])] for place in chosen]


def _lot(seed: int, *words: str) -> bytes:
    return hashlib.sha256("\0".join((str(seed), *words)).encode()).digest()


def names_of(source: str) -> list[str]:
    """A name for each line: its words, and how many lines before it have the same ones."""
    seen: Counter[str] = Counter()
    names = []
    for line in map(str.strip, source.splitlines()):
        names.append(f"{line} {seen[line]}")
        seen[line] += 1
    return names


def _mutants(path: str, source: str) -> Iterator[Mutant]:
    from cosmic_ray.ast import ast_nodes, get_ast
    from cosmic_ray.plugins import get_operator

    nodes, untold = list(ast_nodes(get_ast(source))), untestable(source)
    lines, names = source.splitlines(), names_of(source)
    for name in OPERATORS:
        operator = get_operator(f"core/{name}")()
        starts = (start for node in nodes for start, _ in operator.mutation_positions(node))
        for occurrence, start in enumerate(starts):
            if not any(first <= start < last for first, last in untold):
                indent = len(lines[start[0] - 1]) - len(lines[start[0] - 1].lstrip())
                yield Mutant(path, start, name, occurrence, f"{names[start[0] - 1]} {start[1] - indent}")


def untestable(source: str) -> list[tuple[Position, Position]]:
    """Stretches of a file that no test can tell from their mutants, from the first position to before the last.

    Annotations, type checking blocks and calls that only make types; decorators (a cache less is only slower, a frozen
    class less is only looser); ``__repr__``; words that are logged; ``strict=`` of ``zip``, which guards against us;
    numbers of which one more or less is no millionth.
    Docstrings and words are free of mutants anyway: no operator changes text. Dotted exceptions are left out because
    cosmic-ray 8.7 cannot replace them.
    """
    lines = source.splitlines()
    return [(_start(node, lines), _end(node, lines)) for node in ast.walk(ast.parse(source)) for node in _untold(node)]


def _untold(node: ast.AST) -> list[ast.expr | ast.stmt]:
    """Those of a node's parts that no test can tell."""
    match node:
        case ast.FunctionDef(name="__repr__") | ast.If(test=ast.Name(id="TYPE_CHECKING")):
            return [node]
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            return [*node.decorator_list, *([node.returns] if node.returns else [])]
        case ast.ClassDef():
            return list(node.decorator_list)
        case ast.arg(annotation=ast.expr() as annotation) | ast.AnnAssign(annotation=annotation):
            return [annotation]
        case ast.ExceptHandler(type=ast.expr() as kinds):
            return [part for part in ast.walk(kinds) if isinstance(part, ast.Attribute)]
        case ast.Constant(value=int() | float() as value) if abs(value) >= 1e6:
            return [node]
        case ast.Call(func=ast.Name(id="zip")):
            return [keyword.value for keyword in node.keywords]
        case ast.Call(func=ast.Name(id=name)) if name in TYPE_CALLS:
            return [node]
        case ast.Call(func=ast.Attribute(value=ast.Name(id=name))) if name in LOGGERS:
            return [node]
    return []


def _start(node: ast.expr | ast.stmt, lines: list[str]) -> Position:
    return node.lineno, _column(lines[node.lineno - 1], node.col_offset)


def _end(node: ast.expr | ast.stmt, lines: list[str]) -> Position:
    line, offset = node.end_lineno or node.lineno, node.end_col_offset or 0
    return line, _column(lines[line - 1], offset)


def _column(line: str, offset: int) -> int:
    """Characters before an offset in bytes."""
    return len(line.encode()[:offset].decode())
