"""Mixtures by month and TPUs: what their own columns say of a run."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.calibration.measured.case import MeasuredCase, any_case_of
from core.calibration.measured.published_shapes import shape_elsewhere
from core.calibration.measured.table import read_table
from core.catalogue.loading import load_catalogue

MIXTURES = (
    "id,hardware,n_chips,model,software,software_month,layers_run,seq_len,global_batch,micro_batch,precision,tp,pp,vp,"
    "ep,tokens_per_s_per_chip\n"
    "a,h100-sxm-80,128,grok1-314b,DGXC benchmarking 25.02 (NeMo Megatron),25.02,16,8192,1024,1,bf16,4,2,8,8,3161\n"
    "b,gb200,256,DeepSeekV3,NeMo container; Megatron-Bridge,26.04.01,,4096,2048,1,MXFP8,1,4,4,64,3653\n"
)
TPUS = (
    "id,kind,hardware,n_chips,topology,model,seq_len,global_batch,tokens_per_step,engine,date,step_time_s\n"
    "c,training,v5p-128,128,2 slices of v5p-128,llama3.1-70b,8192,,1048576,MaxText,2024-11-02,9.5\n"
)


def _cases(tmp_path: Path, text: str) -> list[MeasuredCase]:
    table = tmp_path / "t.csv"
    table.write_text(text)
    cases = [any_case_of(row, row.work, load_catalogue()) for row in read_table(table).rows]
    assert all(isinstance(case, MeasuredCase) for case in cases)
    return [case for case in cases if isinstance(case, MeasuredCase)]


def test_a_mixture_has_its_month_stages_and_the_layers_that_were_run(tmp_path: Path) -> None:
    grok, deepseek = _cases(tmp_path, MIXTURES)
    assert (grok.profile.model.n_layers, grok.profile.model.n_experts) == (16, 8)
    assert (grok.profile.stack.software_year, grok.profile.stack.software_month) == (2025, 2)
    assert grok.profile.stack.training_stack == deepseek.profile.stack.training_stack == "vendor"
    assert (deepseek.profile.stack.software_year, deepseek.profile.stack.software_month) == (2026, 4)
    assert grok.layout and deepseek.layout and (grok.layout.interleave, deepseek.layout.interleave) == (8, 4)
    assert deepseek.profile.job.compute_precision == "fp8" and deepseek.profile.model.n_layers == 61


def test_a_tpu_is_known_by_its_short_name_and_its_batch_by_the_tokens_of_a_step(tmp_path: Path) -> None:
    (case,) = _cases(tmp_path, TPUS)
    job = case.profile.job.training
    assert case.system.accelerator.id == "tpu-v5p" and job is not None and job.global_batch_sequences == 128
    assert case.system.slice is None or case.system.slice.n_chips == 64
    assert case.profile.stack.released == pytest.approx(2024 + (11 - 6.5) / 12)


@pytest.mark.parametrize(("name", "total", "active"), [
    ("grok1-314b", 314, 79), ("Qwen2-57B-A14B", 57.4, 14), ("GLM-4.5", 355, 32), ("DBRX", 132, 36),
    ("MiniMax-M2", 230, 10), ("Qwen3-Next-80B-A3B", 80, 3.9),
])  # fmt: skip
def test_shapes_of_mixtures_have_their_published_sizes(name: str, total: float, active: float) -> None:
    model = shape_elsewhere(name)
    assert model is not None
    assert model.n_params / 1e9 == pytest.approx(total, rel=0.08)
    assert model.n_active_params / 1e9 == pytest.approx(active, rel=0.2)
