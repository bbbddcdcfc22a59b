"""Where shipped data and the user's own data lie, frozen or not. The only place that looks at ``sys.frozen``."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import platformdirs

BUNDLED_PARTS = "parts.cdx.json"
"""Beside ``resources/`` in a packaged app: name, version and licence of every part (CycloneDX bill of materials)."""

LICENCE_NOTICES = "LICENCES.txt"
"""Beside it: the licence texts of these parts."""


def program_root() -> Path:
    """Folder that holds ``resources/`` and ``profiles/``: the bundle's when frozen, else the one beside ``core/``.

    That is the repository's root in a source tree, and ``site-packages`` where a wheel was installed.
    """
    if getattr(sys, "frozen", False):
        return Path(getattr(sys, "_MEIPASS", Path(sys.executable).parent))
    return Path(__file__).resolve().parent.parent


def resources() -> Path:
    """Folder of the shipped data: catalogue, advice, fonts, icons, help."""
    return program_root() / "resources"


def profiles() -> Path:
    """Folder of the shipped workload profiles and the sample plan."""
    return program_root() / "profiles"


def user_data() -> Path:
    """Folder of the user's own files (settings, recovery copies, log files), made when missing.

    The variable ``ROOFPLAN_HOME`` moves it, which is how tests and portable installs keep apart.
    """
    chosen = os.environ.get("ROOFPLAN_HOME")
    folder = Path(chosen) if chosen else Path(platformdirs.user_data_dir("roofplan", appauthor=False))
    folder.mkdir(parents=True, exist_ok=True)
    return folder
