"""Serving rows as arrays: every metric, arrangements that are searched, a fit that finds what made the rows."""

from dataclasses import replace

import numpy as np
import pytest

from core.calibration.measured.serving import ServingCase, serving_case
from core.calibration.measured.table import INFERENCE_METRICS, MeasuredRow
from core.calibration.studies.serving import (
    MeasuredValues,
    at_priors,
    concurrency_a_replica,
    family_of,
    fit_serving,
    plain_values,
    range_of,
    scored_serving,
    serving_study,
    touched_rows,
    weights_of,
)
from core.calibration.studies.serving_metrics import _held_s, _tried, arranged, predicted_metrics, served_flow
from core.calibration.studies.serving_table import serving_table
from core.catalogue.loading import load_catalogue
from core.throughput.parameters import Parameters, shipped_parameters
from tests.core.calibration.measured.test_serving import LLAMA, case

MIXTURE = {
    "model": "mixtral-8x7b", "params_b": "46.7", "active_params_b": "12.9", "experts": "8", "n_layers": "32",
    "d_model": "4096", "n_heads": "32", "n_kv_heads": "8", "d_ff": "14336", "vocab": "32000",
}  # fmt: skip


def known() -> Parameters:
    return shipped_parameters("serving")


def one(**cells: str) -> dict[str, float]:
    table = arranged(serving_table([case(**cells)]), known())
    return {name: float(values[0]) for name, values in predicted_metrics(table, known()).items()}


def test_metrics_of_a_row_belong_together() -> None:
    found = one()
    assert found["total_tokens_per_s"] == pytest.approx(3 * found["output_tokens_per_s_total"])
    assert found["samples_per_s"] == pytest.approx(found["output_tokens_per_s_total"] / 512)
    cycle_s = (found["ttft_ms"] + 511 * found["tpot_ms"]) / 1e3
    assert found["samples_per_s"] <= 64 / cycle_s * (1 + 1e-9)


def test_rates_of_a_row_are_one_measurement() -> None:
    rates = {"output_tokens_per_s_total": "100", "total_tokens_per_s": "300", "samples_per_s": "0.2", "ttft_ms": "90"}
    study = serving_study([case(**rates)], INFERENCE_METRICS)
    assert [row.metric for row in study.rows] == ["output_tokens_per_s_total", "ttft_ms"]


WAVED = {"publisher": "inferencemax", "engine": "sglang", "weight_precision": "fp8"}


def test_of_ten_waves_the_first_waits_for_half_of_itself() -> None:
    """``(b - 1) / 2 w`` prompts ahead: twice the waves, half the wait; one wave, ten times that of ten."""
    alone, ten, twenty, all_at_once = (
        one(**WAVED, **cells)["ttft_ms"]
        for cells in (
            {"batch_or_concurrency": "2"}, {}, {"num_prompts": "1280"}, {"num_prompts": "64"},
        )  # 8 chips of 4 tensor ranks: two replicas, one request each
    )  # fmt: skip
    assert (ten - alone) / (twenty - alone) == pytest.approx(2.0, rel=1e-6)
    assert (all_at_once - alone) / (ten - alone) == pytest.approx(10.0, rel=1e-6)


def test_a_prompt_waits_for_half_of_the_steps_between_two_looks() -> None:
    looks = WAVED | {"model": "qwen3.5-397b-a17b", "hardware": "b300-sxm", "batch_or_concurrency": "4", "tp": "8"}
    table = serving_table([case(**looks)])
    unseen, seen = (predicted_metrics(one, known()) for one in (table, replace(table, polled_steps=np.zeros(1))))
    assert unseen["ttft_ms"] - seen["ttft_ms"] == pytest.approx(5.0 * seen["tpot_ms"])


def test_the_first_prompt_waits_longest_where_a_server_gathers_them() -> None:
    """Alone 20 steps; of 64 answers of 1,024 tokens 1.25 more end in them, whose users wait half: 14.4 on average."""
    gathered = WAVED | {"engine": "trtllm", "input_len": "1024", "output_len": "1024", "n_chips": "4"}
    for at_once, steps in (("1", 20 * (1 + 5 / 512) / (1 + 5 / 256)), ("64", 20 * 1.625 / 2.25)):
        waits, reads = (one(**(gathered | {"batch_or_concurrency": at_once, "model": name}))
                        for name in ("llama-3.1-70b", "other-70b"))  # fmt: skip
        assert (waits["ttft_ms"] - reads["ttft_ms"]) / reads["tpot_ms"] == pytest.approx(steps, rel=1e-6)


BURST_OF_SHORT = {"scenario": "burst", "batch_or_concurrency": "4000", "input_len": "128", "output_len": "4"}


