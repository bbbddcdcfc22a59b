"""What every check gives: places of a syntax tree with their kind."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple

from core.readiness.kinds import Side
from core.readiness.module import Module


class Place(NamedTuple):
    """A kind at a node. ``name`` and ``spared`` as in :class:`core.readiness.finding.Finding`."""

    kind_id: str
    node: ast.AST
    name: str = ""
    spared: tuple[Side, ...] = ()


Places = Iterator[Place]


def calls_of(module: Module, kinds: dict[str, str]) -> Places:
    """Calls by the full name of what is called: name -> kind."""
    for call, called in module.calls:
        if called in kinds:
            yield Place(kinds[called], call)


def keyword(call: ast.Call, name: str) -> ast.expr | None:
    """The value of a named argument."""
    return next((one.value for one in call.keywords if one.arg == name), None)


def constant(node: ast.AST | None) -> object:
    """The value of a literal; None for anything else."""
    return node.value if isinstance(node, ast.Constant) else None
