"""A log made of a measured row: what it does for that job, and for other models on the chip."""

from pathlib import Path

import numpy as np
import pytest

from tests.bench.carry_over import SETUPS, Carried, Setup, carried, pct, runs_of, share_closer

MAXTEXT, MEGATRON, VLLM = SETUPS


def _every(setup: Setup, step: int, folder: Path) -> list[Carried]:
    return list(carried(setup, runs_of(setup)[::step], folder))


@pytest.mark.parametrize(
    ("setup", "step"), [(MAXTEXT, 1), (MEGATRON, 3), (VLLM, 16)], ids=["maxtext", "megatron", "vllm"]
)
def test_one_log_brings_its_own_job_within_three_percent(setup: Setup, step: int, tmp_path: Path) -> None:
    cases = _every(setup, step, tmp_path)
    assert len(cases) >= 8
    assert max(pct(one.own[1]) for one in cases) < 3.0
    assert max(pct(one.own[0]) for one in cases) > 9.0, "some were far off"


@pytest.mark.parametrize(("setup", "step"), [(MAXTEXT, 1), (VLLM, 16)], ids=["maxtext", "vllm"])
def test_most_logs_bring_other_models_closer(setup: Setup, step: int, tmp_path: Path) -> None:
    assert share_closer(_every(setup, step, tmp_path)) > 0.6


def test_where_models_err_apart_a_log_of_one_does_others_little_harm(tmp_path: Path) -> None:
    """The engine's errors on these rows of Megatron have nothing in common, so a log of one tells nothing of others."""
    cases = _every(MEGATRON, 3, tmp_path)
    before, after = np.median([one.medians for one in cases], axis=0)
    assert pct(after) < pct(before) + 1.0
