"""What git tracks, for the tests that guard the rules of the repository."""

from __future__ import annotations

import ast
import subprocess
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PUBLIC_IN_SPITE_OF_THEIR_NAME = {"_replace", "_asdict", "_SubParsersAction"}
"""Of the standard library: documented for use, or without another name for types."""


@cache
def tracked() -> tuple[str, ...]:
    """Files of the project, relative to its root; everything on disk when this is no git checkout."""
    listing = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False)
    if listing.returncode == 0 and listing.stdout:
        return tuple(name for name in listing.stdout.split("\0") if name and (ROOT / name).is_file())
    kept = (path.relative_to(ROOT) for path in ROOT.rglob("*") if path.is_file())
    return tuple(str(path) for path in kept if path.parts[0] not in {".venv", "build", "dist", ".git"})


def sources(*folders: str) -> list[str]:
    """Tracked Python files below some top folders."""
    return [name for name in tracked() if name.endswith(".py") and name.split("/")[0] in folders]


@cache
def text_of(name: str) -> str:
    """A file's text; empty for pictures and fonts."""
    try:
        return (ROOT / name).read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return ""


@cache
def tree_of(name: str) -> ast.Module:
    """A Python file's syntax tree."""
    return ast.parse(text_of(name), filename=name)


def imported(name: str) -> set[str]:
    """Modules that a file imports anywhere in it."""
    found: set[str] = set()
    for node in ast.walk(tree_of(name)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
    return found


def function_lengths(name: str) -> list[tuple[int, str]]:
    """Lines of each function of a file, with where it stands."""
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
    functions = (node for node in ast.walk(tree_of(name)) if isinstance(node, kinds))
    return [
        ((node.end_lineno or node.lineno) - node.lineno + 1, f"{name}:{node.lineno} {node.name}") for node in functions
    ]


def foreign_private_names(name: str) -> list[str]:
    """Private names of others that a file uses: imported ones, and attributes that nothing in the file defines."""
    tree = tree_of(name)
    imported_names = [alias.name for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) for alias in node.names]
    own = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    own |= {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    attributes = [node for node in ast.walk(tree) if isinstance(node, ast.Attribute)]
    own |= {node.attr for node in attributes if isinstance(node.ctx, ast.Store)}
    used = {node.attr for node in attributes if not _is_own(node.value)} - own
    named = {*imported_names, *used} - PUBLIC_IN_SPITE_OF_THEIR_NAME
    return sorted(one for one in named if one.startswith("_") and not one.startswith("__"))


def _is_own(value: ast.expr) -> bool:
    """True for ``self``, ``cls`` and ``super()``: a class may use what it inherits."""
    called = value.func if isinstance(value, ast.Call) else value
    return isinstance(called, ast.Name) and called.id in {"self", "cls", "super"}
