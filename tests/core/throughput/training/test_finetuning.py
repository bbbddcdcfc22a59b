"""Fine-tuning: memory and time worked by hand, what must hold, and what was published of well-known runs."""

from __future__ import annotations

import numpy as np
import pytest

from core.calibration.measured.finetuned_models import finetuned_model
from core.calibration.measured.table import MeasuredRow
from core.throughput.model_shape import shape_of
from core.throughput.parameters import shipped_parameters
from core.throughput.predict import predict
from core.throughput.training.finetuning import (
    EIGHT_BIT_STATE_BYTES,
    facts_of_tuning,
    least_bytes_per_param,
    tuning_work,
)
from core.throughput.training.finetuning_memory import LAST_NORM_BYTES, tuning_peak
from core.throughput.training.layouts import as_rows
from core.throughput.training.memory import training_memory
from core.throughput.training.offload import host_share
from core.throughput.training.paging import copy_bytes_per_s
from core.throughput.types import Layout, Throughput
from core.units import GIB
from core.workload.jobs.kinds import FineTuning, PreTraining
from core.workload.models.transformer import TransformerModel
from core.workload.profile import Profile, Stack
from tests.core.throughput.fleet_samples import LLAMA_3_8B, LLAMA_3_70B, MIXTRAL, system

KNOWN = shipped_parameters("finetune")
ONE = Layout(micro_batch=1, recompute="full")
EAGER = Stack(training_stack="fsdp_eager")
PAGED = {"method": "full", "optimizer": "paged_adamw_8bit", "sequence_length": 512, "global_batch_sequences": 16}


def _model(name: str) -> TransformerModel:
    model = finetuned_model(MeasuredRow("t.csv", 2, {"model": name}))
    assert isinstance(model, TransformerModel)
    return model


def _run(model: TransformerModel, chip: str, n_chips: int, layout: Layout | None = None, **job: object) -> Throughput:
    profile = Profile(model=model, job=FineTuning.model_validate(job), stack=EAGER)
    return predict(profile, [system(chip, n_chips)], layout=layout)[0]


def _memory(layout: Layout = ONE, **job: object) -> dict[str, float]:
    parts = training_memory(shape_of(LLAMA_3_8B), FineTuning.model_validate(job), as_rows([layout]))
    return {name: float(values[0]) for name, values in parts.items()}


@pytest.mark.parametrize(("kept", "bytes_each"), [("nf4", 0.5625), ("nf4_double", 0.5159), ("int8", 1.0195)])
def test_frozen_weights_take_their_bits_with_scales_and_embeddings_stay_wide(kept: str, bytes_each: float) -> None:
    embeddings = LLAMA_3_8B.embedding_params
    adapters = 16 * 32 * (4 * 4096 + 2 * 4096 + 2 * 1024 + 3 * (4096 + 14336))
    expected = bytes_each * (LLAMA_3_8B.n_params - embeddings) + 2 * embeddings + 4 * adapters
    assert _memory(method="qlora", frozen_weights=kept)["weights"] == pytest.approx(expected)


@pytest.mark.parametrize(
    ("job", "bytes_each"),
    [
        ({"master_weights": "none"}, 2 + 2 + 4 + 2),
        ({"master_weights": "none", "optimizer": "adamw_8bit"}, 2 + 2 + 2.03),
        ({"optimizer": "adamw_8bit"}, 2 + 4 + 4 + 2.03),
        ({"optimizer": "paged_adamw_8bit"}, 2 + 4 + 4),
        ({}, 2 + 4 + 12),
        ({"master_weights": "none", "optimizer": "sgd"}, 2 + 2),
        ({"master_weights": "none", "offload": "optimizer"}, 2 + 2),
    ],
)
def test_bytes_of_a_trained_weight(job: dict[str, str], bytes_each: float) -> None:
    parts = _memory(method="full", sequence_length=16, global_batch_sequences=1, **job)
    held = parts["weights"] + parts["gradients"] + parts["optimizer"]
    assert held / LLAMA_3_8B.n_params == pytest.approx(bytes_each)
    assert least_bytes_per_param(FineTuning(method="full", **job)) <= bytes_each  # type: ignore[arg-type]


