"""Really runs the app off screen, as ``roofplan --sample`` does: edits, saves to a file, tells what it says, and quits.

``python -m tests.gui.hostile.driven_app FILE`` prints a JSON line; with ``die`` behind it the process dies of its
edit, with ``connect`` it tries to reach a network, as a part of it that was tampered with would.
"""

from __future__ import annotations

import faulthandler
import json
import socket
import sys
from contextlib import suppress
from pathlib import Path

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

from core.paths import user_data
from gui.app import run
from gui.start.application import application
from gui.window.main_window import MainWindow

SOCKETS: list[str] = []
"""What was done with sockets in Python."""


class Driver:
    """Waits for the window and its results, works like a person, and closes it."""

    def __init__(self, target: Path, what: str) -> None:
        self._target, self._what = target, what
        self._timer = QTimer(interval=20)
        self._timer.timeout.connect(self._look)
        self._timer.start()

    def _look(self) -> None:
        windows = [one for one in QApplication.topLevelWidgets() if isinstance(one, MainWindow)]
        if windows and windows[0].isVisible() and windows[0].session.results is not None:
            self._timer.stop()
            self._work(windows[0])

    def _work(self, window: MainWindow) -> None:
        said = _message(window)
        if self._what == "connect":
            _connect()
            window.close()
            return
        window.session.edit("profiles.0.limits.deadline_days", 41)
        window.files.keep_working_copy()
        if self._what == "die":
            _die_soon()
        else:
            self._work_and_end(window, said)

    def _work_and_end(self, window: MainWindow, said: str) -> None:
        window.files._snapshot_timer.timeout.emit()
        window.toggle_theme()
        for tab in ("compare", "cost", "catalogue", "report"):
            window.tabs.show_tab(tab)
            QApplication.processEvents()
        window.message.dismiss.click()
        for _ in range(3):
            QApplication.processEvents()
        later = _message(window)
        window.files.save_as(self._target)
        told = {
            "said": said,
            "later": later,
            "saved": self._target.is_file(),
            "n": len(window.session.results.results),
            "sockets": SOCKETS,
            "libraries": _network_libraries(),
        }
        print(json.dumps(told), flush=True)
        window.close()


def _watch_sockets(event: str, arguments: tuple[object, ...]) -> None:
    if event.startswith("socket."):
        SOCKETS.append(f"{event} {arguments[1:]}")


def _network_libraries() -> list[str]:
    """Libraries of this process that could speak to a network."""
    maps = Path("/proc/self/maps")
    names = {line.split("/")[-1] for line in maps.read_text().splitlines()} if maps.exists() else set()
    return sorted(name for name in names if "Network" in name or name.startswith(("libssl", "_ssl")))


def _message(window: MainWindow) -> str:
    return window.message.text.text() if window.message.isVisible() else ""


def _die_soon() -> None:
    """Once what is written aside off the GUI thread is there too."""
    open_copies = user_data() / "open"
    timer = QTimer(QApplication.instance(), interval=20)
    timer.timeout.connect(lambda: faulthandler._sigsegv() if list(open_copies.glob("*.roofplan")) else None)
    timer.start()


def _connect() -> None:
    with suppress(OSError), socket.socket() as made:
        made.connect(("127.0.0.1", 9))


def main(target: str, what: str = "") -> int:
    sys.addaudithook(_watch_sockets)
    application()
    driver = Driver(Path(target), what)
    status = run(sample=True)
    del driver
    return status


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
