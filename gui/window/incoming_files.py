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

    def take(self, path: Path) -> None:
        """A plan opens, a config.json becomes the model, prices are shown first, anything else is read as a log."""
        if path.suffix == SUFFIX:
            self._dialogs.open(path)
        elif path.suffix == ".json" and self._session.has_plan and is_price_book(path):
            self._prices.show_book(path)
        elif path.suffix == ".json" and self._session.has_plan:
            self._tabs.describe().take_config(path)
        elif self._session.has_plan and is_list_of_prices(path):
            self._prices.import_prices(path)
        elif self._session.has_plan:
            self._tabs.calibrate().import_file(path)
        else:
            self._say(f"Open or begin a plan first; then {path.name} can be imported.")

    def ask_log(self) -> None:
        """Asks for a log on the Calibrate tab."""
        self._tabs.calibrate().ask_and_import()

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
