"""What is known of a study so far, in the order in which it is shown."""

from __future__ import annotations

from core.comparison.what_if.few import Gap
from core.comparison.what_if.tornado import TornadoRow
from gui.tabs.what_if.studies import Told
from tests.gui.sample_results import sample_results
from tests.gui.tabs.what_if.canned import BUDGET, DEADLINE, NOW, SPEED


def test_the_widest_input_comes_first_and_what_is_not_known_last() -> None:
    far, near = Gap(-5e5, -40.0, -6e5), Gap(-2e5, -18.0, -2e5)
    rows = {one.id: TornadoRow(one, NOW, gap, NOW) for one, gap in ((DEADLINE, near), (SPEED, far))}
    told = Told(sample_results(), "a", "b", inputs=(BUDGET, DEADLINE, SPEED), rows=rows)
    assert told.widest("time") == told.widest() == [SPEED, DEADLINE, BUDGET]
