"""Factors: what a log says, bounds, averaging, siblings."""

import math
from collections.abc import Sequence
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.calibration import speed_factors
from core.calibration.accepted import AcceptedCalibration
from core.calibration.measured.system import measured_system
from core.calibration.own_logs import predicted as prediction
from core.calibration.own_logs.readings import at_its_load
from core.calibration.own_logs.stretches import stretches, window_of
from core.catalogue.loading import load_catalogue
from core.errors import InputError
from core.logs.read import read_log
from core.ranges import Evidence, Range
from core.throughput.types import System
from core.workload.jobs.kinds import OnlineServing
from core.workload.models.known import presets
from core.workload.profile import Profile
from tests.core.calibration.own_logs.made import machine, serving, training
from tests.core.calibration.own_logs.test_load import server
from tests.repository_files import ROOT

DATA = ROOT / "tests" / "data" / "logs"
SYSTEM = measured_system(load_catalogue(), "h100-sxm", 8)


@pytest.fixture
def predicts_1000(monkeypatch: pytest.MonkeyPatch) -> None:
    def answers(_: Profile, systems: Sequence[System]) -> list[SimpleNamespace]:
        speed = Range(900.0, 1000.0, 1100.0)
        shared = {"fits": True, "reasons": (), "tokens_per_s": speed, "memory_gib": {"weights": 40.0}, "load": None}
        return [SimpleNamespace(system=one, **shared) for one in systems]

    monkeypatch.setattr(prediction, "predict", answers)


def _accepted(
    factor: float, spread: float = 0.05, chip: str = "h100-sxm", log_id: str = "a", n_params: float | None = None
) -> AcceptedCalibration:
    return AcceptedCalibration(
        log_id=log_id, profile_id="p", accelerator_id=chip, n_chips=8, work="training",
        measured_tokens_per_s=1000 * factor, predicted_tokens_per_s=1000, factor=factor, spread=spread,
        window_s=(0, 1), how="test", n_params=n_params,
    )  # fmt: skip


@pytest.mark.usefixtures("predicts_1000")
def test_utilisation_alone_gives_the_share_of_time_lost() -> None:
    record = read_log(DATA / "h100-node07.csv")
    found = speed_factors.propose(record, "log", Profile(), SYSTEM, *window_of(stretches(record)))
    assert found.factor == pytest.approx(0.96, abs=0.01)
    assert found.measured_tokens_per_s == pytest.approx(1000 * found.factor)
    assert found.spread > speed_factors.BUSY_SPREAD


def test_a_log_of_one_node_stands_for_the_smallest_cluster_that_holds_the_workload() -> None:
    record = read_log(DATA / "h100-node07.csv")
    profile = Profile(model=presets()["Llama 3.1 70B"].model)
    found = speed_factors.propose(record, "log", profile, SYSTEM, *window_of(stretches(record)))
    assert found.n_chips > 8
    assert found.factor == pytest.approx(0.96, abs=0.01)


def test_a_speed_needs_the_chips_it_was_measured_on() -> None:
    record = read_log(DATA / "maxtext-v5p.log")
    profile = Profile(model=presets()["Llama 3.1 70B"].model)
    with pytest.raises(InputError, match="the number of chips that the log was made on"):
        speed_factors.propose(record, "log", profile, SYSTEM, *window_of(stretches(record)))


@pytest.mark.usefixtures("predicts_1000")
def test_step_lines_give_tokens_per_second_of_all_chips() -> None:
    record = read_log(DATA / "maxtext-v5p.log")
    found = speed_factors.propose(record, "log", Profile(), SYSTEM, *window_of(stretches(record)))
    assert found.measured_tokens_per_s == pytest.approx(8 * 8192 / 8.4, rel=0.01)
    assert found.spread < 0.08


@pytest.mark.usefixtures("predicts_1000")
def test_a_typed_speed_wins_over_the_log() -> None:
    record = read_log(DATA / "h100-node07.csv")
    assert speed_factors.propose(record, "log", Profile(), SYSTEM, (480, 6720), typed_tokens_per_s=700.0).factor == 0.7


@pytest.mark.usefixtures("predicts_1000")
def test_a_factor_out_of_bounds_is_refused_with_both_speeds() -> None:
    record = read_log(DATA / "h100-node07.csv")
    with pytest.raises(InputError, match=r"1 tokens/s measured, 1.*000 predicted"):
        speed_factors.propose(record, "log", Profile(), SYSTEM, (480, 6720), typed_tokens_per_s=1.0)


