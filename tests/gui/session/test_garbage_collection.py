"""No cycle is cleared on a worker's thread, and collecting goes on when the last worker has ended."""

import gc

from gui.session.garbage_collection import hold_collection, let_collect


def test_collecting_waits_for_the_last_worker() -> None:
    assert gc.isenabled()
    hold_collection()
    hold_collection()
    let_collect()
    assert not gc.isenabled()
    let_collect()
    assert gc.isenabled()
