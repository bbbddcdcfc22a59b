"""The window without a display: draws the sample plan into a picture and a PDF (``python -m gui.offscreen FOLDER``)."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QEventLoop, QTimer, SignalInstance
from PySide6.QtWidgets import QApplication

from core.errors import MachineError
from core.plan.sample_plan import sample_plan
from core.report.document import PAGES
from core.writing.whole_file import hand_over
from gui.app import make_window
from gui.headless import application
from gui.pdf.writer import write_pdf
from gui.session.plan_session import PlanSession
from gui.theme.painted import png_of
from gui.window.main_window import MainWindow

WINDOW_PX = (1440, 900)
PATIENCE_MS, SETTLING_MS = 60_000, 5_000


def main(words: list[str]) -> int:
    """Writes ``roofplan-window.png`` and ``roofplan-sample.pdf`` into a folder and says so."""
    folder = Path(words[0] if words else "build")
    folder.mkdir(parents=True, exist_ok=True)
    application()
    window = make_window(sample_plan())
    picture = draw_window(window, folder / "roofplan-window.png")
    pdf = draw_report(window.session, folder / "roofplan-sample.pdf")
    window.close()
    print(f"No display here, so the sample plan was drawn instead: {picture} and {pdf}")
    return 0


def draw_window(window: MainWindow, path: Path) -> Path:
    """The window as it looks once all results stand in it, of the whole plan too."""
    window.resize(*WINDOW_PX)
    window.show()
    wait_for_results(window.session)
    wait_for_the_whole_plan(window.session)
    # a text's height follows its width: layouts ask anew of each other until none has more to say
    QApplication.processEvents(QEventLoop.ProcessEventsFlag.AllEvents, SETTLING_MS)
    try:
        hand_over(path, png_of(window.grab().toImage()))
    except OSError as error:
        raise MachineError(f"write {path}", error.strerror or str(error)) from error
    return path


def draw_report(session: PlanSession, path: Path) -> Path:
    """The comparison plan with every page; nobody waits at this program, so that it evaluates here and now."""
    paper = session.paper(tuple(PAGES))
    write_pdf(paper.document(paper.handed_out(paper.results_here_and_now())), path)
    return path


def wait_for_results(session: PlanSession) -> None:
    """Lets the window live until results are there. Raises MachineError when none come in time."""
    _wait(session.results_changed, lambda: session.results is not None)
    if session.results is None:
        raise MachineError("draw the sample plan", f"no results within {PATIENCE_MS // 1000} s")


def wait_for_the_whole_plan(session: PlanSession) -> None:
    """Lets the window live until all workloads together are answered, or for a time; a picture without is one too."""
    _wait(session.whole_plan.changed, lambda: not session.whole_plan.is_working)


def _wait(changed: SignalInstance, is_there: Callable[[], bool]) -> None:
    """Lets the window live until something is there, no longer than :data:`PATIENCE_MS`."""
    loop, ends = QEventLoop(), QTimer(singleShot=True, interval=PATIENCE_MS)
    waiting = changed.connect(lambda *_: loop.quit() if is_there() else None)
    ends.timeout.connect(loop.quit)
    ends.start()
    if not is_there():
        loop.exec()
    changed.disconnect(waiting)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
