"""Factors: what a log says, bounds, averaging, siblings."""

from collections.abc import Sequence
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.calibration import speed_factors
from core.calibration.accepted import AcceptedCalibration
from core.calibration.log_window import steady_window
from core.calibration.measured.system import measured_system
from core.catalogue.loading import load_catalogue
from core.errors import InputError
from core.logs.read import read_log
from core.ranges import Evidence, Range
from core.throughput.types import System
from core.workload.models.known import presets
from core.workload.profile import Profile
from tests.repository_files import ROOT

DATA = ROOT / "tests" / "data" / "logs"
SYSTEM = measured_system(load_catalogue(), "h100-sxm", 8)


@pytest.fixture
def predicts_1000(monkeypatch: pytest.MonkeyPatch) -> None:
    def answers(_: Profile, systems: Sequence[System]) -> list[SimpleNamespace]:
        speed = Range(900.0, 1000.0, 1100.0)
        return [SimpleNamespace(system=one, fits=True, reasons=(), tokens_per_s=speed) for one in systems]

    monkeypatch.setattr(speed_factors, "predict", answers)


def _accepted(factor: float, spread: float = 0.05, chip: str = "h100-sxm", log_id: str = "a") -> AcceptedCalibration:
    return AcceptedCalibration(
        log_id=log_id, profile_id="p", accelerator_id=chip, n_chips=8, work="training",
        measured_tokens_per_s=1000 * factor, predicted_tokens_per_s=1000, factor=factor, spread=spread,
        window_s=(0, 1), how="test",
    )  # fmt: skip


@pytest.mark.usefixtures("predicts_1000")
def test_utilisation_alone_gives_the_share_of_time_lost() -> None:
    record = read_log(DATA / "h100-node07.csv")
    found = speed_factors.propose(record, "log", Profile(), SYSTEM, steady_window(record))
    assert found.factor == pytest.approx(0.93, abs=0.02)
    assert found.measured_tokens_per_s == pytest.approx(1000 * found.factor)
    assert found.spread > speed_factors.BUSY_SPREAD


def test_a_log_of_one_node_stands_for_the_smallest_cluster_that_holds_the_workload() -> None:
    record = read_log(DATA / "h100-node07.csv")
    profile = Profile(model=presets()["Llama 3.1 70B"].model)
    found = speed_factors.propose(record, "log", profile, SYSTEM, steady_window(record))
    assert found.n_chips > 8
    assert found.factor == pytest.approx(0.93, abs=0.02)


def test_a_speed_needs_the_chips_it_was_measured_on() -> None:
    record = read_log(DATA / "maxtext-v5p.log")
    profile = Profile(model=presets()["Llama 3.1 70B"].model)
    with pytest.raises(InputError, match="the number of chips that the log was made on"):
        speed_factors.propose(record, "log", profile, SYSTEM, steady_window(record))


@pytest.mark.usefixtures("predicts_1000")
def test_step_lines_give_tokens_per_second_of_all_chips() -> None:
    record = read_log(DATA / "maxtext-v5p.log")
    found = speed_factors.propose(record, "log", Profile(), SYSTEM, steady_window(record))
    assert found.measured_tokens_per_s == pytest.approx(8 * 8192 / 8.4, rel=0.01)
    assert found.spread < 0.08


@pytest.mark.usefixtures("predicts_1000")
def test_a_typed_speed_wins_over_the_log() -> None:
    record = read_log(DATA / "h100-node07.csv")
    assert speed_factors.propose(record, "log", Profile(), SYSTEM, (0, 7200), typed_tokens_per_s=700.0).factor == 0.7


@pytest.mark.usefixtures("predicts_1000")
def test_a_factor_out_of_bounds_is_refused_with_both_speeds() -> None:
    record = read_log(DATA / "h100-node07.csv")
    with pytest.raises(InputError, match=r"1 tokens/s measured, 1.*000 predicted"):
        speed_factors.propose(record, "log", Profile(), SYSTEM, (0, 7200), typed_tokens_per_s=1.0)


def test_a_window_without_readings_is_refused() -> None:
    record = read_log(DATA / "h100-node07.csv")
    with pytest.raises(InputError, match="no tokens/s and no utilisation"):
        speed_factors.measure(record, (90_000.0, 99_000.0), 8)


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