def test_moments_alone_page_and_only_while_nothing_else_moves_them() -> None:
    assert FineTuning(optimizer="paged_adamw_8bit").is_paged and not FineTuning(optimizer="adamw_8bit").is_paged
    assert not FineTuning(optimizer="paged_adamw_8bit", offload="optimizer").is_paged


def test_parts_of_memory_add_up_to_the_phase_that_peaks() -> None:
    job = {"method": "lora", "sequence_length": 4096, "global_batch_sequences": 1, "lora_rank": 8}
    loss, fused = _memory(**job), _memory(**job, kernels="fused_loss")
    kept = 32 * 4096 * 4096 * 2.0
    logits = 4096 * (KNOWN["logit_bytes"] * LLAMA_3_8B.vocab_size + LAST_NORM_BYTES * 4096)
    assert loss["activations"] + loss["logits"] == pytest.approx(kept + logits - loss["gradients"])
    assert fused["logits"] == 0  # a layer's way back peaks where the loss is counted piece by piece
    assert kept < fused["activations"] < loss["activations"] + loss["logits"]


def _peak_gib(n_chips: int, micro_batch: int, **job: object) -> float:
    fields = {"sequence_length": 4096, "global_batch_sequences": micro_batch * n_chips, "recompute": "full", **job}
    shape, run = shape_of(_model("mistral-7b")), FineTuning.model_validate(fields)
    layout = Layout(dp=1, fsdp=n_chips, tp=1, pp=1, micro_batch=micro_batch, recompute="full")
    length, batch = np.array([4096.0]), np.array([float(run.global_batch_sequences)])
    peak = tuning_peak(shape, facts_of_tuning(shape, run), KNOWN, as_rows([layout]), length, batch)
    return float(peak.allocated_bytes[0]) / GIB


@pytest.mark.parametrize(
    ("n_chips", "micro_batch", "job", "measured_gib"),
    [
        (1, 16, {"method": "full", "master_weights": "none", "kernels": "fused_loss"}, 71.85),
        (1, 16, {"method": "lora", "lora_rank": 16, "kernels": "fused_loss"}, 46.68),
        (2, 16, {"method": "lora", "lora_rank": 16, "kernels": "fused_loss"}, 55.77),
        (4, 16, {"method": "qlora", "lora_rank": 16, "kernels": "fused_loss"}, 49.31),
        (2, 4, {"method": "qlora", "lora_rank": 16}, 14.87),
    ],
)
def test_allocated_memory_of_published_runs(
    n_chips: int, micro_batch: int, job: dict[str, object], measured_gib: float
) -> None:
    """Mistral 7B, 4,096 tokens, A100: gradients come as activations go, and frozen shards hold inputs' gradients
    (fms-acceleration, scripts/benchmarks/refs, 2024-12 and 2025-02)."""
    assert _peak_gib(n_chips, micro_batch, **job) == pytest.approx(measured_gib, rel=0.06)


def test_unpacking_is_paid_by_the_micro_batch_and_not_by_the_token() -> None:
    """Published pairs: QLoRA at 0.3 to 0.7 of LoRA with 256 tokens, at 0.9 to 1.05 with 8,192."""
    qwen, share = _model("qwen-7b"), []
    for tokens in (256, 8192):
        job = {"sequence_length": tokens, "global_batch_sequences": 8, "lora_rank": 64, "kernels": "fused_loss"}
        lora, packed = (
            _run(qwen, "a100-sxm-80", 1, ONE, method=method, frozen_weights="int4", **job).tokens_per_s.likely
            for method in ("lora", "qlora")
        )
        share.append(packed / lora)
    assert 0.3 < share[0] < 0.7
    assert 0.88 < share[1] < 1.05


