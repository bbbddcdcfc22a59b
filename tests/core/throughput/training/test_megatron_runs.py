"""Eight published runs that no coefficient was fitted on: Megatron-LM on A100 80 GB (arXiv 2205.05198, table 5)."""

from dataclasses import replace

import numpy as np
import pytest

from core.throughput.chips.fleet import fleet_of
from core.throughput.model_shape import shape_of
from core.throughput.parameters import shipped_parameters
from core.throughput.training.layouts import as_rows
from core.throughput.training.rates import StackOfRun, facts_of, rates_of
from core.throughput.training.step import step_terms
from core.throughput.training.work import work_of
from core.throughput.types import Layout
from core.workload.jobs.kinds import PreTraining
from core.workload.models.transformer import TransformerModel
from tests.core.throughput.fleet_samples import system

RUNS = {
    "22B": (48, 6144, 64, 8, 4, Layout(tp=8, micro_batch=4), (1.42, 1.10)),
    "175B": (96, 12288, 96, 64, 64, Layout(tp=8, pp=8, micro_batch=1, interleave=3), (18.13, 13.75)),
    "530B": (105, 20480, 128, 280, 280, Layout(tp=8, pp=35, micro_batch=1, interleave=3), (49.05, 37.83)),
    "1T": (128, 25600, 160, 512, 512, Layout(tp=8, pp=64, micro_batch=1, interleave=1), (94.42, 71.49)),
}  # fmt: skip
"""Layers, width, heads, chips, sequences a step, layout, seconds a step with full and selective recompute."""

KINDS = ("full", "selective")


def _step_s(name: str, recompute: str) -> float:
    layers, width, heads, chips, batch, layout, _ = RUNS[name]
    model = TransformerModel(
        n_layers=layers, d_model=width, n_heads=heads, n_kv_heads=heads, d_head=width // heads, d_ff=4 * width,
        vocab_size=51200, gated_mlp=False,
    )  # fmt: skip
    job = PreTraining(sequence_length=2048, global_batch_sequences=batch, precision="fp16")
    on, known, shape = system("a100-sxm-80", chips), shipped_parameters("training"), shape_of(model)
    stack = StackOfRun(["megatron_2021"], np.array([2022.0]))
    rates = rates_of(facts_of([on.accelerator], ["fp16"], known), stack, known)
    rows = as_rows([replace(layout, recompute=recompute)])
    terms = step_terms(shape, work_of(shape, job), fleet_of([on], "fp16"), rates, rows)
    return float(sum(seconds[0] for seconds in terms.values()))


def test_mean_error_is_within_six_percent() -> None:
    errors = [
        abs(_step_s(name, recompute) / seconds - 1)
        for name, run in RUNS.items()
        for recompute, seconds in zip(KINDS, run[-1], strict=True)
    ]
    assert len(errors) == 8
    assert float(np.mean(errors)) <= 0.06


@pytest.mark.parametrize("name", RUNS)
def test_recomputing_everything_costs_what_it_did(name: str) -> None:
    full, selective = RUNS[name][-1]
    found = _step_s(name, "full") / _step_s(name, "selective")
    assert found == pytest.approx(full / selective, rel=0.08)
