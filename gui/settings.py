"""Settings of this user on this machine, in one small readable file; window size and docks among them."""

from __future__ import annotations

import json
import logging
import os
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

from PySide6.QtCore import QByteArray
from PySide6.QtWidgets import QMainWindow

from core import paths
from core.writing.whole_file import hand_over

FILE_NAME = "settings.json"
MOST_RECENT = 10
LAYOUT_VERSION = 1
"""Raised when docks are added or renamed, so that an old layout is not forced upon them."""

FIRST_SIZE_PX = (1440, 900)

_log = logging.getLogger(__name__)


@dataclass
class Settings:
    """What the window remembers. Change an attribute, then :meth:`save`.

    ``geometry`` and ``layout`` are Qt's own descriptions of window and docks, as hexadecimal text.
    """

    theme: str = "system"
    recent: list[str] = field(default_factory=list)
    geometry: str = ""
    layout: str = ""
    last_folder: str = ""
    has_seen_tour: bool = False

    def save(self) -> None:
        """Writes the file; a disk that refuses costs the settings, never the work."""
        if paths.user_data_trouble():
            return  # told once, when the program began
        try:
            paths.user_data()
            hand_over(_path(), json.dumps(asdict(self), indent=1).encode())
        except OSError as error:
            _log.warning("settings were not saved: %s", error)

    def add_recent(self, path: Path) -> None:
        """Puts a plan file at the head of the recent ones."""
        name = str(path.resolve())
        self.recent = [name, *(one for one in self.recent if one != name)][:MOST_RECENT]
        self.last_folder = str(path.resolve().parent)
        self.save()

    def forget_recent(self, path: Path) -> None:
        """Takes a plan file that is gone off the list."""
        self.recent = [one for one in self.recent if one != str(path)]
        self.save()

    def recent_files(self) -> list[Path]:
        """Recent plan files that are still there, newest first."""
        return [Path(name) for name in self.recent if os.path.isfile(name)]  # noqa: PTH113 - false where nobody may look


def load_settings() -> Settings:
    """The settings as last saved; defaults for what is missing or makes no sense."""
    try:
        stored: Any = json.loads(_path().read_text(encoding="utf-8"))
    except FileNotFoundError:
        return Settings()
    except (OSError, ValueError, RecursionError) as error:
        _log.warning("settings could not be read, defaults are used: %s", error)
        return Settings()
    known = stored if isinstance(stored, dict) else {}
    settings = Settings(**{f.name: known[f.name] for f in fields(Settings) if _fits(f.name, known.get(f.name))})
    settings.recent = [one for one in settings.recent if isinstance(one, str)][:MOST_RECENT]
    return settings


def _fits(name: str, value: object) -> bool:
    return isinstance(value, list if name == "recent" else str)


def _path() -> Path:
    return paths.user_folder() / FILE_NAME


def save_window_layout(window: QMainWindow, settings: Settings) -> None:
    """Notes size, place and docks."""
    settings.geometry = bytes(window.saveGeometry().toHex().data()).decode("ascii")
    settings.layout = bytes(window.saveState(LAYOUT_VERSION).toHex().data()).decode("ascii")
    settings.save()


def restore_window_layout(window: QMainWindow, settings: Settings) -> None:
    """Puts window and docks where they were; what cannot be read is left as it is."""
    window.resize(*FIRST_SIZE_PX)
    window.restoreGeometry(stored_bytes(settings.geometry))
    window.restoreState(stored_bytes(settings.layout), LAYOUT_VERSION)


def stored_bytes(text: str) -> QByteArray:
    """Qt's own description, of the hexadecimal text that settings keep; empty for any other text."""
    return QByteArray.fromHex(QByteArray(text.encode("ascii", "ignore")))