def test_each_layer_launches_its_adapters_and_its_experts() -> None:
    """Eight experts one after the other, in three passes, beside the router; fused kernels group them. Microseconds."""
    for model, n_experts in ((MIXTRAL, 8), (LLAMA_3_8B, 0)):
        shape = shape_of(model)
        for kernels in ("framework", "fused", "fused_loss"):
            facts = facts_of_tuning(shape, FineTuning(method="lora", kernels=kernels))
            one_by_one = 0.0 if kernels != "framework" else n_experts * 3 * KNOWN["expert_us"]
            experts_us = KNOWN["route_us"] + one_by_one if n_experts else 0.0
            expected_us = float(facts.products) * KNOWN["adapter_us"] + experts_us
            assert 1e6 * float(tuning_work(shape, facts, KNOWN).layer_s) == pytest.approx(expected_us)


def test_unpacking_worked_by_hand() -> None:
    job, shape = FineTuning(method="qlora", frozen_weights="nf4"), shape_of(LLAMA_3_8B)
    work = tuning_work(shape, facts_of_tuning(shape, job), KNOWN)
    weights = (LLAMA_3_8B.n_params - LLAMA_3_8B.embedding_params) / 32
    assert float(work.unpack_bytes) == pytest.approx(weights * 4.5625 / KNOWN["unpack_share_nf4"])
    plain = FineTuning(method="lora")
    assert float(tuning_work(shape, facts_of_tuning(shape, plain), KNOWN).unpack_bytes) == 0.0


@pytest.mark.parametrize(
    ("name", "chip", "n_chips", "job", "low_gib", "high_gib"),
    [
        ("llama3.1-8b", "rtx4090", 1, {"method": "qlora", "sequence_length": 1024}, 0, 24),
        ("llama-65b", "rtxa6000", 1, {"method": "qlora", "sequence_length": 512, "lora_rank": 64}, 41, 48),
        ("llama3.1-405b", "h100-sxm", 8, {"method": "qlora", "sequence_length": 2048}, 25, 80),
        ("llama3.1-70b", "h100-sxm", 8, {"method": "lora", "sequence_length": 4096}, 17, 80),
    ],
)  # fmt: skip
def test_published_runs_fit(
    name: str, chip: str, n_chips: int, job: dict[str, object], low_gib: float, high_gib: float
) -> None:
    """65B on one card of 48 GB: 41 to 48 GB as published (arXiv 2305.14314); the others are known to fit."""
    answer = _run(_model(name), chip, n_chips, optimizer="paged_adamw_8bit", global_batch_sequences=16, **job)
    assert answer.fits, answer.reasons
    assert low_gib < sum(answer.memory_gib.values()) < high_gib


def test_a_65b_model_in_sixteen_bits_does_not_fit_where_its_packed_one_does() -> None:
    assert not _run(_model("llama-65b"), "rtxa6000", 1, method="lora", sequence_length=512).fits


def test_what_moves_to_the_host_frees_the_chip_and_takes_time() -> None:
    job = {"method": "full", "master_weights": "fp32", "sequence_length": 2048, "global_batch_sequences": 8}
    stays, moves = (_run(LLAMA_3_8B, "h100-sxm", 8, offload=where, **job) for where in ("none", "optimizer"))
    assert moves.memory_gib["optimizer"] == 0 < stays.memory_gib["optimizer"]
    assert moves.step_terms_s["host"] > 0 and moves.tokens_per_s.likely < stays.tokens_per_s.likely


def test_a_host_holds_what_its_chips_leave_to_it() -> None:
    job = FineTuning(method="full", offload="optimizer")
    share = host_share(LLAMA_3_8B, job, system("h100-sxm", 8), Layout(fsdp=8))
    assert share.held_bytes == pytest.approx(12 * LLAMA_3_8B.n_params / 8)
    everything = host_share(
        LLAMA_3_8B, job.model_copy(update={"offload": "all"}), system("h100-sxm", 8), Layout(fsdp=8)
    )
    assert everything.held_bytes > share.held_bytes and everything.step_s > share.step_s


