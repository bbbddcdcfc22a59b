"""How far a log is thinned when a plan keeps it."""

from datetime import UTC, datetime

import numpy as np
import pytest

from core.logs.record import LogRecord
from core.plan.imports import MAX_POINTS, kept

NOW = datetime(2026, 11, 21, tzinfo=UTC)


@pytest.mark.parametrize(
    ("n_readings", "n_kept"), [(0, 0), (1, 1), (1500, 1500), (1501, 751), (3000, 1500), (3001, 1001)]
)
def test_readings_are_kept_whole_up_to_the_most_and_in_runs_beyond(n_readings: int, n_kept: int) -> None:
    """1,501 readings are 750 pairs and one, 3,001 runs of three."""
    assert MAX_POINTS == 1500
    time_s = np.arange(float(n_readings))
    record = LogRecord("a.csv", "f", n_readings, {}, None, None, 1, None, time_s, {"power_w": 2 * time_s}, {})
    log = kept(record, "log-1", NOW)
    assert len(log.series_s) == len(log.series["power_w"]) == n_kept
    if n_readings == 3000:
        assert (log.series_s[:2], log.series["power_w"][:2]) == ((0.5, 2.5), (1.0, 5.0))
