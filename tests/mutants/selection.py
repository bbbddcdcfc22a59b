"""Which tests judge a mutant: those of its room and what lies above it first, then all others that import it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import PurePosixPath

WHOLE_ENGINE = ("tests/core/throughput/test_golden.py", "tests/core/comparison/test_evaluate.py")
"""Answers of whole plans, for every change of ``core``."""


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


def _names(path: str) -> tuple[str, str]:
    """A module's name and that of its package."""
    name = path.removesuffix(".py").replace("/", ".")
    return name, name.rpartition(".")[0]


def _is_test(name: str) -> bool:
    return name.startswith("tests/") and PurePosixPath(name).match("test_*.py")
