"""Settings of servers and clients that the scripts of campaigns tell where their rows do not."""

import csv

import pytest

from core import paths
from core.calibration.measured.campaigns import NO_SETTINGS, Settings, settings_of
from core.calibration.measured.table import MeasuredRow

RUN = {
    "publisher": "inferencemax", "engine": "trtllm", "model": "llama-3.1-70b", "hardware": "h200-sxm",
    "weight_precision": "fp8", "input_len": "1024", "output_len": "1024", "tp": "4", "batch_or_concurrency": "64",
}  # fmt: skip
SGLANG = {"engine": "sglang", "model": "qwen3.5-397b-a17b", "hardware": "b300-sxm", "tp": "8"}


def of(**cells: str) -> Settings:
    return settings_of(MeasuredRow("t.csv", 2, RUN | cells))


def test_a_run_that_no_line_matches_has_none() -> None:
    assert of(publisher="mlperf:dell") == NO_SETTINGS == Settings(0.0, 0.0, 0.0)


def test_a_server_that_was_told_to_gather_prompts_did_so_on_fewer_than_eight_ranks() -> None:
    assert of() == Settings(waves=10.0, gathered_steps=20.0)
    for other in ({"tp": "8"}, {"tp": ""}, {"output_len": "8192"}, {"input_len": "8192"}, {"engine": "vllm"}):
        assert of(**other) == Settings(waves=10.0)


@pytest.mark.parametrize(("at_once", "steps"), [("63", 0.0), ("64", 40.0), ("255", 40.0), ("256", 0.0)])
def test_a_line_holds_from_one_concurrency_to_below_another(at_once: str, steps: float) -> None:
    run = {"model": "deepseek-r1", "hardware": "b200-sxm", "tp": "8", "batch_or_concurrency": at_once}
    assert of(**run).gathered_steps == steps
    assert of(**(run | {"weight_precision": "nvfp4"})).gathered_steps == 0.0


@pytest.mark.parametrize(
    ("precision", "at_once", "steps"), [("bf16", "15", 10.0), ("bf16", "16", 30.0), ("fp8", "16", 10.0)]
)
def test_a_server_looks_for_requests_every_so_many_steps(precision: str, at_once: str, steps: float) -> None:
    assert of(**SGLANG, weight_precision=precision, batch_or_concurrency=at_once).polled_steps == steps


def test_requests_that_a_row_states_count_before_what_a_campaign_usually_sends() -> None:
    assert of(num_prompts="128").waves == 2.0
    assert of(num_prompts="32").waves == 1.0
    other = {"publisher": "", "source_group": "inferencex-experimental"}
    assert of(**other).waves == 10.0


def test_every_line_names_its_source_and_tells_something() -> None:
    with (paths.resources() / "measurements" / "campaigns.csv").open(encoding="utf-8", newline="") as file:
        lines = list(csv.DictReader(file))
    assert lines
    for line in lines:
        assert line["publisher"] and line["source"]
        assert any(line[name] for name in ("waves", "gathered_steps", "polled_steps"))
