"""Branches, loops and checks that ask for a tensor's value."""

from __future__ import annotations

import ast

from core.readiness.checks.base import Place, Places
from core.readiness.module import Module

_ASKING = {"torch.equal", "torch.allclose", "torch.is_nonzero"}


def control_flow(module: Module) -> Places:
    """Statements whose way depends on values on the chip."""
    for node in module.nodes:
        if isinstance(node, (ast.If, ast.IfExp)) and reads_value(module, node.test):
            yield Place("branch-on-value", node.test)
        elif isinstance(node, ast.While) and reads_value(module, node.test):
            yield Place("loop-on-value", node.test)
        elif isinstance(node, ast.Assert) and reads_value(module, node.test):
            yield Place("assert-on-value", node)
        elif isinstance(node, ast.For) and _counts_by_value(module, node.iter):
            yield Place("length-from-value", node.iter)


def reads_value(module: Module, test: ast.AST) -> bool:
    """True where a condition needs what a tensor holds, not only its shape."""
    if isinstance(test, ast.BoolOp):
        return any(reads_value(module, one) for one in test.values)
    if isinstance(test, ast.UnaryOp):
        return reads_value(module, test.operand)
    if isinstance(test, ast.Compare):
        return module.is_tensor(test) or any(_fetched(module, one) for one in (test.left, *test.comparators))
    return module.is_tensor(test) or _fetched(module, test)


def _fetched(module: Module, node: ast.AST) -> bool:
    """``x.item()``, ``bool(x)``, ``torch.equal(a, b)``."""
    if not isinstance(node, ast.Call):
        return False
    if isinstance(node.func, ast.Attribute) and node.func.attr == "item":
        return module.is_tensor(node.func.value)
    if isinstance(node.func, ast.Name) and node.func.id in ("bool", "int", "float") and node.args:
        return module.is_tensor(node.args[0])
    return module.called(node) in _ASKING and any(module.is_tensor(one) for one in node.args)


def _counts_by_value(module: Module, turns: ast.AST) -> bool:
    if not (isinstance(turns, ast.Call) and isinstance(turns.func, ast.Name) and turns.func.id == "range"):
        return False
    return any(_fetched(module, one) or module.is_tensor(one) for one in turns.args)
