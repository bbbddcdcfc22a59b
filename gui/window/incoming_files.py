"""Files that come in from outside: dropped, or chosen by a command."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QMimeData

from core.errors import RoofplanError
from gui.dialogs.files import FileDialogs
from gui.session.file_session import SUFFIX
from gui.session.plan_session import PlanSession
from gui.tabs.tab_pages import TabPages
from gui.window.price_actions import PriceActions

MOST_CONFIG_BYTES = 1 << 20
"""A model's description is small; a larger file of JSON is a log."""

CONFIG_NAMES = {"model_type", "architectures", "hidden_size", "n_embd", "d_model", "text_config"}
"""Any of them tells a ``config.json``."""


class IncomingFiles:
    """Passes each file to what can read it. ``say`` shows a message that does not stop the work."""

    def __init__(
        self,
        session: PlanSession,
        dialogs: FileDialogs,
        tabs: TabPages,
        prices: PriceActions,
        say: Callable[[str], None],
    ) -> None:
        self._session, self._dialogs, self._tabs, self._prices, self._say = session, dialogs, tabs, prices, say

    def take(self, *paths: Path) -> None:
        """Plans open, a config.json becomes the model, prices are shown first; all else is read as logs, together."""
        logs = [path for path in paths if not self._takes_itself(path)]
        if logs and self._session.has_plan:
            self._tabs.calibrate().importing.files(logs)
        elif logs:
            self._say(f"Open or begin a plan first; then {logs[0].name} can be imported.")

    def _takes_itself(self, path: Path) -> bool:
        """Passes on what is no log; False for the others."""
        if path.suffix == SUFFIX:
            self._dialogs.open(path)
        elif not self._session.has_plan:
            return False
        elif path.suffix == ".json" and is_price_book(path):
            self._prices.show_book(path)
        elif path.suffix == ".json" and is_config(path):
            self._tabs.describe().take_config(path)
        elif not path.is_dir() and is_list_of_prices(path):
            self._prices.import_prices(path)
        else:
            return False
        return True

    def ask_log(self) -> None:
        """Asks for a log on the Calibrate tab."""
        self._tabs.calibrate().importing.ask()

    def show_log(self, log_id: str) -> None:
        """Shows an imported log."""
        self._tabs.calibrate().show_log(log_id)


def is_list_of_prices(path: Path) -> bool:
    """True for a zip, and for a CSV whose header is that of a price list. One that cannot be read is none."""
    from core.plan.price_import import is_price_file

    try:
        return is_price_file(path)
    except RoofplanError:
        return False


def is_config(path: Path) -> bool:
    """True for JSON that describes a model, and for what is no JSON at all, which the form then tells; benchmarks of
    servers are JSON too."""
    from core.reading.json_text import read_json

    try:
        content = read_json(path, "a config.json") if path.stat().st_size <= MOST_CONFIG_BYTES else None
    except (RoofplanError, OSError):
        return path.name == "config.json"
    return isinstance(content, dict) and not CONFIG_NAMES.isdisjoint(content)


def is_price_book(path: Path) -> bool:
    """True for the file of a price book that can be read."""
    from core.catalogue.own.book_file import load_book

    try:
        return path.exists() and bool(load_book(path))
    except RoofplanError:
        return False


def local_files(data: QMimeData) -> list[Path]:
    """The files of this machine in what is dragged."""
    return [Path(url.toLocalFile()) for url in data.urls() if url.isLocalFile()]
