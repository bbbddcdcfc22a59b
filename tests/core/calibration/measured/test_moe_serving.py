"""Rows of served mixtures: attention groups, pools, rates a chip, bursts; what is refused and why."""

from __future__ import annotations

import pytest

from core.calibration.measured.dialects.moe_serving import DIALECT
from core.calibration.measured.dialects.tpu import DIALECT as TPU_DIALECT
from core.calibration.measured.serving import BURST, ServingCase, serving_case
from core.calibration.measured.table import MeasuredRow
from core.calibration.studies.serving_table import serving_table
from core.catalogue.loading import load_catalogue

ROW = {
    "id": "m", "kind": "aggregated-single-node", "hardware": "h200-sxm", "n_chips": "8", "model": "deepseek-r1",
    "weight_precision": "fp8", "tp": "8", "engine": "sglang", "input_len": "1024", "output_len": "1024",
    "concurrency": "64", "date": "2026-01", "spec_decode": "none", "quality": "A",
}  # fmt: skip
SPLIT = {"kind": "disaggregated", "n_chips": "40", "prefill_chips": "8", "decode_chips": "32", "tp": ""}


def read(**cells: str) -> dict[str, str]:
    return DIALECT.read(ROW | cells)


def case(**cells: str) -> ServingCase | str:
    return serving_case(MeasuredRow("t.csv", 2, read(**cells)), load_catalogue())


@pytest.mark.parametrize(
    ("cells", "tensor", "groups", "experts"),
    [
        ({"dp": "8", "dp_attention": "yes"}, 1, 8, 8),  # ranks counted over all groups
        ({"dp": "4", "dp_attention": "yes"}, 2, 4, 8),
        ({"dp_attention": "yes"}, 1, 8, 8),
        ({"tp": "", "dp": "32", "n_chips": "32", "dp_attention": "yes"}, 1, 32, 32),
        ({"tp": "2", "dp": "4", "dp_attention": "yes"}, 2, 4, 8),  # ranks within a group
        ({"kind": "aggregated-multi-node", "n_chips": "16", "dp": "8", "dp_attention": "yes"}, 2, 8, 16),
        ({"ep": "8"}, 8, 0, 8),
        ({"ep": "=tp*dp"}, 8, 0, 8),
        ({"ep": "8 (deepep)"}, 8, 0, 8),
    ],
)
def test_attention_groups_and_ranks(cells: dict[str, str], tensor: int, groups: int, experts: int) -> None:
    found = case(**cells)
    assert isinstance(found, ServingCase)
    assert (found.tp, found.groups, found.ep) == (tensor, groups, experts)
    table = serving_table([found])
    assert table.arrangement.attention_dp[0] == max(groups, 1)
    assert table.arrangement.stage_chips[0] == table.n_chips[0]


@pytest.mark.parametrize(
    ("cells", "workers"),
    [
        ({"ep": "8"}, (1, 8, 4, 8, 0)),
        ({"ep": "1"}, (1, 8, 4, 8, 8)),
        ({"ep": "32"}, (1, 8, 1, 32, 0)),
        ({"ep": "4", "prefill_chips": "12", "decode_chips": "20"}, (3, 4, 5, 4, 0)),
        ({"prefill_workers": "2", "decode_workers": "1", "decode_layout": "TP32"}, (2, 4, 1, 32, 32)),
    ],
)
def test_pools_are_cut_into_workers(cells: dict[str, str], workers: tuple[int, ...]) -> None:
    found = case(**SPLIT | cells)
    assert isinstance(found, ServingCase)
    told = (found.prefill_workers, found.prefill_chips, found.decode_workers, found.n_chips, found.tp)
    assert told == workers


def test_rates_a_chip_count_for_all_and_times_come_as_they_can() -> None:
    assert read(decode_tokens_per_s_per_chip="100")["output_tokens_per_s_total"] == "800"
    assert read(derived_total_tokens_per_s_per_chip="10")["total_tokens_per_s"] == "80"
    assert read(tpot_mean_ms="9")["tpot_ms"] == "9"
    assert read(tpot_mean_ms="9", tpot_median_ms="8")["tpot_ms"] == "8"
    assert read(user_tokens_per_s="50")["tpot_ms"] == "20"


def test_a_burst_is_told_from_users_who_ask_again() -> None:
    at_once = case(request_rate="all at once", num_prompts="64")
    assert isinstance(at_once, ServingCase) and at_once.load == BURST
    again = case(request_rate="all at once", num_prompts="640")
    assert isinstance(again, ServingCase) and again.load == "closed"


@pytest.mark.parametrize(
    ("cells", "reason"),
    [
        ({"spec_decode": "yes"}, "a draft of an unnamed kind"),
        ({"kind": "disaggregated"}, "chips that prefill and chips that decode not stated"),
        ({"quality": "C"}, "quality C"),
        ({"n_chips": ""}, "number of chips unknown"),
        ({"model": "kimi-k9"}, "shape and size of the model unknown"),
    ],
)
def test_a_row_is_refused_with_its_reason(cells: dict[str, str], reason: str) -> None:
    assert case(**cells) == reason


TPU = {
    "id": "t", "kind": "serving", "hardware": "tpu-v6e", "n_chips": "8", "model": "llama-3.1-70b", "params_b": "70",
    "precision": "fp8", "engine": "vLLM TPU", "input_len": "1024", "output_len": "256", "concurrency": "32",
    "tpot_mean_ms": "20", "ttft_median_ms": "300", "quality": "A",
}  # fmt: skip


def test_a_served_row_of_a_tpu_states_its_weights_and_its_load() -> None:
    cells = TPU_DIALECT.read(TPU)
    assert (cells["tpot_ms"], cells["ttft_ms"]) == ("20", "300")
    found = serving_case(MeasuredRow("t.csv", 2, cells), load_catalogue())
    assert isinstance(found, ServingCase) and found.weight_bytes == 1.0 and found.engine == "jetstream"
    unloaded = MeasuredRow("t.csv", 2, TPU_DIALECT.read(TPU | {"concurrency": ""}))
    assert serving_case(unloaded, load_catalogue()) == "requests at once not stated"
    assert "weight_precision" not in TPU_DIALECT.read(TPU | {"kind": "training"})
