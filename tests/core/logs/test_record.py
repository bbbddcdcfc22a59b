"""The neutral measurement: its length, what was skipped, and summaries of what is known."""

import numpy as np
import pytest

from core.logs.facts import stated
from core.logs.quantities import SHARED, QuantityKind
from core.logs.record import LogRecord, Quantity, summarise, summarise_all


def _record(time_s: list[float], skipped: dict[str, int] | None = None) -> LogRecord:
    return LogRecord("a.csv", "f", 9, skipped or {}, None, None, None, None, np.array(time_s), {}, {})


@pytest.mark.parametrize(
    ("time_s", "duration_s"),
    [([], 0.0), ([7.0], 0.0), ([5.0, 6.0, 11.0], 6.0), ([0.0, 0.5, 2.0], 2.0), ([-3.0, 1.0], 4.0)],
)
def test_a_log_lasts_from_its_first_to_its_last_reading(time_s: list[float], duration_s: float) -> None:
    assert _record(time_s).duration_s == duration_s


def test_skipped_lines_count_whatever_the_reason() -> None:
    assert _record([0.0], {"cut": 2, "other": 5}).n_skipped == 7
    assert _record([0.0]).n_skipped == 0


def test_unknown_readings_are_left_out_of_a_summary() -> None:
    values = np.array([np.nan, 1.0, 2.0, np.nan, 9.0])
    assert summarise(values, "W") == Quantity("W", 3, 4.0, 2.0, 9.0, pytest.approx(7.6), pytest.approx(8.86))
    assert summarise(np.array([np.nan]), "W") is None
    assert summarise(np.array([]), "W") is None


def test_a_series_without_a_known_value_has_no_summary() -> None:
    series = {"power_w": np.array([1.0, 3.0]), "loss": np.array([np.nan])}
    assert summarise_all(series) == {
        "power_w": Quantity(SHARED["power_w"].unit, 2, 2.0, 2.0, 3.0, pytest.approx(2.8), pytest.approx(2.98))
    }
    assert SHARED["power_w"].unit == "W"


def test_a_quantity_of_a_format_s_own_has_the_unit_that_is_declared_with_it() -> None:
    series = {"own": np.array([5.0]), "power_w": np.array([2.0])}
    kinds = {**SHARED, "own": QuantityKind("m", "Own")}
    assert summarise_all(series, kinds) == {
        "own": Quantity("m", 1, *[5.0] * 5),
        "power_w": Quantity("W", 1, *[2.0] * 5),
    }
    with pytest.raises(KeyError, match="own"):
        summarise_all(series)


def test_facts_are_cut_to_a_line_and_what_is_unknown_is_left_out() -> None:
    facts = stated({"model": "m" * 500, "concurrency": 1e300, "sequence_length": None, "precision": ""})
    assert facts == {"model": "m" * 200, "concurrency": 1e300}
    with pytest.raises(KeyError):
        stated({"colour of the rack": "red"})