def test_a_window_without_readings_is_refused() -> None:
    record = read_log(DATA / "h100-node07.csv")
    with pytest.raises(InputError, match="Only 0 s of steady use"):
        speed_factors.propose(record, "log", Profile(), SYSTEM, (90_000.0, 99_000.0))


@pytest.mark.usefixtures("predicts_1000")
def test_one_snapshot_of_an_idle_card_carries_nothing_even_with_a_typed_speed() -> None:
    with pytest.raises(InputError, match="One snapshot: at least 60 s of steady use are needed; The chip was idle"):
        speed_factors.propose(machine([0.0], power_w=[71.0]), "log", Profile(), SYSTEM, (0, 0), (), 500.0)


@pytest.mark.usefixtures("predicts_1000")
def test_the_last_third_of_a_log_is_held_out() -> None:
    """900 then 810 of 1000 predicted: the factor of the first two thirds is 11 % off on the last."""
    record = training([2.0] * 90, [112.5] * 60 + [101.25] * 30)
    found = speed_factors.propose(record, "log", Profile(), SYSTEM, (0.0, 180.0))
    rows = {check.name: check for check in found.checks}
    assert rows["Tokens/s"].before_pct == pytest.approx(100 / 0.9 - 100)
    held_out = rows[speed_factors.HELD_OUT]
    assert held_out.before_pct == pytest.approx(100 / 0.81 - 100)
    pull = speed_factors.pull_of(found.spread, 0.1)
    assert held_out.after_pct == pytest.approx(100 * 0.9 ** (1 - pull) / 0.81 - 100)
    assert found.spread == pytest.approx((0.05**2 + math.log(0.9) ** 2) ** 0.5)


@pytest.mark.usefixtures("predicts_1000")
def test_memory_and_power_are_held_against_what_is_predicted() -> None:
    record = machine([90.0] * 100, power_w=[500.0] * 100, memory_used_gib=[50.0] * 100)
    found = speed_factors.propose(record, "log", Profile(), SYSTEM, (0.0, 99.0), power_w=600.0)
    rows = {check.name: (check.before_pct, check.after_pct) for check in found.checks}
    assert rows["Memory peak"] == pytest.approx((-20.0, -20.0)) and rows["Power"] == pytest.approx((20.0, 20.0))


def test_a_server_is_predicted_at_its_requests_at_once() -> None:
    profile = Profile(model=presets()["Llama 3.1 8B"].model, job=OnlineServing(input_tokens=512, output_tokens=128))
    few = serving(concurrency=4.0, output_tokens_per_s=400.0, tpot_ms=9.0, ttft_ms=40.0, duration_s=90.0)
    many = serving(concurrency=256.0, output_tokens_per_s=9000.0, tpot_ms=30.0, duration_s=90.0)
    low, high = (speed_factors.propose(one, "log", profile, SYSTEM, (0, 0)) for one in (few, many))
    assert low.predicted_tokens_per_s < high.predicted_tokens_per_s / 8
    assert low.work == "inference"
    assert [check.name for check in low.checks] == ["Tokens/s", "Time to first token", "Time per output token"]


def test_a_servers_log_is_held_against_what_it_would_write_for_as_many_requests() -> None:
    """Few asked, so that it wrote little: that says nothing of the chip."""
    quiet = server([400.0] * 300)
    running = np.where(np.arange(300) % 3 == 0, 0.0, 4.0)  # now and then nobody asks
    told = replace(quiet, series={**quiet.series, "running_requests": running}, facts={})
    profile = Profile(model=presets()["Llama 3.1 8B"].model, job=OnlineServing())
    window = (0.0, 299 * 60.0)
    found = speed_factors.propose(told, "log", profile, SYSTEM, window)
    stated = replace(quiet, facts={"concurrency": 4.0})
    assert found.predicted_tokens_per_s == pytest.approx(
        speed_factors.propose(stated, "log", profile, SYSTEM, window).predicted_tokens_per_s
    )
    assert at_its_load(stated, (window,)) is stated


def test_a_log_of_other_work_than_the_workload_is_refused() -> None:
    with pytest.raises(InputError, match="the log is of a server"):
        speed_factors.propose(serving(output_tokens_per_s=9.0), "log", Profile(), SYSTEM, (0, 0))
    with pytest.raises(InputError, match="the log is of a training run"):
        speed_factors.propose(training([9.0] * 9, [9.0] * 9), "log", Profile(job=OnlineServing()), SYSTEM, (0.0, 81.0))


