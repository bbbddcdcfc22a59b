"""Batches of fixed-shape work: who may run which, what memory they take, which is the usual one."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.throughput.samples.batches import (
    MOST_BATCH,
    MOST_PIECES,
    answering_rows,
    capacity_bytes,
    default_batch,
    memory_of,
    training_rows,
)
from core.throughput.samples.quantities import chips_of, work_of
from core.units import GIB
from core.workload.models.known import networks
from tests.core.throughput.fleet_samples import system

RESNET = networks()["ResNet-50"].model
PLAIN = RESNET.model_copy(update={"params_millions": 100.0, "activation_millions": 10.0, "table_millions": 0.0})


@given(st.integers(1, 4096), st.sampled_from([1, 2, 8, 64]))
def test_a_share_is_cut_into_halves_as_long_as_a_sample_is_left(batch: int, n_chips: int) -> None:
    rows = training_rows([system("h100-sxm", n_chips)], batch)
    share = batch / n_chips
    pieces = [2**n for n in range(7) if share / 2**n >= 1]
    ways = [0.0] if n_chips == 1 else [0.0, 1.0]
    assert MOST_PIECES == 64
    assert sorted(zip(rows.pieces.tolist(), rows.sharded.tolist(), strict=True)) == [
        (n, way) for n in pieces for way in ways
    ]
    assert rows.batch * rows.pieces == pytest.approx(np.full(len(rows.batch), share))


def test_systems_keep_their_own_rows() -> None:
    rows = training_rows([system("h100-sxm", 8), system("h100-sxm", 512), system("a100-sxm-80", 64)], 256)
    assert set(rows.system.tolist()) == {0, 2}
    assert {float(rows.batch[n] * rows.pieces[n]) for n in np.flatnonzero(rows.system == 2)} == {4.0}


def test_answers_come_in_powers_of_two_to_1024() -> None:
    rows = answering_rows([system("h100-sxm", 1), system("h100-sxm", 8)], np.array([1.0, 8.0]))
    assert MOST_BATCH == 1024
    assert rows.batch[rows.system == 1].tolist() == [2.0**n for n in range(11)]
    assert rows.system.tolist() == [0] * 11 + [1] * 11
    assert (rows.pieces == 1).all() and (rows.sharded == 0).all()


def test_chips_of_one_fast_domain_may_share_a_sample() -> None:
    """Eight chips in domains of four share one among 2 or 4; three chips cannot be halved."""
    rows = answering_rows([system("h100-sxm", 8), system("h100-sxm", 3)], np.array([4.0, 3.0]), shares=True)
    shared = rows.shared > 1
    assert sorted(rows.shared[shared & (rows.system == 0)].tolist()) == [2.0, 4.0]
    assert (rows.batch * rows.shared)[shared].tolist() == [1.0, 1.0]
    assert rows.batch[rows.system == 1].min() == 1.0


def _memory(training: bool, sharded: bool = False, value_bytes: float = 2.0, tables: float = 0.0) -> dict[str, float]:
    rows = answering_rows([system("h100-sxm", 8)], np.array([8.0])).take(np.array([2]))
    rows = replace(rows, sharded=np.array([float(sharded)]))
    model = PLAIN.model_copy(update={"table_millions": tables})
    parts = memory_of(model, rows, np.array([8.0]), np.array([value_bytes]), training)
    return {name: float(value[0]) for name, value in parts.items()}


def test_memory_of_training_by_hand() -> None:
    """100 M weights in 2 + 2 + 12 bytes; 4 samples of 10 M values, of which 1.4 times are kept; 1.5 GiB beside."""
    expected = {
        "weights": 2e8, "gradients": 2e8, "optimizer": 12e8, "activations": 4 * 1e7 * 2 * 1.4, "reserve": 1.5 * GIB,
    }  # fmt: skip
    assert _memory(True) == pytest.approx(expected)
    eighth = {name: expected[name] / 8 for name in ("weights", "gradients", "optimizer")}
    assert _memory(True, sharded=True) == pytest.approx(expected | eighth)
    assert _memory(True, value_bytes=4.0)["activations"] == pytest.approx(4 * 1e7 * 4 * 1.4)
    assert _memory(True, value_bytes=1.0)["activations"] == pytest.approx(4 * 1e7 * 2 * 1.4)  # 16 bits at least


def test_memory_of_answering_by_hand() -> None:
    """Weights in the width of values, of which an eighth or so is alive at once; one byte a value at least."""
    assert _memory(False) == pytest.approx({"weights": 2e8, "activations": 4 * 1e7 * 2 * 0.12, "reserve": 1.5 * GIB})
    rows = answering_rows([system("h100-sxm", 1)], np.array([1.0])).take(np.array([2]))
    heard = PLAIN.model_copy(update={"remembered_millions": 5.0})
    kept = memory_of(heard, rows, np.array([1.0]), np.array([1.0]), is_training=False)["activations"]
    assert kept[0] == pytest.approx(4 * 1e7 * 0.12 + 4 * 5e6 * 2)  # 16 bits at least
    assert _memory(False, value_bytes=0.5)["weights"] == pytest.approx(5e7)
    assert _memory(False, value_bytes=0.5)["activations"] == pytest.approx(4 * 1e7 * 1 * 0.12)


def test_tables_are_split_over_all_chips_in_32_bits() -> None:
    assert _memory(False, tables=80.0)["tables"] == pytest.approx(80e6 * 4 / 8)


def test_a_job_gets_the_same_share_of_any_chip() -> None:
    chips = [system("h100-sxm", 1), system("h200-sxm", 1)]
    one, other = capacity_bytes(chips) / GIB / [chip.accelerator.memory_gb for chip in chips]
    assert one == pytest.approx(other) and 0.85 < one < 1


@pytest.mark.parametrize("training", [0.0, 1.0])
def test_the_usual_batch_keeps_a_chip_busy_for_20_ms(training: float) -> None:
    """A power of two; a backward pass takes twice the forward one."""
    work, chips = work_of([RESNET]), chips_of([system("h100-sxm", 1)], ["bf16"])
    batch = float(default_batch(work, chips, np.array([training]))[0])
    flops = float((work.conv_flops + work.matmul_flops + work.attention_flops)[0]) * (1 + 2 * training)
    exact = 0.02 * float(chips.peak_flops[0]) / flops
    assert np.log2(batch) == int(np.log2(batch))
    assert 2**-0.5 <= batch / exact <= 2**0.5
    tiny = replace(
        work, conv_flops=0 * work.conv_flops, matmul_flops=0 * work.conv_flops, attention_flops=0 * work.conv_flops
    )
    assert float(default_batch(tiny, chips, np.array([training]))[0]) == 65536
    huge = replace(work, conv_flops=1e18 + work.conv_flops)
    assert float(default_batch(huge, chips, np.array([training]))[0]) == 1
