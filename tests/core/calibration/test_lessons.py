"""What logs teach beside speed: proposed with a reason or a factor, and what the engine makes of it."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from core.calibration.accepted import BOUNDS, AcceptedLesson
from core.calibration.lessons import Asked, Taught, _lesson, _Told, lessons_of
from core.calibration.measured.system import measured_system
from core.calibration.own_logs.joined import joined
from core.calibration.own_logs.parts import without
from core.calibration.own_logs.predicted import predicted
from core.calibration.own_logs.stretches import stretches, window_of
from core.calibration.speed_factors import corrections
from core.catalogue.loading import load_catalogue
from core.comparison.as_json import to_json
from core.comparison.evaluate import evaluate
from core.cost.bill.power import watts
from core.logs.record import LogRecord, Quantity, Subject, summarise_all
from core.plan.imports import without_log
from core.plan.plan import Plan
from core.plan.schema import plan_of, rows_of
from core.report.run_words import losses_sentences
from core.throughput.chips.fleet import fleet_of
from core.throughput.chips.links import inner_link
from core.throughput.input_pipeline import read_bytes_per_s
from core.throughput.measured import AS_TAKEN, TERM_WORDS
from core.throughput.predict import predict
from core.throughput.training.overheads import run_overheads_of
from core.throughput.types import System
from core.workload.library import read_profile
from core.workload.profile import Profile
from tests.core.calibration.own_logs.made import machine, training
from tests.golden import assert_kept
from tests.repository_files import ROOT

CATALOGUE = load_catalogue()
SYSTEM = measured_system(CATALOGUE, "h100-sxm", 8)
LORA = read_profile(ROOT / "profiles" / "mistral-7b-lora.json")


def _taught(record: LogRecord, profile: Profile = LORA, system: System = SYSTEM) -> Taught:
    stages = stretches(record)
    power = watts(system.accelerator)[1]
    parts = without(*window_of(stages))
    return lessons_of(Asked(record, "log-1", "ab" * 32, profile, system, stages, parts, power))


def _of(taught: Taught, term: str) -> AcceptedLesson:
    return next(one for one in taught.lessons if one.term == term)


def _link(n_hosts: float, collective: str = "all_reduce", gb_per_s: float = 300.0) -> LogRecord:
    quantities = summarise_all({"bus_bandwidth_gb_per_s": np.array([gb_per_s])})
    return LogRecord(
        "nccl.txt", "nccl-tests", 9, {}, "NVIDIA H100", "h100-sxm", 16, None, np.array([]), {}, quantities,
        subject=Subject.LINK, facts={"collective": collective, "n_hosts": n_hosts},
    )  # fmt: skip


def _stalling(longer_s: float) -> LogRecord:
    """Two hours of steps of 10 s, four of which take longer."""
    steps_s = np.full(700, 10.0)
    steps_s[[100, 250, 400, 550]] = longer_s
    return replace(training(steps_s), accelerator_id="h100-sxm")


def test_every_term_has_words_and_bounds() -> None:
    assert set(TERM_WORDS) == set(BOUNDS) == set(_taught(machine(np.full(5, 0.0))).reasons)


def test_stalls_are_the_share_of_the_time_between_steady_steps() -> None:
    taught = _taught(_stalling(200.0))
    assert _of(taught, "kept").measured == pytest.approx(1 - 4 * 200 / (4 * 200 + 695 * 10), rel=1e-3)
    assert _of(taught, "kept").how == "10 % of 2.2 h went to 4 stalls"
    assert _of(taught, "kept").predicted > 0.999  # eight chips hardly fail
    assert "save" not in {one.term for one in taught.lessons}  # adapters are saved in a second


def test_dips_as_long_as_a_saved_state_are_one() -> None:
    taught = _taught(_stalling(60.0))
    assert _of(taught, "save").measured == pytest.approx(60.0)
    assert "nothing held the run up" in taught.reasons["kept"]


def test_lessons_are_kept() -> None:
    """Of runs that stall longer and shorter, one that prints its saved states, and links of one host and of two."""
    run = _stalling(60.0)
    printed = replace(run, quantities={**run.quantities, "save_s": Quantity("s", 4, 42.0, max=50.0)})
    logs = {"long": _stalling(200.0), "dips": run, "printed": printed, "one": _link(1.0), "two": _link(2.0)}
    told = {name: _taught(log) for name, log in logs.items()}
    assert_kept("lessons", {name: [taught.lessons, dict(taught.reasons)] for name, taught in told.items()})


def test_one_saved_state_is_no_mean() -> None:
    steps_s = np.full(700, 10.0)
    steps_s[350] = 60.0
    once = _taught(replace(training(steps_s), accelerator_id="h100-sxm"))
    assert "save" not in {one.term for one in once.lessons}
    assert once.reasons["save"] == "1 saved state in this log: 2 are needed"


def test_saved_states_that_a_log_prints_go_before_dips() -> None:
    run = _stalling(60.0)
    printed = {**run.quantities, "save_s": Quantity("s", 4, 42.0, max=50.0)}
    taught = _taught(replace(run, quantities=printed))
    assert _of(taught, "save").measured == 42.0 and "as printed" in _of(taught, "save").how
    once = {**run.quantities, "save_s": Quantity("s", 1, 42.0, max=42.0)}
    assert _of(_taught(replace(run, quantities=once)), "save").measured == pytest.approx(60.0), "one is too few"


def test_a_short_run_says_nothing_of_stalls() -> None:
    taught = _taught(replace(training(np.full(30, 2.0)), accelerator_id="h100-sxm"))
    assert not taught.lessons
    assert taught.reasons["kept"] == "only 0.97 min: stalls are told from an hour on"


def test_power_is_the_mean_over_time_of_a_busy_chip() -> None:
    use, power = np.full(200, 95.0), np.linspace(400.0, 500.0, 200)
    lesson = _of(_taught(machine(use, power_w=power)), "power")
    assert lesson.measured == pytest.approx(power[:-1].mean(), rel=0.002)  # the last reading stands for no time
    assert lesson.predicted == pytest.approx(0.85 * 700)
    assert lesson.sha256 == "ab" * 32
    assert "busy 30 %" in _taught(machine(np.full(200, 30.0), power_w=power)).reasons["power"]


def test_memory_needs_a_log_of_the_run() -> None:
    use = np.full(200, 95.0)
    assert "which run" in _taught(machine(use, memory_used_gib=np.full(200, 50.0))).reasons["memory"]
    record = replace(training(np.full(30, 2.0)), accelerator_id="h100-sxm")
    likely = predicted(record, LORA, SYSTEM, may_grow=False).memory_gib
    peak = 1.2 * likely
    known = record.quantities | summarise_all({"memory_used_gib": np.array([peak])})
    lesson = _of(_taught(replace(record, quantities=known)), "memory")
    assert lesson.factor == pytest.approx(1.2)
    assert lesson.n_params == LORA.model.n_params


def test_memory_that_jax_holds_in_reserve_is_no_lesson() -> None:
    """A monitor joined to the run's log sees what was taken at the start."""
    run = replace(training(np.full(50, 2.0)), accelerator_id="h100-sxm", n_accelerators=8)
    chips = machine(np.full((120, 8), 95.0), memory_used_gib=np.full((120, 8), 60.0))
    for framework, is_told in (("MaxText", False), ("Megatron-LM", True)):
        both = joined(replace(run, facts={"framework": framework}), chips, 0.0).record
        reason = _taught(both).reasons.get("memory", "")
        assert ("JAX takes most of the memory" in reason) is not is_told