def test_a_measured_chip_and_its_siblings_are_told_apart() -> None:
    found = speed_factors.corrections([_accepted(0.81)])
    own, sibling = found.find("h100-sxm", "training"), found.find("h200-sxm", "training")
    assert own is not None and sibling is not None
    assert (own.evidence, sibling.evidence) == (Evidence.MEASURED_HERE, Evidence.TRANSFERRED)
    assert sibling.factor == pytest.approx(0.9)
    assert sibling.spread > own.spread
    assert found.find("a100-sxm-80", "training") is None
    assert found.find("h100-sxm", "inference") is None
    assert found.label == "1 log"


def test_a_measured_sibling_keeps_its_own_factor() -> None:
    found = speed_factors.corrections([_accepted(0.81), _accepted(1.1, chip="h200-sxm", log_id="b")])
    own = found.find("h200-sxm", "training")
    assert own is not None
    assert own.factor == pytest.approx(1.1)


def test_little_evidence_is_pulled_back_to_the_prediction_and_more_of_it_less() -> None:
    one = _accepted(0.8).model_copy(update={"predicted_spread": 0.15})
    runs = [one.model_copy(update={"log_id": str(i)}) for i in range(9)]
    first, last = (speed_factors.corrections(some).find("h100-sxm", "training") for some in (runs[:1], runs))
    assert first is not None and last is not None
    assert first.pull == pytest.approx(0.1) and first.factor == pytest.approx(0.8**0.9)
    assert last.pull <= first.pull and 0.8 < last.factor <= first.factor
    assert speed_factors.pull_of(0.05, None) == 0.0


def test_another_model_on_the_chip_takes_a_share_of_the_factor() -> None:
    one = _accepted(0.8, n_params=7e9).model_copy(update={"predicted_spread": 0.15})
    factors = speed_factors.corrections([one])
    own, other = factors.find("h100-sxm", "training", 7e9), factors.find("h100-sxm", "training", 70e9)
    assert own is not None and other is not None
    assert own.factor == pytest.approx(0.8**0.9) and own.evidence is Evidence.MEASURED_HERE
    share = speed_factors.OTHER_MODELS_SHARE["training"]
    assert other.factor == pytest.approx(own.factor**share) and other.evidence is Evidence.TRANSFERRED
    assert other.is_of_others and not own.is_of_others
    halved = factors.find("h200-sxm", "training", 7e9)
    assert halved is not None and halved.factor == pytest.approx(own.factor**0.5)


def test_logs_of_more_models_tell_more_of_another_than_one_does() -> None:
    """Two at 0.8 and a correlation of a tenth: 2/10 / (11/10) = two elevenths of their mean."""
    logs = [_accepted(0.8, log_id=str(size), n_params=size) for size in (7e9, 70e9)]
    other = speed_factors.corrections(logs).find("h100-sxm", "training", 1e9)
    assert other is not None and other.factor == pytest.approx(0.8 ** (2 / 11)) and other.n_records == 2


def test_a_log_of_an_older_plan_counts_for_every_model() -> None:
    factors = speed_factors.corrections([_accepted(0.8), _accepted(0.9, log_id="b", n_params=7e9)])
    own, other = factors.find("h100-sxm", "training", 7e9), factors.find("h100-sxm", "training", 70e9)
    assert own is not None and own.n_records == 2
    assert other is not None and other.factor == pytest.approx(0.8)


@pytest.mark.usefixtures("predicts_1000")
def test_a_calibration_remembers_the_size_of_its_model() -> None:
    record = read_log(DATA / "maxtext-v5p.log")
    proposal = speed_factors.propose(record, "log", Profile(), SYSTEM, *window_of(stretches(record)))
    assert proposal.n_params == Profile().model.n_params


def test_a_calibration_that_is_off_counts_for_nothing() -> None:
    off = _accepted(0.5, log_id="b").model_copy(update={"is_on": False})
    assert speed_factors.corrections([_accepted(0.81), off]) == speed_factors.corrections([_accepted(0.81)])
    assert speed_factors.corrections([off]).label == "none"


@given(st.lists(st.floats(0.2, 5.0), min_size=1, max_size=6))
def test_the_average_lies_between_the_logs_and_its_range_reaches_them(factors: list[float]) -> None:
    found = speed_factors.corrections([_accepted(f, log_id=str(i)) for i, f in enumerate(factors)]).find(
        "h100-sxm", "training"
    )
    assert found is not None
    assert min(factors) * 0.999 <= found.factor <= max(factors) * 1.001
    assert found.spread >= speed_factors.MEASURED_FLOOR * 0.999


def test_no_calibration_means_no_factor() -> None:
    assert speed_factors.corrections([]).factors == {}
