"""What the footer, the summary and the strip say."""

from dataclasses import replace

import pytest

from core.calibration.own_logs.stretches import stretches
from core.calibration.own_logs.use import bill_of, use_of
from core.ranges import Evidence
from core.throughput.correction import SpeedFactor
from core.units import Money, money_here
from gui.tabs.calibrate.footer import factor_words, share_words
from gui.tabs.calibrate.summary import bill_lines, window_lines
from tests.core.calibration.own_logs.made import machine


def test_the_factor_tells_its_range_its_runs_and_its_pull() -> None:
    one = SpeedFactor("h100-sxm", "training", 0.88, 0.05, 1, Evidence.MEASURED_HERE, 0.128)
    assert factor_words(one) == "0.836–0.924, from one run, so pulled an eighth of the way back to 1"
    assert factor_words(replace(one, n_records=3, pull=0.0)) == "0.836–0.924, from three runs"


@pytest.mark.parametrize(("share", "word"), [(0.5, "half"), (0.26, "a quarter"), (0.1, "a tenth"), (0.004, "")])
def test_a_pull_is_told_as_a_fraction(share: float, word: str) -> None:
    assert share_words(share) == word


def test_rows_of_the_bill_as_printed_add_up_in_any_money() -> None:
    record = machine([20.0] * 1000 + [95.0] * 5000 + [50.0] * 700 + [0.0] * 333)
    bill = bill_of(stretches(record), 8, 2.9)
    for money, sign in ((Money(), "$"), (Money("EUR", 0.87, "2026-11-01"), "€")):
        with money_here(money):
            rows, (hours, usd) = bill_lines(bill)
        cents = [round(100 * float(row[3].removeprefix(sign))) for row in rows]
        part, whole = (round(100 * float(text.removeprefix(sign))) for text in usd.split(" of "))
        assert sum(cents) == part < whole
        tenths = [round(10 * float(row[2].split("\u202f")[0])) for row in rows]
        assert sum(tenths) == round(10 * float(hours.split(" of ")[0]))


def test_figures_that_a_log_does_not_hold_are_left_out() -> None:
    lines = {name: value for name, value, _ in window_lines(use_of(machine([90.0] * 100), ((0.0, 99.0),), 1))}
    assert lines == {"Duty cycle": "90\u202f%", "Energy, with idle": "", "Memory peak": "", "Straggler": ""}
