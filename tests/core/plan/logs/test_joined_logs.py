"""A plan's logs that are read together: kept, saved, taken apart."""

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest

from core.plan.imports import kept, with_logs, without_log
from core.plan.joined_logs import chips_logs, guessed_begin, joined_log, shown_bands, with_chips
from core.plan.plan import Plan
from core.plan.sample_plan import sample_plan
from core.plan.store import load, save
from tests.core.calibration.own_logs.made import machine, serving, training

NOW = datetime(2026, 11, 21, tzinfo=UTC)


@pytest.fixture(scope="module")
def plan() -> Plan:
    run = replace(training(np.full(30, 10.0), np.full(30, 5000.0)), start="2025-10-15 10:01:10")
    use = np.concatenate((np.zeros(60), np.full(300, 98.0)))
    chips = replace(machine(use, power_w=6.0 * use), start="2025/10/15 10:00:00.000")
    return with_logs(sample_plan(), [kept(run, "", NOW), kept(chips, "", NOW)])


def test_the_start_of_a_log_is_kept_and_tells_where_the_chips_begin(plan: Plan) -> None:
    run, chips = plan.logs
    assert (run.start, chips.start) == ("2025-10-15 10:01:10", "2025/10/15 10:00:00.000")
    assert chips_logs(plan, run) == [chips] and not chips_logs(plan, chips)
    assert guessed_begin(run, chips).begins_s == -60.0


def test_both_logs_are_one_record_until_they_are_taken_apart(plan: Plan) -> None:
    both = with_chips(plan, "log-1", "log-2", -60.0)
    run = both.logs[0]
    told = joined_log(both, run, frozenset())
    assert told is not None and told.record.series["utilization_pct"].tolist() == [98.0] * 30
    assert set(shown_bands(both.logs[0], told.record)) == set(told.record.by_chip)
    apart = with_chips(both, "log-1", "", -60.0)
    assert apart == plan and joined_log(apart, apart.logs[0], frozenset()) is None


def test_the_pair_is_saved_and_a_log_that_goes_leaves_the_other_alone(plan: Plan, tmp_path: Path) -> None:
    both = with_chips(plan, "log-1", "log-2", -60.0)
    save(both, tmp_path / "a.roofplan")
    assert load(tmp_path / "a.roofplan").logs == both.logs
    alone = without_log(both, "log-2")
    assert [(one.id, one.chips_log_id, one.chips_begin_s) for one in alone.logs] == [("log-1", "", 0.0)]


def test_which_logs_go_with_which(plan: Plan) -> None:
    told = [serving(duration_s=300.0, output_tokens_per_s=9.0), serving(output_tokens_per_s=9.0), machine([50.0])]
    grown = with_logs(plan, [kept(one, "", NOW) for one in told])
    lasts, timeless, snapshot = grown.logs[2:]
    assert [one.id for one in chips_logs(grown, lasts)] == ["log-2"], "one snapshot tells nothing over time"
    assert not chips_logs(grown, timeless) and not chips_logs(grown, snapshot)
