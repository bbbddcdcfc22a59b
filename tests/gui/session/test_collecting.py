"""No cycle is cleared on a worker's thread, and collecting goes on when the last worker has ended."""

import gc

from pytestqt.qtbot import QtBot

from gui.session.background import Background
from gui.session.collecting import hold_collection, let_collect


def test_collecting_waits_for_the_last_worker() -> None:
    assert gc.isenabled()
    hold_collection()
    hold_collection()
    let_collect()
    assert not gc.isenabled()
    let_collect()
    assert gc.isenabled()


def test_work_off_the_gui_thread_runs_without_collecting(qtbot: QtBot) -> None:
    background = Background()
    with qtbot.waitSignal(background.done) as ended:
        background.start(gc.isenabled)
    background.stop()
    assert ended.args == [False]
    assert gc.isenabled()