def test_short_answers_of_a_burst_are_over_after_as_many_steps() -> None:
    """An engine that mixes prompts into its steps holds an answer up for its own steps, one that does not for all."""
    mixed, prompts_first = (one(**BURST_OF_SHORT, engine=name)["tpot_ms"] for name in ("vllm", "sglang"))
    assert mixed < 0.6 * prompts_first
    longer = one(**(BURST_OF_SHORT | {"batch_or_concurrency": "8000"}), engine="vllm")["tpot_ms"]
    assert longer == pytest.approx(mixed, rel=0.1)  # no step takes more prompts than it has room for


def test_long_prompts_of_a_burst_keep_few_answers_running() -> None:
    burst = {"scenario": "burst", "batch_or_concurrency": "100", "input_len": "32000", "output_len": "100"}
    few = one(**burst, engine="vllm")["tpot_ms"]
    assert few < one(**burst, engine="vllm", technique_params="--max-num-batched-tokens 65536")["tpot_ms"]


def test_the_longest_of_a_thousand_chats_run_on_nearly_alone() -> None:
    """``(ln 1000 - 1)`` mean answers of steps of few; a round mean prompt, lengths alike, takes a full batch's."""
    cells = {"scenario": "burst", "batch_or_concurrency": "1000", "output_len": "200", "n_chips": "4"}
    chat, drawn = (arranged(serving_table([case(**cells, input_len=mean)]), known()) for mean in ("217", "200"))
    one_rank = {"n_chips": "4", "input_len": "217", "output_len": "200", "engine": "vllm"}
    few = serving_table([case(**one_rank, batch_or_concurrency="8")])
    step_s = float(served_flow(few, known()).decode_s[0])
    time_s = 1000 * 200 / predicted_metrics(chat, known())["output_tokens_per_s_total"][0]
    full_s = 1000 * 200 / float(served_flow(chat, known()).batch_tokens_per_s[0])
    assert time_s - full_s == pytest.approx((np.log(1000) - 1) * 200 * step_s)
    drawn_s = 1000 * 200 / predicted_metrics(drawn, known())["output_tokens_per_s_total"][0]
    flow = served_flow(drawn, known())
    tail_s = known()["burst_tail"] * 200 * float(flow.decode_s[0])
    assert drawn_s == pytest.approx(1000 * 200 / float(flow.batch_tokens_per_s[0]) + tail_s)


def test_a_batch_has_its_first_tokens_once_all_its_prompts_are_read() -> None:
    """16 prompts of one token's answer: the fifteen others are read before, however users would share the replica."""
    cells = {"scenario": "latency", "n_chips": "4", "output_len": "1"}
    alone, many = (one(**cells, batch_or_concurrency=users)["ttft_ms"] for users in ("1", "16"))
    table = serving_table([case(**cells, batch_or_concurrency="16")])
    assert many - alone == pytest.approx(15e3 * float(served_flow(table, known()).prefill_s[0]))


def test_coefficients_move_rows_of_their_engine_or_architecture_alone() -> None:
    table = serving_table([case(), case(engine="sglang", hardware="a100-sxm-80", weight_precision="bf16")])
    touched = dict(zip((row.name for row in known().fitted), touched_rows(known(), table.keys).T.tolist(), strict=True))
    assert touched["layer_us_vllm"] == [True, False]
    assert touched["hbm_share_ampere"] == [False, True]
    assert touched["hbm_share_ampere-workstation"] == [False, False]
    assert touched["conservation"] == touched["moe_of_cdna"] == [True, True]


def test_prompts_on_chips_of_their_own_leave_answers_alone() -> None:
    notes = "disaggregated: 1 prefill workers x4 + 1 decode workers x4"
    apart = one(scenario="server-disaggregated", notes=notes, tp="", batch_or_concurrency="32")
    assert apart["tpot_ms"] < one(batch_or_concurrency="64")["tpot_ms"]


def test_scenarios_of_mlperf_come_in_their_order() -> None:
    cells = {"publisher": "mlperf:x", "batch_or_concurrency": "", "tp": "", "engine": "tensorrt", "date": "2025-09-09"}
    speeds = [
        one(**cells, scenario=name)["output_tokens_per_s_total"] for name in ("offline", "server", "server-interactive")
    ]
    assert speeds == sorted(speeds, reverse=True)
    assert one(**cells, scenario="offline")["samples_per_s"] == pytest.approx(speeds[0])


def test_an_unstated_arrangement_is_the_best_that_fits() -> None:
    cells = {"scenario": "offline", "batch_or_concurrency": "", "weight_precision": "bf16"}
    free = arranged(serving_table([case(**cells, tp="")]), known())
    assert float(free.arrangement.tp[0]) in (2.0, 4.0, 8.0)
    found = one(**cells, tp="")["output_tokens_per_s_total"]
    for tp in ("2", "4", "8"):
        assert found >= one(**cells, tp=tp)["output_tokens_per_s_total"] * (1 - 1e-9)


