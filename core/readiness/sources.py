"""The files of a folder that may hold code for a chip, bounded; nothing outside the folder is read."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from core.breath import breathe
from core.errors import InputError
from core.reading.limits import MIB

MOST_FILES = 50_000
MOST_SOURCE_BYTES = 4 * MIB
"""Of one file: generated sources of more hold no code that people port."""

PYTHON = (".py", ".pyi")
NOTEBOOK = (".ipynb",)
CUDA = (".cu", ".cuh")
CPP = (".cpp", ".cc", ".cxx", ".hpp", ".h")
_SKIPPED = {"__pycache__", "node_modules", "site-packages", "venv", "env", "build", "dist"}
_EXPECTED = "a folder of sources"


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file: where it lies, and its name from the folder on, with slashes."""

    path: Path
    name: str

    @property
    def is_test(self) -> bool:
        """True for tests, which nobody ports before the code itself."""
        parts = self.name.split("/")
        name = parts[-1]
        is_named = name.startswith("test_") or name.endswith(("_test.py", "_tests.py")) or name == "conftest.py"
        return is_named or any(part in ("test", "tests", "testing") for part in parts[:-1])

    @property
    def suffix(self) -> str:
        """Its ending in small letters."""
        return self.path.suffix.lower()


def source_files(folder: Path) -> Iterator[SourceFile]:
    """The sources of a folder and of those below it, in the order of their names; links are not followed.

    Hidden folders, environments and builds are left out. Raises InputError for no folder, and for too many files.
    """
    if not folder.is_dir():
        raise InputError(str(folder), "no folder", _EXPECTED)
    n_files = 0
    for above, folders, names in os.walk(folder, followlinks=False):
        breathe()
        folders[:] = sorted(name for name in folders if _is_wanted(Path(above), name))
        for name in sorted(names):
            path = Path(above, name)
            if path.suffix.lower() in (*PYTHON, *NOTEBOOK, *CUDA, *CPP) and not path.is_symlink():
                n_files += 1
                if n_files > MOST_FILES:
                    raise InputError(str(folder), f"more than {MOST_FILES} sources", "the folder of one project")
                yield SourceFile(path, path.relative_to(folder).as_posix())


def _is_wanted(above: Path, name: str) -> bool:
    is_environment = (above / name / "pyvenv.cfg").is_file()
    return not (name.startswith(".") or name in _SKIPPED or is_environment or (above / name).is_symlink())
