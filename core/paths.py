"""Where shipped data and the user's own data lie, frozen or not. The only place that looks at ``sys.frozen``."""

from __future__ import annotations

import atexit
import errno
import os
import shutil
import sys
import tempfile
from contextlib import suppress
from functools import cache
from pathlib import Path

import platformdirs

LOGS = "logs"
"""Folder of log files and crash reports among the user's own."""

BUNDLED_PARTS = "parts.cdx.json"
"""Beside ``resources/`` in a packaged app: name, version and licence of every part (CycloneDX bill of materials)."""

LICENCE_NOTICES = "LICENCES.txt"
"""Beside it: the licence texts of these parts."""


def is_packaged() -> bool:
    """True in the packaged app, where the program is one executable and no Python of the system's."""
    return bool(getattr(sys, "frozen", False))


def program_root() -> Path:
    """Folder that holds ``resources/`` and ``profiles/``: the bundle's when frozen, else the one beside ``core/``.

    That is the repository's root in a source tree, and ``site-packages`` where a wheel was installed.
    """
    if is_packaged():
        return Path(getattr(sys, "_MEIPASS", Path(sys.executable).parent))
    return Path(__file__).resolve().parent.parent


def resources() -> Path:
    """Folder of the shipped data: catalogue, advice, fonts, icons, help."""
    return program_root() / "resources"


def profiles() -> Path:
    """Folder of the shipped workload profiles and the sample plan."""
    return program_root() / "profiles"


def user_folder() -> Path:
    """Where the user's own files are to lie, whether or not the folder is there.

    The variable ``ROOFPLAN_HOME`` moves it, which is how tests and portable installs keep apart.
    """
    chosen = os.environ.get("ROOFPLAN_HOME")
    return Path(chosen).absolute() if chosen else Path(platformdirs.user_data_dir("roofplan", appauthor=False))


def user_data() -> Path:
    """Folder of the user's own files (settings, recovery copies, log files), made when missing.

    Where the user's folder cannot be written it is a temporary one, so that everything works until the program ends.
    Raises OSError where nothing at all can be written.
    """
    folder = _writable(user_folder())[0]
    with suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
    return folder


def user_data_trouble() -> str:
    """Why the user's own folder is not written; empty when it is."""
    return _writable(user_folder())[1]


@cache
def _writable(folder: Path) -> tuple[Path, str]:
    """The folder, or one that can be written in its place, and why."""
    try:
        if not folder.is_absolute():
            raise FileNotFoundError(errno.ENOENT, "no home folder is known")
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return folder, ""
    except OSError as error:
        aside = Path(tempfile.mkdtemp(prefix="roofplan-"))
        atexit.register(_leave_logs_alone, aside)
        return aside, f"{folder} cannot be written ({error.strerror or error})"


def _leave_logs_alone(aside: Path) -> None:
    """Takes everything out of the temporary folder but logs, which somebody may have been told of."""
    for path in aside.iterdir():
        if path.name == LOGS and any(path.iterdir()):
            continue
        shutil.rmtree(path, ignore_errors=True) if path.is_dir() else path.unlink(missing_ok=True)
    with suppress(OSError):
        aside.rmdir()