@pytest.mark.parametrize("chip", ["a10", "l4", "h100-sxm", "tpu-v6e"])
def test_tensor_ranks_that_are_searched_stay_within_what_links_join(chip: str) -> None:
    """Seventy billion weights of 4 bits would fit on two A10; eight hosts of one each are not joined for that."""
    row = case(hardware=chip, n_chips="8", tp="", scenario="offline", batch_or_concurrency="", weight_precision="int4")
    table = arranged(serving_table([row]), known())
    domain, ranks = float(table.chips.fleet.domain_chips[0]), float(table.arrangement.tp[0])
    assert domain == (1 if chip == "a10" else 8)
    assert ranks == 1 if chip == "a10" else 1 <= ranks <= domain


def test_experts_of_groups_lie_on_all_chips_of_a_replica() -> None:
    """Eight chips as two tensor ranks in four groups that share eight expert ranks; alone, as stated."""
    table = serving_table([case(**MIXTURE, tp="")])
    grouped, possible = _tried(table, 2.0, True)
    assert (grouped.tp[0], grouped.attention_dp[0], grouped.ep[0], possible[0]) == (2.0, 4.0, 8.0, True)
    alone, possible = _tried(table, 2.0, False)
    assert (alone.attention_dp[0], alone.ep[0], possible[0]) == (1.0, table.arrangement.ep[0], True)
    assert not _tried(table, 8.0, True)[1][0] and not _tried(table, 3.0, False)[1][0]


@pytest.mark.parametrize(
    ("n_steps", "output_tokens", "held_s"),
    [(10.0, 4.0, 0.2 * (1 - 4 / 20)), (10.0, 10.0, 0.125), (10.0, 100.0, 0.0125), (10.0, 10.5, 1.25 / 10.5),
     (1.0, 1.0, 1.25), (0.0, 0.5, 2.5)],
)  # fmt: skip
def test_an_answer_that_outlasts_the_prompts_holds_the_rest_of_them(
    n_steps: float, output_tokens: float, held_s: float
) -> None:
    """A second of prompts is half of their time: two in all, over the steps; never more than a step's a token."""
    found = _held_s(np.array([1.0]), np.array([n_steps]), np.array([output_tokens]), 1.25)
    assert found[0] == pytest.approx(min(held_s, 2.0 / max(n_steps, 1.0)))


def test_users_beyond_the_memory_wait_for_a_place() -> None:
    crowd = {"n_chips": "1", "tp": "1", "weight_precision": "fp8", "input_len": "8192"}
    few, many = one(**crowd, batch_or_concurrency="2"), one(**crowd, batch_or_concurrency="512")
    assert many["ttft_ms"] > 50 * few["ttft_ms"]
    flow = served_flow(serving_table([case(**crowd, batch_or_concurrency="512")]), known())
    assert float(flow.wait_s[0]) > 0


def test_a_prompt_over_several_chips_overlaps() -> None:
    cells = {"scenario": "prefill", "engine": "llama.cpp", "tp": "1", "batch_or_concurrency": "1", "input_len": "4096"}
    alone, four = (one(**cells, n_chips=n)["total_tokens_per_s"] for n in ("1", "4"))
    assert alone < four < 4 * alone


@pytest.mark.parametrize(("n_tokens", "pieces"), [(128, 1.0), (512, 1.0), (1024, 2.0), (4096, 8.0)])
def test_pieces_of_512_tokens_overlap_in_the_stages(n_tokens: int, pieces: float) -> None:
    """``p m / (m + p - 1)`` times the prompt tokens over the time of a prompt alone."""
    cells = {"scenario": "prefill", "engine": "llama.cpp", "tp": "1", "batch_or_concurrency": "1", "n_chips": "4"}
    table = arranged(serving_table([case(**cells, input_len=str(n_tokens))]), known())
    stages, alone_s = float(table.arrangement.pp[0]), float(served_flow(table, known()).prompt_alone_s[0])
    expected = n_tokens / alone_s * stages * pieces / (pieces + stages - 1)
    assert stages == 4
    assert predicted_metrics(table, known())["total_tokens_per_s"][0] == pytest.approx(expected)


def _sweep() -> list[ServingCase]:
    rows = []
    for chip in ("h100-sxm", "a100-sxm-80", "b200-sxm"):
        for users in ("1", "8", "64"):
            for tp in ("2", "4", "8"):
                cells = {"hardware": chip, "batch_or_concurrency": users, "tp": tp, "n_chips": tp, "publisher": chip}
                rows.append(
                    MeasuredRow("t.csv", 2, LLAMA | cells | {"id": f"{chip}{users}{tp}", "tpot_ms": "1"}, "inference")
                )
    found = [serving_case(row, load_catalogue()) for row in rows]
    return [entry for entry in found if isinstance(entry, ServingCase)]


