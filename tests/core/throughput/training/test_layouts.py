"""Layouts and their memory: everything divides, nothing is lost, given degrees are kept, published sizes fit."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.throughput.chips.fleet import fleet_of
from core.throughput.model_shape import shape_of
from core.throughput.parameters import shipped_parameters
from core.throughput.predict import predict
from core.throughput.training.grid import grid_of
from core.throughput.training.layouts import (
    FULLY_SHARDED,
    HYBRID,
    LEAST,
    ZERO1,
    ZERO2,
    Layouts,
    _interleaves,
    as_rows,
    training_layouts,
)
from core.throughput.training.memory import training_memory
from core.throughput.training.pruning import Asked, least_step_s, may_be_fastest
from core.throughput.training.rates import StackOfRun, facts_of, rates_of
from core.throughput.training.shares import shares_of
from core.throughput.training.work import work_of
from core.throughput.transformer_work import dense_params, expert_params
from core.throughput.types import Layout
from core.units import GIB
from core.workload.jobs.kinds import PreTraining, TrainingJob
from core.workload.models.known import presets
from core.workload.models.transformer import TransformerModel
from core.workload.profile import Profile, Stack
from tests.core.throughput.fleet_samples import GPT_3, LLAMA_3_8B, LLAMA_3_70B, MIXTRAL, system

MODELS = [LLAMA_3_8B, LLAMA_3_70B, GPT_3, MIXTRAL]
CLUSTERS = [("h100-sxm", 8), ("h100-sxm", 96), ("gb200", 144), ("mi300x", 64), ("tpu-v5p", 64), ("tpu-v5e", 512)]


def _rows(model: TransformerModel, job: TrainingJob, cluster: tuple[str, int]) -> Layouts:
    return training_layouts(fleet_of([system(*cluster)], job.precision), model, job)


@settings(max_examples=40, deadline=None)
@given(
    model=st.sampled_from(MODELS), cluster=st.sampled_from(CLUSTERS), batch=st.integers(1, 4096),
    sequence=st.sampled_from([512, 4096, 32768]),
)  # fmt: skip
def test_every_layout_divides_chips_and_batch(
    model: TransformerModel, cluster: tuple[str, int], batch: int, sequence: int
) -> None:
    job = PreTraining(global_batch_sequences=batch, sequence_length=sequence)
    rows = _rows(model, job, cluster)
    assert (rows.tp * rows.pp * rows.cp * rows.data == cluster[1]).all()
    assert (rows.data * rows.micro_batch <= batch).all()
    assert (rows.data % rows.shards == 0).all()
    assert ((rows.data * rows.cp) % rows.ep == 0).all()
    assert (model.n_heads % rows.tp == 0).all()
    assert (rows.interleave * rows.pp <= model.n_layers).all()
    assert ((rows.interleave == 1) | (rows.pp > 1)).all()


@pytest.mark.parametrize("model", [*MODELS, presets()["DeepSeek-V3"].model], ids=lambda model: model.name)
def test_weights_are_conserved_over_layouts(model: TransformerModel) -> None:
    """Summed over the chips of one copy, tensor, pipeline and expert ranks hold every weight once."""
    shape, rows = shape_of(model), _rows(model, PreTraining(), ("h100-sxm", 512))
    held = shares_of(shape, np.asarray(1.0), rows).held * rows.tp * rows.pp
    experts = float(expert_params(shape))
    assert held + experts * (1.0 - 1.0 / rows.ep) == pytest.approx(np.full(rows.n_rows, float(model.n_params)))
    assert float(dense_params(shape)) + experts == pytest.approx(model.n_params)


@settings(max_examples=30, deadline=None)
@given(
    model=st.sampled_from(MODELS), cluster=st.sampled_from(CLUSTERS),
    recompute=st.sampled_from(["auto", "none", "selective", "full"]),
)  # fmt: skip
def test_least_recompute_is_the_least_that_fits(
    model: TransformerModel, cluster: tuple[str, int], recompute: str
) -> None:
    job = PreTraining.model_validate({"global_batch_sequences": 512, "recompute": recompute})
    fleet, shape = fleet_of([system(*cluster)], job.precision), shape_of(model)
    rows = training_layouts(fleet, model, job)
    assert ((rows.recompute == LEAST).all()) == (recompute == "auto")
    grid = grid_of(fleet, model, shape, job, None)
    settled, capacity = grid.every.of(grid.layouts), fleet.memory_bytes[rows.system]
    assert settled.n_rows == rows.n_rows
    less = replace(settled, recompute=settled.recompute - 1.0)
    chosen = (settled.recompute > 0) & (recompute == "auto")
    total = sum(training_memory(shape, job, less).values())
    assert (total[chosen] > capacity[chosen]).all()
    total = sum(training_memory(shape, job, settled).values())
    assert (total[grid.worth_timing] <= capacity[grid.worth_timing]).all()
    assert not grid.leanest.size or total[grid.leanest[0]] == total.min()


@pytest.mark.parametrize("job", [PreTraining(), PreTraining(sequence_length=512, global_batch_sequences=64)])
@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.name)
def test_nothing_left_untimed_would_have_been_faster(model: TransformerModel, job: TrainingJob) -> None:
    systems = [system(*cluster) for cluster in (*CLUSTERS, ("h100-sxm", 1024), ("a100-sxm-80", 512))]
    shape, precision, known = shape_of(model), job.compute_precision, shipped_parameters("training")
    facts = facts_of([one.accelerator for one in systems], [precision] * len(systems), known)
    rates = rates_of(facts, StackOfRun(["vendor"], np.array([2025.0])), known)
    fleet, chips = fleet_of(systems, precision), np.arange(len(systems))
    asked = Asked(shape, work_of(shape, job), fleet, rates, chips)
    grid = grid_of(fleet, model, shape, job, None)
    fitting = grid.every.take(grid.worth_timing)
    timed = may_be_fastest(asked, grid.layouts, fitting)
    assert len(timed.row) < 0.6 * len(fitting.row), "most are left out"
    step_s, timed_s = (asked.step_s(choices.of(grid.layouts)) for choices in (fitting, timed))
    for number in range(len(systems)):
        all_s, looked_at_s = step_s[fitting.system == number], timed_s[timed.system == number]
        assert all_s.min(initial=np.inf) == looked_at_s.min(initial=np.inf)
    floor_s = least_step_s(asked, grid.layouts, fitting)
    assert (floor_s <= step_s * (1.0 + 1e-9)).all()


def _memory(layout: Layout, model: TransformerModel = LLAMA_3_8B, **job: object) -> dict[str, float]:
    asked = PreTraining.model_validate({"global_batch_sequences": 1024, **job})
    found = training_memory(shape_of(model), asked, as_rows([layout]))
    return {part: float(values[0]) for part, values in found.items()}


def test_each_stage_of_zero_splits_one_part_more() -> None:
    """Rajbhandari et al., arXiv 1910.02054, table 1: Adam 12 bytes, then gradients, then weights over the ranks."""
    whole, split = _memory(Layout(dp=64)), _memory(Layout(dp=64, zero=2))
    sharded, grouped = _memory(Layout(fsdp=64)), _memory(Layout(dp=8, fsdp=8))
    params = LLAMA_3_8B.n_params
    assert whole["optimizer"] == split["optimizer"] == sharded["optimizer"] == pytest.approx(12 * params / 64)
    assert whole["gradients"] == pytest.approx(64 * split["gradients"]) == pytest.approx(4 * params)
    assert whole["weights"] == split["weights"] == pytest.approx(2 * params)
    assert sharded["weights"] < grouped["weights"] < split["weights"]
    assert grouped["optimizer"] == pytest.approx(8 * sharded["optimizer"])


def test_activations_follow_the_published_count() -> None:
    """Korthikanti et al., arXiv 2205.05198, table 2: 34 bytes a token and width; a pipeline keeps p micro-batches."""
    layout = Layout(dp=8, tp=8, recompute="none")
    job = {"sequence_length": 2048}
    once = _memory(layout, GPT_3, **job)["activations"]
    assert once == pytest.approx(34 * 2048 * 12288 * 96 / 8, rel=0.1)
    assert _memory(replace(layout, dp=1, pp=8), GPT_3, **job)["activations"] == pytest.approx(once)
    interleaved = _memory(replace(layout, dp=1, pp=8, interleave=4), GPT_3, **job)["activations"]
    assert interleaved == pytest.approx(once * (1 + 7 / (8 * 4)))


@pytest.mark.parametrize(
    ("model", "chip", "n_chips", "layout", "job"),
    [
        ("GPT-3 175B", "a100-sxm-80", 64, Layout(tp=8, pp=8, interleave=3, recompute="selective"),
         {"sequence_length": 2048, "global_batch_sequences": 64}),
        ("Llama 3.1 405B", "h100-sxm", 8192, Layout(dp=64, tp=8, pp=16, recompute="none", zero=2),
         {"sequence_length": 8192, "global_batch_sequences": 2048}),
    ],
    ids=["Korthikanti et al., table 3", "Llama 3, arXiv 2407.21783, table 4"],
)  # fmt: skip
def test_published_runs_fit(model: str, chip: str, n_chips: int, layout: Layout, job: dict[str, int]) -> None:
    profile = Profile(model=presets()[model].model, job=PreTraining.model_validate(job))
    answer = predict(profile, [system(chip, n_chips)], layout=layout)[0]
    assert answer.fits, answer.reasons
    used = answer.layout
    assert (used.tp, used.pp, used.micro_batch, used.recompute) == (layout.tp, layout.pp, 1, layout.recompute)


@settings(max_examples=40, deadline=None)
@given(
    tp=st.sampled_from([1, 2, 4, 8, 16]), pp=st.sampled_from([1, 2, 5, 8]), fsdp=st.sampled_from([1, 2, 8]),
    dp=st.sampled_from([1, 2, 4]), micro_batch=st.sampled_from([1, 2]), interleave=st.sampled_from([1, 2]),
)  # fmt: skip
def test_given_layouts_are_kept_exactly(
    tp: int, pp: int, fsdp: int, dp: int, micro_batch: int, interleave: int
) -> None:
    given = Layout(
        dp=dp, fsdp=fsdp, tp=tp, pp=pp, micro_batch=micro_batch, recompute="full", interleave=interleave, zero=1,
    )  # fmt: skip
    job = PreTraining(global_batch_sequences=1024)
    fleet = fleet_of([system("h100-sxm", dp * fsdp * tp * pp)], "bf16")
    rows = training_layouts(fleet, LLAMA_3_70B, job, given)
    assert rows.n_rows
    sharding = {True: HYBRID if dp > 1 else FULLY_SHARDED}.get(fsdp > 1)
    for row, found in enumerate(rows.listed()):
        kept = (found.tp, found.pp, found.micro_batch, found.recompute, found.interleave)
        assert kept == (tp, pp, micro_batch, "full", interleave)
        if sharding is not None:
            assert rows.sharding[row] == sharding
            assert (found.dp, found.fsdp) == (dp, fsdp)


@pytest.mark.parametrize(
    ("sequence", "sizes"),
    [(512, {1, 2, 4, 8, 14, 16, 24, 28, 32, 48, 56, 64, 96}), (1024, {1, 2, 4, 8, 14, 16, 24, 28, 32, 48, 56, 64, 96}),
     (2048, {1, 2, 4, 8}), (32_768, {1, 2, 4, 8})],
)  # fmt: skip
def test_micro_batches_that_are_tried_and_each_layout_once(sequence: int, sizes: set[int]) -> None:
    """Short sequences fill a chip only in large ones: those of published runs of BERT are among them."""
    job = PreTraining(global_batch_sequences=4096, sequence_length=sequence)
    rows = _rows(LLAMA_3_8B, job, ("h100-sxm", 8))
    assert set(rows.micro_batch.tolist()) == sizes
    every = rows.listed()
    assert len(every) == len(set(every))


@pytest.mark.parametrize("n_layers", [2, 3, 4, 7, 8, 15, 16, 23, 36, 61, 80, 96, 126])
def test_stages_of_a_pipeline_are_even_to_an_eighth_and_hold_two_layers(n_layers: int) -> None:
    """The fullest stage has at most 1.13 times the mean; every power of two up to 32 that allows it is tried."""
    model = LLAMA_3_8B.model_copy(update={"n_layers": n_layers})
    rows = _rows(model, PreTraining(global_batch_sequences=512), ("h100-sxm", 64))
    allowed = {pp for pp in (2, 4, 8, 16, 32) if 2 * pp <= n_layers and -(-n_layers // pp) * pp <= 1.13 * n_layers}
    assert set(rows.pp.tolist()) == {1, *allowed}
    for pp in allowed:
        assert set(rows.interleave[rows.pp == pp].tolist()) == {
            1,
            *(max(min(most, n_layers // pp), 1) for most in (4, 8)),
        }


def test_degrees_that_do_not_divide_are_told() -> None:
    answer = predict(Profile(model=LLAMA_3_8B), [system("h100-sxm", 8)], layout=Layout(tp=3))[0]
    assert answer.reasons[0].code == "layout"
    assert "tp 3" in str(answer.reasons[0].text)


def test_rows_and_layouts_turn_into_each_other() -> None:
    rows = _rows(MIXTRAL, PreTraining(recompute="full"), ("h100-sxm", 64))
    kinds = {float(kind) for kind in np.unique(rows.sharding)}
    assert kinds == {ZERO1, FULLY_SHARDED, HYBRID, ZERO2}
    back = as_rows(rows.listed())
    names = ("tp", "pp", "cp", "ep", "data", "micro_batch", "recompute", "shards", "interleave")
    assert all((getattr(back, name) == getattr(rows, name)).all() for name in names)


def test_more_recompute_keeps_less() -> None:
    kept = [_memory(Layout(fsdp=8, recompute=how))["activations"] for how in ("none", "selective", "full")]
    assert all(more > less for more, less in pairwise(kept))


def test_a_narrower_precision_is_never_slower() -> None:
    chip = system("b200-sxm", 64)
    speeds = [
        predict(Profile(model=LLAMA_3_70B, job=PreTraining.model_validate({"precision": name})), [chip])[0]
        for name in ("fp32", "tf32", "bf16", "fp8", "fp4")
    ]
    assert all(a.tokens_per_s.likely <= b.tokens_per_s.likely for a, b in pairwise(speeds))


def test_what_does_not_fit_says_how_many_chips_would_do() -> None:
    answer = predict(Profile(model=GPT_3, job=PreTraining(global_batch_sequences=4096)), [system("h100-sxm", 16)])[0]
    assert answer.reasons[0].code == "memory"
    words = str(answer.reasons[0].nearest_change).split()
    enough = int("".join(letter for letter in words[3] if letter.isdigit()))
    assert predict(Profile(model=GPT_3, job=PreTraining(global_batch_sequences=4096)), [system("h100-sxm", enough)])[
        0
    ].fits
    assert sum(answer.memory_gib.values()) * GIB > 0


@pytest.mark.parametrize("model", [LLAMA_3_8B, LLAMA_3_70B, MIXTRAL], ids=lambda model: model.name)
@pytest.mark.parametrize("chip", ["h100-sxm", "mi300x"])
def test_counts_between_powers_of_two_are_used(model: TransformerModel, chip: str) -> None:
    """A chip of 24, 40, 72 or 96 does at least 85 % of what one of 16, 32 or 64 does; sequences that do not share out
    evenly take up to a tenth."""
    profile = Profile(model=model, job=PreTraining(global_batch_sequences=512))
    per_chip = {}
    for speed in predict(profile, [system(chip, n) for n in (16, 24, 32, 40, 64, 72, 96)]):
        per_chip[speed.system.n_chips] = speed.tokens_per_s.likely / speed.system.n_chips if speed.fits else 0.0
    for n_chips, below in ((24, 16), (40, 32), (72, 64), (96, 64)):
        assert per_chip[n_chips] >= 0.85 * per_chip[below]
    assert per_chip[96] > 0


@pytest.mark.parametrize(("n_chips", "degree"), [(24, 3), (40, 5), (72, 9), (96, 12)])
def test_odd_degrees_of_data_parallelism_are_looked_at(n_chips: int, degree: int) -> None:
    rows = _rows(LLAMA_3_70B, PreTraining(global_batch_sequences=512), ("h100-sxm", n_chips))
    assert degree in rows.data[rows.tp == 8]


@pytest.mark.parametrize(
    ("n_layers", "pp", "wanted"),
    [(8, 8, [1.0]), (16, 8, [1.0, 2.0]), (96, 8, [1.0, 4.0, 8.0]), (126, 16, [1.0, 4.0, 7.0]), (4, 8, [1.0])],
)
def test_a_pipeline_has_one_stage_a_rank_or_as_many_as_its_layers_allow(
    n_layers: int, pp: int, wanted: list[float]
) -> None:
    assert _interleaves(GPT_3.model_copy(update={"n_layers": n_layers}), pp) == wanted


def test_a_search_finds_the_interleaving_that_a_large_run_was_given() -> None:
    """126 layers in 16 stages: only seven a rank leave room on 8,192 H100, and their bubble is the smallest."""
    run = PreTraining(global_batch_sequences=2048, sequence_length=8192)
    profile = Profile(model=presets()["Llama 3.1 405B"].model, job=run, stack=Stack(training_stack="vendor"))
    found = predict(profile, [system("h100-sxm", 8192)])[0].layout
    assert (found.tp, found.pp, found.interleave) == (8, 16, 7)
