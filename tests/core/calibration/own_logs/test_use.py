"""Duty, energy, memory, stragglers, throttling; what was paid for and not used."""

import numpy as np
import pytest

from core.calibration.own_logs.parts import without
from core.calibration.own_logs.stretches import stretches, window_of, with_window
from core.calibration.own_logs.use import bill_of, in_steps, use_of
from tests.core.calibration.own_logs.made import machine


def _two_chips() -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    """Ramp of 100 s, 600 s of work of which 60 a checkpoint, 100 s idle; the second chip a tenth less."""
    one = np.concatenate(
        [np.full(100, 30.0), np.full(300, 100.0), np.full(60, 5.0), np.full(240, 100.0), np.zeros(100)]
    )
    return np.stack([one, 0.9 * one], axis=1)


def test_figures_are_those_of_the_steady_parts() -> None:
    use = _two_chips()
    record = machine(use, power_w=7.0 * use, memory_used_gib=np.stack([use[:, 0] * 0.6, use[:, 1] * 0.7], axis=1),
                     memory_total_gib=np.full_like(use, 80.0))  # fmt: skip
    told = use_of(record, without(*window_of(stretches(record))), 2)
    assert told.duty_pct == pytest.approx(95.0, rel=0.02)
    assert told.duty_span_pct == pytest.approx((90.0, 100.0), rel=0.02)
    assert told.memory_peak is not None and (told.memory_peak.chip, told.memory_peak.value) == (
        "1",
        pytest.approx(63.0),
    )
    assert told.memory_spare_gib == pytest.approx(17.0)
    assert told.straggler is not None and told.straggler.chip == "1"
    assert told.straggler.value == pytest.approx(1 - 0.9 / 0.95, rel=0.02)
    assert told.whole_energy_kwh == pytest.approx(7.0 * use[:-1].sum() / 3.6e6)
    assert told.energy_kwh == pytest.approx(7.0 * 1.9 * 100 * 540 / 3.6e6, rel=0.02)


def test_chips_that_do_alike_have_no_straggler_and_unknown_stays_unknown() -> None:
    told = use_of(machine(np.full((200, 4), 97.0)), ((0.0, 199.0),), 4)
    assert told.straggler is None and told.duty_span_pct == pytest.approx((97.0, 97.0))
    assert (told.energy_kwh, told.memory_peak, told.memory_spare_gib, told.throttled) == (None, None, None, ())


def test_throttling_is_told_chip_by_chip_from_to() -> None:
    throttled = np.zeros((100, 3))
    throttled[40:60, 1] = 100.0
    (told,) = use_of(machine(np.full((100, 3), 90.0), throttled_pct=throttled), ((0.0, 99.0),), 3).throttled
    assert (told.chip, told.spans_s, told.seconds) == ("1", ((40.0, 60.0),), 20.0)


def test_what_was_not_used_is_priced_and_adds_up() -> None:
    record = machine(_two_chips())
    bill = bill_of(stretches(record), 2, 3.6)
    assert [row.words for row in bill.rows] == ["Warm-up", "Checkpoints", "Idle at the end"]
    assert [row.seconds for row in bill.rows] == pytest.approx([100, 60, 99], abs=3)
    assert bill.unused.chip_hours == pytest.approx(sum(row.chip_hours for row in bill.rows))
    assert bill.whole.chip_hours == pytest.approx(799 * 2 / 3600)
    assert bill.whole.usd == pytest.approx(799 * 2 / 1000)
    assert bill_of(stretches(record), 2, None).unused.usd is None


def test_steady_work_that_is_cut_by_hand_is_told_as_such() -> None:
    record = machine([90.0] * 1000)
    bill = bill_of(with_window(stretches(record), (0.0, 500.0), ()), 8, 1.0)
    assert [(row.words, row.seconds) for row in bill.rows] == [("Cut by you", 499.0)]


def test_rows_as_printed_add_up_to_the_total_as_printed() -> None:
    rows, total = in_steps([2.44, 1.24, 0.84, 0.84], 0.1)
    assert rows == [24, 12, 8, 8] and total == 52


@pytest.mark.parametrize(
    ("ticks", "spans"), [([3, 4, 5], ((3.0, 6.0),)), ([8, 9], ((8.0, 9.0),)), ([0, 9], ((0.0, 1.0), (9.0, 9.0)))]
)
def test_throttling_lasts_to_the_next_line_and_no_longer_than_the_log(ticks: list[int], spans: object) -> None:
    slowed = np.zeros((10, 1))
    slowed[ticks] = 100.0
    told = use_of(machine(np.full((10, 1), 97.0), throttled_pct=slowed), ((0.0, 9.0),), 1).throttled
    assert told[0].spans_s == spans
