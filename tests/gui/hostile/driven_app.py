"""Really runs the app off screen, as ``roofplan --sample`` does: edits, saves to a file, tells what it says, and quits.

``python -m tests.gui.hostile.driven_app FILE`` prints a JSON line. Beyond that it only prints what the app prints.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

from gui.app import run
from gui.window.main_window import MainWindow


class Driver:
    """Waits for the window and its results, works like a person, and closes it."""

    def __init__(self, target: Path) -> None:
        self._target, self._said = target, [""]
        self._timer = QTimer(interval=20)
        self._timer.timeout.connect(self._look)
        self._timer.start()

    def _look(self) -> None:
        windows = [one for one in QApplication.topLevelWidgets() if isinstance(one, MainWindow)]
        if windows and windows[0].isVisible() and windows[0].session.results is not None:
            self._timer.stop()
            self._work(windows[0])

    def _work(self, window: MainWindow) -> None:
        said = window.message.text.text() if window.message.isVisible() else ""
        window.session.edit("profiles.0.limits.deadline_days", 41)
        window.files.keep_working_copy()
        window.files.take_snapshot()
        window.toggle_theme()
        for tab in ("compare", "cost", "catalogue", "report"):
            window.tabs.show_tab(tab)
            QApplication.processEvents()
        later = window.message.text.text() if window.message.isVisible() else ""
        window.files.save_as(self._target)
        told = {"said": said, "later": later, "saved": self._target.is_file(), "n": len(window.session.results.results)}
        print(json.dumps(told), flush=True)
        window.close()


def main(target: str) -> int:
    from gui.app import application

    application()
    driver = Driver(Path(target))
    status = run(sample=True)
    del driver
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
