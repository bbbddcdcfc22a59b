"""Training scripts and trackers: each quantity in its unit, of one chip or of all, without what is no step."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.errors import InputError
from tests.core.logs.training_logs import log_of, means, record_of
from tests.log_texts import scripts


@pytest.mark.parametrize(
    ("text", "figures"),
    [
        (scripts.NANOCHAT, {"step_time_s": 0.5, "tokens_per_s": 1_048_600.0, "mfu_pct": 47.5}),
        (scripts.SPEED_RUN, {"step_time_s": 0.1}),
        (scripts.LITGPT, {"step_time_s": 1.0, "loss": 2.5}),
        (scripts.TORCHTUNE, {"tokens_per_s_per_chip": 1500.5, "memory_used_gib": 45.5}),
        (scripts.NANOTRON, {"step_time_s": 2.0, "tokens_per_s": 2.1e6, "tokens_per_s_per_chip": 32800.0}),
        (scripts.FAIRSEQ, {"step_time_s": 0.4, "tokens_per_s": 45000.0, "loss": 9.1}),
        (scripts.LINGUA, {"step_time_s": 1.25, "tokens_per_s_per_chip": 12300.0, "tflops_per_chip": 412.0}),
        (scripts.OLMO, {"step_time_s": 5.0, "tokens_per_s_per_chip": 12345.0, "memory_used_gib": 40.0}),
        (scripts.KERAS, {"step_time_s": 0.2, "loss": 2.5}),
        (scripts.IMAGENET, {"step_time_s": 0.3, "data_wait_s": 0.01}),
        (scripts.TIMM, {"step_time_s": 0.3, "samples_per_s": 3413.3}),
    ],
)  # fmt: skip
def test_a_script_s_steps_are_read_in_our_units(text: str, figures: dict[str, float], tmp_path: Path) -> None:
    known = means(record_of(tmp_path, text))
    assert {name: known[name] for name in figures} == figures


def test_a_time_that_holds_an_evaluation_counts_in_no_mean(tmp_path: Path) -> None:
    record = record_of(tmp_path, scripts.NANOGPT)
    assert means(record) == {"step_time_s": 0.12, "mfu_pct": 42.5, "tokens_per_s": 4_096_000.0, "loss": 3.1}
    assert record.skipped["step that holds an evaluation"] == 3
    assert record.facts["n_parameters"] == 123.59e6


def test_llm_c_states_its_chips(tmp_path: Path) -> None:
    record = record_of(tmp_path, scripts.LLM_C)
    assert (record.accelerator_id, record.n_accelerators) == ("a100-sxm-80", 8)
    assert means(record) == {
        "loss": 3.1, "step_time_s": 0.35, "tokens_per_s": 1.6e6, "mfu_pct": 48.5, "tokens_per_s_per_chip": 200_000.0
    }  # fmt: skip


def test_a_chart_of_two_runs_is_two_records(tmp_path: Path) -> None:
    first, second = log_of(tmp_path, scripts.WANDB_CHART).records
    assert means(first) == {"tokens_per_s": 1200.5}
    assert means(second) == {"tokens_per_s": 600.5} and second.quantities["tokens_per_s"].n == 6


def test_the_time_of_a_step_follows_from_steps_and_not_from_calls(tmp_path: Path) -> None:
    assert means(record_of(tmp_path, scripts.WANDB_HISTORY)) == {"loss": 2.5, "step_time_s": 2.0}
    record = record_of(tmp_path, scripts.WANDB_TABLE)
    assert means(record) == {"loss": 2.5, "tokens_per_s": 1200.5} and record.duration_s == 70.0


def test_a_history_of_losses_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="without a speed"):
        log_of(tmp_path, '"Step","a - loss","a - loss__MIN"\n"1","2.5","2.5"\n"2","2.4","2.4"\n')


def test_system_metrics_are_of_chips(tmp_path: Path) -> None:
    record = record_of(tmp_path, scripts.WANDB_EVENTS)
    assert (record.n_accelerators, record.duration_s) == (2, 60.0)
    assert {name: means(record)[name] for name in ("memory_used_gib", "power_w", "utilization_pct")} == {
        "memory_used_gib": 16.0, "power_w": 300.5, "utilization_pct": 90.0
    }  # fmt: skip


def test_rounds_of_reinforcement_learning_are_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="rounds of reinforcement learning"):
        log_of(tmp_path, "step:1 - actor/pg_loss:0.01 - perf/time_per_step:60.0 - perf/throughput:2083.3\n" * 3)


def test_steps_without_a_number_are_each_a_step(tmp_path: Path) -> None:
    bars = record_of(tmp_path, scripts.KERAS)
    assert bars.quantities["step_time_s"].n == 7 and bars.skipped == {"start-up step, left out of the summary": 1}
    rows = "".join(f'"{15.5 * n}","1200.5","1200.5"\n' for n in range(5))
    chart = record_of(tmp_path, '"Relative Time (Process)","a - tokens_per_sec","a - tokens_per_sec__MIN"\n' + rows)
    assert (chart.duration_s, chart.quantities["tokens_per_s"].n) == (62.0, 4)
