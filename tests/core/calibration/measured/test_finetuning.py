"""Rows of fine-tuning: what is read out of their words, and what cannot be said of them."""

from __future__ import annotations

import pytest

from core.calibration.measured.case import MeasuredCase, Unpredictable, any_case_of
from core.calibration.measured.dialects.finetune import DIALECT
from core.calibration.measured.held_memory import held_by_run, kind_of_memory
from core.calibration.measured.table import MeasuredRow
from core.calibration.scored_rows import fit_after_all
from core.calibration.studies.shipped_studies import shipped_table
from core.catalogue.loading import load_catalogue
from core.throughput.types import Layout
from core.workload.jobs.kinds import FineTuning

CELLS = {
    "id": "t-1", "source": "a/b:c@1", "date": "2025-02-01", "source_group": "t", "quality": "A", "chip": "a100-80",
    "n_chips": "1", "model": "mistral-7b", "method": "lora", "batch_per_device": "4", "grad_accum": "2",
    "seq_len": "4096", "seq_kind": "packed", "checkpointing": "full", "framework": "HF Trainer",
    "tokens_per_s_per_chip": "3000", "peak_mem_gib_per_chip": "24", "fits": "yes", "mem_kind": "torch allocated",
}  # fmt: skip


def _row(**cells: str) -> MeasuredRow:
    return MeasuredRow("t.csv", 2, DIALECT.read(CELLS | cells), "finetune", DIALECT.renamed)


def _case(**cells: str) -> MeasuredCase:
    case = any_case_of(_row(**cells), "finetune", load_catalogue())
    assert isinstance(case, MeasuredCase), case
    return case


def _job(**cells: str) -> FineTuning:
    run = _case(**cells).profile.job.training
    assert run is not None and run.finetuned is not None
    return run.finetuned


@pytest.mark.parametrize(
    ("cells", "field", "expected"),
    [
        ({}, "method", "lora"),
        ({"base_weight_bits": "4", "base_format": "bnb.nf4"}, "method", "qlora"),
        ({"method": "qlora", "base_format": "gptq-int4"}, "frozen_weights", "int4"),
        ({"method": "qlora", "base_weight_bits": "8"}, "frozen_weights", "int8"),
        ({"method": "lora+emb"}, "trains_embeddings", True),
        ({"lora_targets": "q,k,v,o"}, "adapters_on", "attention"),
        ({"lora_targets": "c_attn,c_proj,w1,w2"}, "adapters_on", "all_linear"),
        ({"framework": "litgpt"}, "adapters_on", "attention_qv"),
        ({"framework": "Unsloth Open"}, "kernels", "fused_loss"),
        ({"method": "full"}, "master_weights", "none"),
        ({"method": "full", "parallelism": "ZeRO-3"}, "master_weights", "fp32"),
        ({"optimizer": "paged_adamw_8bit"}, "optimizer", "paged_adamw_8bit"),
        ({"offload": "optimiser and parameters to CPU"}, "offload", "all"),
        ({}, "global_batch_sequences", 8),
        ({"samples_per_s_total": "1", "step_time_s": "16"}, "global_batch_sequences", 16),
    ],
)
def test_what_a_row_ran(cells: dict[str, str], field: str, expected: object) -> None:
    assert getattr(_job(**cells), field) == expected


@pytest.mark.parametrize(
    ("cells", "reason"),
    [
        ({"method": "ia3"}, "another kind"),
        ({"framework": "ms-swift: dora"}, "another kind"),
        ({"quality": "C"}, "quality C"),
        ({"chip": "abacus"}, "hardware not in the catalogue"),
        ({"model": "flux2-klein-4b"}, "not a transformer of text"),
    ],
)
def test_why_a_row_is_left_out(cells: dict[str, str], reason: str) -> None:
    case = any_case_of(_row(**cells), "finetune", load_catalogue())
    assert isinstance(case, Unpredictable) and reason in case.reason


def test_columns_of_which_nothing_can_be_said() -> None:
    assert _case().unsaid == {}
    assert set(_case(chip="not stated").unsaid.values()) == {"chip not stated"}
    assert "step_time_s" in _case(seq_kind="own lengths of a chat").unsaid
    padded = _case(seq_kind="padded to longest", derived_fields="seq_len")
    assert list(padded.unsaid) == ["peak_mem_gib_per_chip"]


def test_a_mean_length_follows_from_both_speeds() -> None:
    job = _job(seq_kind="max length; own lengths", tokens_per_s_total="3000", samples_per_s_total="10")
    assert job.sequence_length == 300


@pytest.mark.parametrize(
    ("parallelism", "expected"),
    [
        ("fsdp full-shard", Layout(fsdp=4, micro_batch=4, recompute="full")),
        ("ddp", Layout(dp=4, micro_batch=4, recompute="full")),
        ("ZeRO-2", Layout(dp=4, micro_batch=4, recompute="full", zero=2)),
        ("device_map (naive)", Layout(pp=4, micro_batch=4, recompute="full")),
    ],
)
def test_how_a_run_is_spread(parallelism: str, expected: Layout) -> None:
    assert _case(n_chips="4", parallelism=parallelism).layout == expected


def test_what_a_driver_shows_is_more_than_tensors_take() -> None:
    cases = [_case(mem_kind=kind) for kind in ("torch allocated", "torch reserved", "nvidia-smi")]
    assert [kind_of_memory(case.row) for case in cases] == ["allocated", "reserved", "device"]
    held = [held_by_run(case, case.layout or Layout()) for case in cases]
    assert held[0] < held[1] < held[2] < 80


def test_most_runs_that_failed_for_want_of_memory_are_told_so() -> None:
    rows = [row for row in shipped_table("finetune").rows if row.text("fits") == "no"][::2]
    cases = [any_case_of(row, "finetune", load_catalogue()) for row in rows]
    told = fit_after_all([case for case in cases if isinstance(case, MeasuredCase)])
    assert len(told) > 45
    assert sum(told.values()) <= 7  # of all 102 rows 4


def test_weights_that_sharding_software_turns_to_fp32_take_twenty_bytes() -> None:
    """7B weights, gradients and two moments in four bytes over two chips, and the roots of the second moments."""
    usual = {"method": "full", "n_chips": "2", "parallelism": "fsdp full-shard", "mem_kind": "allocated",
             "micro_batch": "1", "seq_len": "256"}  # fmt: skip
    narrow, wide = (
        held_by_run(case, case.layout or Layout())
        for case in (
            _case(**usual, optimizer="adamw, all in torch_dtype"),
            _case(**usual, optimizer="adamw, all in fp32"),
        )
    )
    assert wide == pytest.approx(2.0 * narrow, rel=0.05)