def test_links_are_of_one_host_or_of_several() -> None:
    one, several = _taught(_link(1.0)), _taught(_link(2.0))
    assert _of(one, "inner_link").predicted == pytest.approx(inner_link(SYSTEM).bytes_per_s / 1e9)
    assert _of(several, "network").network_gbit_per_s == SYSTEM.network_gbit_per_s
    assert {lesson.term for lesson in (*one.lessons, *several.lessons)} == {"inner_link", "network"}
    assert "does not load every link" in _taught(_link(1.0, "sendrecv")).reasons["inner_link"]
    assert "beyond" in _taught(_link(1.0, gb_per_s=5000.0)).reasons["inner_link"]


def test_storage_is_what_a_table_says_was_read() -> None:
    record = machine(np.full(100, 90.0), storage_read_gb_per_s=np.full(100, 1.5))
    lesson = _of(_taught(record), "storage")
    run = LORA.job.training
    assert run is not None
    assert lesson.factor == pytest.approx(1.5e9 / read_bytes_per_s(SYSTEM, run))
    assert lesson.storage == run.storage


def _accepted(term: str, factor: float, **where: Any) -> AcceptedLesson:
    return AcceptedLesson.model_validate({
        "log_id": "a", "profile_id": "p", "term": term, "accelerator_id": "h100-sxm", "n_chips": 8,
        "measured": factor, "predicted": 1.0, "factor": factor, "spread": 0.05, "predicted_spread": 1e6, "how": "test",
        **where,
    })  # fmt: skip


def _answer(*lessons: AcceptedLesson, system: System = SYSTEM) -> Any:
    return predict(LORA, [system], corrections((), lessons))[0]


def test_without_lessons_nothing_changes() -> None:
    off = _accepted("memory", 1.3).model_copy(update={"is_on": False})
    assert _answer(off) == _answer() == predict(LORA, [SYSTEM])[0]
    other = measured_system(CATALOGUE, "h200-sxm", 8)
    assert _answer(_accepted("memory", 1.3), system=other).system.measured == AS_TAKEN