def test_a_fit_finds_the_coefficients_that_made_the_rows() -> None:
    start, table = at_priors(known()), serving_table(_sweep())
    truth = start.with_fitted(
        np.array([row.value * (0.9 if row.name == "hbm_share_hopper" else 1.0) for row in start.fitted])
    )
    made = predicted_metrics(table, truth)["tpot_ms"]
    n = len(made)
    values = MeasuredValues(np.arange(n), np.array(["tpot_ms"] * n), made, np.full(n, 100.0))
    found = fit_serving(table, values, start)
    assert found["hbm_share_hopper"] == pytest.approx(truth["hbm_share_hopper"], rel=0.02)
    reached = predicted_metrics(table, found)["tpot_ms"]
    assert np.abs(np.log(reached / made)).max() < 0.01


def test_values_of_one_row_and_of_one_publisher_share_their_weight() -> None:
    metrics = ["tpot_ms", "output_tokens_per_s_total", "total_tokens_per_s", "ttft_ms"]
    weights = weights_of([0, 0, 0, 0], metrics, ["a"] * 4)
    assert weights[1] == weights[2] < weights[0]
    assert weights[3] < 0.2 * weights[0]
    many = weights_of([0, *range(1, 101)], ["tpot_ms"] * 101, ["a"] + ["b"] * 100)
    assert many[0] == pytest.approx(10 * many[1])


def test_a_study_predicts_what_it_lists() -> None:
    study = serving_study(_sweep(), INFERENCE_METRICS)
    assert [row.metric for row in study.rows] == ["tpot_ms"] * 27
    assert {row.source for row in study.rows} == {"h100-sxm", "a100-sxm-80", "b200-sxm"}
    assert study.predict(known()).shape == (27,)
    fit_rows = np.array([row.source != "h100-sxm" for row in study.rows])
    plain = study.baseline(fit_rows)
    assert np.isfinite(plain).all()
    factor = np.median(plain[fit_rows] / np.array([row.measured for row in study.rows])[fit_rows])
    assert factor == pytest.approx(1.0, rel=0.3)


def test_scored_rows_hold_their_range_and_error() -> None:
    rows = scored_serving(_sweep()[:2])
    for entries in rows.values():
        assert [entry.metric for entry in entries] == ["tpot_ms"]
        entry = entries[0]
        assert entry.predicted is not None and entry.low is not None and entry.high is not None
        assert entry.low < entry.predicted < entry.high
        assert entry.error_pct == pytest.approx(100 * (entry.predicted - 1))
    assert scored_serving([]) == {}
    assert plain_values([]) == {}


def test_the_plain_rule_is_all_bytes_of_a_step_over_all_bandwidth() -> None:
    """64 users, each with 1024 tokens read and half of 512 written, of 80 layers with 2 x 8 x 128 values of 2 bytes."""
    row = case(id="plain", kv_precision="fp16")
    values = {metric: value for (_, metric), value in plain_values([row]).items()}
    cache = 64 * (1024 + 256) * 80 * 2 * 8 * 128 * 2.0
    weights = row.model.n_params * row.weight_bytes
    bandwidth = row.system.accelerator.memory_bandwidth_gbps * 1e9
    step_s = (weights + cache) / (8 * bandwidth)
    assert values["tpot_ms"] == pytest.approx(1e3 * step_s, rel=0.01)
    assert values["output_tokens_per_s_total"] == pytest.approx(64 / step_s, rel=0.01)
    assert values["total_tokens_per_s"] == pytest.approx(3 * values["output_tokens_per_s_total"])


def test_rows_are_told_apart_by_family_and_users_of_a_replica() -> None:
    assert family_of(case()) == "dense"
    assert family_of(case(**MIXTURE)) == "moe"
    assert family_of(case(hardware="tpu-v6e")) == "tpu"
    assert concurrency_a_replica(case()) == 32.0
    assert concurrency_a_replica(case(batch_or_concurrency="", tp="")) == 0.0
    assert concurrency_a_replica(case(tp="3")) == 32.0, "eight chips hold two replicas of three"
    assert concurrency_a_replica(case(tp="")) == 64.0, "replicas that are not stated are one"
    wide, narrow = range_of(case(), "ttft_ms", 100.0), range_of(case(), "tpot_ms", 100.0)
    assert wide.high / wide.low > narrow.high / narrow.low


def test_a_later_engine_is_no_slower() -> None:
    years = [one(date=f"{year}-06")["tpot_ms"] for year in (2023, 2024, 2025, 2026)]
    assert years == sorted(years, reverse=True)
    assert years[0] > years[-1]


def test_priors_stand_in_for_fitted_values_only() -> None:
    table = known()
    found = at_priors(table)
    for before, after in zip(table.rows, found.rows, strict=True):
        assert after == (replace(before, value=before.prior) if before.fitted else before)
