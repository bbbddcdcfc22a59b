"""Which tests judge a mutant: those of its room, what lies above it, and a few of the whole engine."""

from __future__ import annotations

from collections.abc import Collection
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


def _is_test(name: str) -> bool:
    return name.startswith("tests/") and PurePosixPath(name).match("test_*.py")