def test_a_log_is_pulled_towards_what_is_taken() -> None:
    lesson = _accepted("power", 1.5, predicted_spread=0.05)
    (factor,) = corrections((), [lesson]).terms
    assert factor.factor == pytest.approx(1.5**0.5)
    assert watts(SYSTEM.accelerator, _answer(lesson).system.measured)[1] == pytest.approx(0.85 * 700 * 1.5**0.5)


def test_memory_leaves_less_room_and_is_shown_as_measured() -> None:
    before, after = _answer(), _answer(_accepted("memory", 1.25, n_params=LORA.model.n_params))
    assert after.memory_capacity_gib == pytest.approx(before.memory_capacity_gib)
    assert "1.25 times" in after.notes[-1]
    here = replace(SYSTEM, measured=after.system.measured)
    assert fleet_of([here], "bf16").memory_bytes == pytest.approx(fleet_of([SYSTEM], "bf16").memory_bytes / 1.25)
    assert _answer(_accepted("memory", 1.25, n_params=1e9)) == before


def test_a_network_counts_between_hosts_alone() -> None:
    gbit = SYSTEM.network_gbit_per_s
    lesson = _accepted("network", 0.5, network_gbit_per_s=gbit)
    two = replace(SYSTEM, n_chips=16)
    assert _answer(lesson).system.measured == AS_TAKEN
    assert _answer(lesson, system=two).system.measured.network == pytest.approx(0.5, rel=1e-6)
    assert _answer(lesson, system=replace(two, network_gbit_per_s=gbit / 2)).system.measured == AS_TAKEN


def test_saved_states_take_as_long_as_measured() -> None:
    run = LORA.job.training
    assert run is not None
    here = _answer(_accepted("save", 3.0)).system
    before, after = (run_overheads_of(LORA.model, run, LORA.stack, [one]).save_s for one in (SYSTEM, here))
    assert after == pytest.approx(3.0 * before)


def test_terms_reach_days_energy_and_what_is_handed_out() -> None:
    known = corrections((), [_accepted("kept", 0.8), _accepted("power", 0.5)])
    before, after = evaluate(LORA, CATALOGUE), evaluate(LORA, CATALOGUE, known)
    name = next(one.id for one in before.results if one.candidate.accelerator.id == "h100-sxm" and one.losses)
    old, new = before.by_id[name], after.by_id[name]
    assert old.losses is not None
    assert new.losses is not None
    start_h = old.losses.start_h
    assert new.run_h.likely - start_h == pytest.approx((old.run_h.likely - start_h) / 0.8, rel=1e-3)
    power = new.energy_kwh.likely / new.run_h.likely / (old.energy_kwh.likely / old.run_h.likely)
    assert power == pytest.approx(0.5)
    other = next(one for one in before.results if one.candidate.accelerator.id == "tpu-v6e")
    assert after.by_id[other.id].run_h == other.run_h
    assert [one["term"] for one in to_json(after)["corrections"]] == ["kept", "power"]
    assert to_json(before)["corrections"] == []
    assert "20 % for stalls, as in your logs" in losses_sentences(new)[0].replace("\u2009", " ").replace("\u202f", " ")
    assert "stalls" not in losses_sentences(old)[0]


def test_a_lesson_of_a_file_counts_within_its_bounds_alone() -> None:
    (factor,) = corrections((), [_accepted("kept", 1e6)]).terms
    assert factor.factor == 1.0


def test_lessons_are_saved_with_the_plan() -> None:
    lesson = _accepted("network", 0.5, network_gbit_per_s=3200.0, sha256="ab" * 32)
    plan = Plan(id="a", lessons=(lesson,))
    assert plan_of(rows_of(plan), "a.roofplan") == plan
    assert without_log(plan, "a").lessons == ()


@pytest.mark.parametrize(
    ("term", "measured", "predicted", "factor"),
    [("kept", 0.9, 0.95, 0.9 / 0.95), ("kept", 0.99, 0.95, 1.0), ("save", 3.0, 2.0, 1.5)],
)
def test_a_lesson_is_measured_over_predicted_and_no_run_keeps_more_than_all(
    term: Any, measured: float, predicted: float, factor: float
) -> None:
    asked = SimpleNamespace(
        log_id="log", profile=SimpleNamespace(id="p"), profile_id="p", accelerator_id="h100-sxm", n_chips=8,
        system=SimpleNamespace(accelerator=SimpleNamespace(id="h100-sxm"), n_chips=8), sha256="",
    )  # fmt: skip
    made = _lesson(asked, term, _Told(measured, predicted, 0.1, "as told"))  # type: ignore[arg-type]
    assert isinstance(made, AcceptedLesson) and made.factor == pytest.approx(factor, rel=1e-3)
