"""One Python source: its syntax tree, what its names stand for, and which of them hold tensors."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from core.readiness.tensors import Function, is_tensor, tensor_names

FRAMEWORKS = {"torch": "pytorch", "torch_xla": "pytorch/xla", "jax": "jax", "flax": "jax", "tensorflow": "tensorflow"}
_LOOPS = (ast.For, ast.AsyncFor, ast.While)


@dataclass
class Module:
    """A file's tree. ``aliases`` maps names in the file to what was imported: ``F`` -> ``torch.nn.functional``."""

    tree: ast.Module
    text: str
    aliases: dict[str, str] = field(init=False)
    parents: dict[ast.AST, ast.AST] = field(init=False)

    def __post_init__(self) -> None:
        self.aliases = dict(_aliases(self.tree))
        self.parents = {child: node for node in ast.walk(self.tree) for child in ast.iter_child_nodes(node)}

    @cached_property
    def nodes(self) -> tuple[ast.AST, ...]:
        """Every node of the tree."""
        return tuple(ast.walk(self.tree))

    @cached_property
    def calls(self) -> tuple[tuple[ast.Call, str], ...]:
        """Every call with the full name of what is called: ``torch.nonzero``, or ``.nonzero`` for a method."""
        return tuple((node, self.called(node)) for node in self.nodes if isinstance(node, ast.Call))

    @cached_property
    def imported(self) -> frozenset[str]:
        """Full names of what is imported."""
        return frozenset(self.aliases.values())

    @cached_property
    def frameworks(self) -> frozenset[str]:
        """The frameworks that the file imports."""
        tops = {name.partition(".")[0] for name in self.imported}
        return frozenset(FRAMEWORKS[top] for top in tops if top in FRAMEWORKS)

    @cached_property
    def _tensors(self) -> dict[ast.AST, frozenset[str]]:
        return {}

    def name_of(self, node: ast.AST) -> str:
        """The full dotted name of an expression that begins with an imported name; empty for anything else."""
        parts: list[str] = []
        while isinstance(node, ast.Attribute):
            parts.append(node.attr)
            node = node.value
        if not isinstance(node, ast.Name) or node.id not in self.aliases:
            return ""
        return ".".join([self.aliases[node.id], *reversed(parts)])

    def called(self, call: ast.Call) -> str:
        """The full name of what is called, or ``.method`` where the receiver is no imported name."""
        known = self.name_of(call.func)
        return known or (f".{call.func.attr}" if isinstance(call.func, ast.Attribute) else "")

    def above(self, node: ast.AST) -> Iterator[ast.AST]:
        """What a node stands in, innermost first."""
        while (parent := self.parents.get(node)) is not None:
            yield parent
            node = parent

    def scope_of(self, node: ast.AST) -> ast.AST:
        """The function a node stands in, else the module."""
        return next((one for one in self.above(node) if isinstance(one, Function)), self.tree)

    def in_loop(self, node: ast.AST) -> bool:
        """True within a loop of the same function, or within a module's ``forward``."""
        for one in self.above(node):
            if isinstance(one, _LOOPS):
                return True
            if isinstance(one, Function):
                return one.name == "forward" or self.is_compiled(one)
        return False

    def is_compiled(self, function: Function) -> bool:
        """True for a function under ``jit``, ``pmap``, ``tf.function`` and their like."""
        return any(self._compiles(one) for one in function.decorator_list)

    def is_tensor(self, node: ast.AST) -> bool:
        """True for an expression that surely is a tensor: made by the framework, or handed to a ``forward``."""
        scope = self.scope_of(node)
        if scope not in self._tensors:
            self._tensors[scope] = tensor_names(self, scope)
        return is_tensor(self, node, self._tensors[scope])

    def _compiles(self, decorator: ast.AST) -> bool:
        if isinstance(decorator, ast.Call):
            names = [self.called(decorator), *(self.name_of(one) for one in decorator.args)]
            return any(name in _COMPILERS for name in names)
        return self.name_of(decorator) in _COMPILERS


_COMPILERS = {
    "jax.jit",
    "jax.pmap",
    "jax.vmap",
    "jax.checkpoint",
    "tensorflow.function",
    "flax.linen.jit",
    "jax.shard_map",
}


def _aliases(tree: ast.Module) -> Iterator[tuple[str, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for one in node.names:
                yield (one.asname, one.name) if one.asname else (one.name.partition(".")[0],) * 2
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            for one in node.names:
                yield one.asname or one.name, f"{node.module}.{one.name}"