def test_a_host_that_is_too_small_refuses() -> None:
    on = system("h100-sxm", 8)
    assert on.host is not None and on.host.ram_gb
    job = {"method": "full", "offload": "all", "global_batch_sequences": 8, "sequence_length": 2048}
    profile = Profile(model=_model("llama3.1-405b"), job=FineTuning.model_validate(job), stack=EAGER)
    answer = predict(profile, [on])[0]
    assert not answer.fits and answer.reasons[0].code == "host memory"
    assert "each host" in str(answer.reasons[0].text)


@pytest.mark.parametrize(("chip", "runs"), [("a100-sxm-80", True), ("l40s", True), ("tpu-v5p", False)])
def test_packed_weights_run_where_software_unpacks_them(chip: str, runs: bool) -> None:
    job = FineTuning(method="qlora", global_batch_sequences=8, sequence_length=512)
    answer = predict(Profile(model=LLAMA_3_8B, job=job), [system(chip, 4)])[0]
    assert answer.fits == runs
    assert runs or "adapters over packed weights" in str(answer.reasons[0].text)


def test_padding_is_computed_and_not_counted() -> None:
    job = {"method": "lora", "global_batch_sequences": 16}
    packed, padded = (_run(LLAMA_3_8B, "h100-sxm", 1, padding_share=share, **job) for share in (0.0, 0.5))
    assert padded.step_time_s == pytest.approx(packed.step_time_s)
    assert padded.tokens_per_s.likely == pytest.approx(0.5 * packed.tokens_per_s.likely)


def test_fused_kernels_are_faster_and_hold_less() -> None:
    job = {"method": "qlora", "global_batch_sequences": 16, "sequence_length": 4096}
    plain, fused = (_run(LLAMA_3_70B, "h100-sxm", 1, ONE, kernels=one, **job) for one in ("framework", "fused_loss"))
    assert fused.tokens_per_s.likely > 1.05 * plain.tokens_per_s.likely
    assert sum(fused.memory_gib.values()) < sum(plain.memory_gib.values())


def test_every_coefficient_lies_within_its_bounds_and_none_at_one() -> None:
    for row in KNOWN.rows:
        room = 0.02 * (row.high - row.low)
        assert row.low + room < row.value < row.high - room, row.name
        assert row.source


def test_pages_keep_the_master_copy_on_the_chip_and_moments_as_far_as_there_is_room() -> None:
    """They took all states off a full chip for nothing: 70B in 8 bits, paged, ran on 8 H100 with no optimiser."""
    paged, kept = (
        _run(LLAMA_3_8B, "h100-sxm", 8, **PAGED | {"optimizer": name}) for name in (PAGED["optimizer"], "adamw_8bit")
    )
    assert paged.memory_gib["optimizer"] == pytest.approx(kept.memory_gib["optimizer"], rel=0.02)
    assert paged.tokens_per_s.likely == pytest.approx(kept.tokens_per_s.likely, rel=0.02)
    assert not _run(LLAMA_3_70B, "h100-sxm", 8, **PAGED).fits


def test_what_has_no_room_goes_to_its_host_and_back_in_each_step() -> None:
    full = _run(LLAMA_3_70B, "h100-sxm", 16, **PAGED | {"sequence_length": 8192, "global_batch_sequences": 64})
    assert full.fits
    pages_gib = EIGHT_BIT_STATE_BYTES / 4 * _master_gib(full)
    held = sum(full.memory_gib.values())
    assert held <= full.memory_capacity_gib + 1e-6
    moved_gib = pages_gib - (full.memory_gib["optimizer"] - _master_gib(full))
    pcie = copy_bytes_per_s(full.system)
    assert moved_gib > 1.0
    assert full.step_terms_s["host"] == pytest.approx(2 * moved_gib * GIB / pcie, rel=0.01, abs=1e-9)


def _master_gib(answer: Throughput) -> float:
    ranks = answer.layout.tp * answer.layout.pp * answer.layout.dp * answer.layout.fsdp
    return 4 * LLAMA_3_70B.n_params / ranks / GIB


WAYS = (
    {"optimizer": "adamw_8bit"}, {"optimizer": "sgd"}, {"master_weights": "none"}, {"kernels": "fused"},
    {"kernels": "fused_loss"}, {"optimizer": "paged_adamw_8bit"},
)  # fmt: skip
"""Fields that save memory of a run which trains every weight, each for itself."""


@pytest.mark.parametrize("layout", [Layout(dp=4, tp=8, zero=2), Layout(fsdp=32), Layout(tp=8, pp=4), Layout(dp=32)])
@pytest.mark.parametrize("way", WAYS)
def test_a_field_that_saves_memory_takes_none_on_any_layout(layout: Layout, way: dict[str, str]) -> None:
    def held(**job: str) -> float:
        run = FineTuning.model_validate({"sequence_length": 4096, **job})
        return sum(float(part[0]) for part in training_memory(shape_of(LLAMA_3_70B), run, as_rows([layout])).values())

    assert held(**way) <= held()


def test_where_layers_are_split_memory_is_that_of_pretraining_but_for_the_states() -> None:
    """8 bits spare 6 of 12 bytes of state a weight, shared by 32 chips."""
    rows = as_rows([Layout(dp=4, tp=8, zero=2)])
    usual, narrow, plain = (
        sum(float(part[0]) for part in training_memory(shape_of(LLAMA_3_70B), job, rows).values())
        for job in (FineTuning(), FineTuning(optimizer="adamw_8bit"), PreTraining(global_batch_sequences=64))
    )
    assert usual == pytest.approx(plain)
    assert usual - narrow == pytest.approx((8 - EIGHT_BIT_STATE_BYTES) * LLAMA_3_70B.n_params / 32)


def _width(answer: Throughput) -> float:
    return answer.tokens_per_s.high / answer.tokens_per_s.low


@pytest.mark.parametrize("way", [*WAYS, {"offload": "optimizer"}])
def test_no_field_of_fine_tuning_changes_how_sure_a_run_is(way: dict[str, str]) -> None:
    for stack in (EAGER, Stack(), Stack(training_stack="vendor")):
        usual, other = (
            predict(
                Profile(model=LLAMA_3_70B, job=FineTuning.model_validate(job), stack=stack), [system("b200-sxm", 16)]
            )
            for job in ({}, way)
        )
        assert _width(usual[0]) == pytest.approx(_width(other[0]))


def test_small_models_are_as_sure_as_the_measured_trainers_and_large_ones_nearly_as_pretraining() -> None:
    """Trainers on one host are missed by far more than pre-training; a vendor's recipes are not."""
    widths, plain = [], []
    for n_layers in (32, 80, 160):
        model = LLAMA_3_8B.model_copy(update={"n_layers": n_layers})
        own, same, vendor = (
            predict(Profile(model=model, job=job, stack=stack), [system("h200-sxm", 32)])[0]
            for job, stack in (
                (FineTuning(sequence_length=4096), EAGER),
                (PreTraining(sequence_length=4096, global_batch_sequences=64), EAGER),
                (FineTuning(sequence_length=4096), Stack(training_stack="vendor")),
            )
        )
        widths.append(_width(own))
        plain.append(_width(same))
        assert _width(vendor) == pytest.approx(_width(same))
    assert widths[0] > widths[1] > widths[2] > plain[2]
    assert widths[0] > 3 and widths[2] / plain[2] < widths[0] / plain[0]
