"""A log made of a measured row: what it does for that job, and for other models on the chip."""

import numpy as np
import pytest

from tests.bench.carry_over import MAXTEXT, MEGATRON, MEGATRON_OLDER, VLLM, Carried, carried, pct, share_closer


@pytest.fixture(scope="module", params=[(MAXTEXT, 1), (MEGATRON, 6), (VLLM, 10)], ids=["maxtext", "megatron", "vllm"])
def cases(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> list[Carried]:
    """Of each setup every so many rows as the log, which is quick."""
    setup, step = request.param
    return list(carried(setup, tmp_path_factory.mktemp("logs"), step))


def test_one_log_brings_its_own_job_within_three_percent(cases: list[Carried]) -> None:
    assert len(cases) >= 14
    assert max(pct(one.own[1]) for one in cases) < 3.0
    assert max(pct(one.own[0]) for one in cases) > 15.0, "some were far off"


def test_most_logs_of_servers_bring_other_models_closer_and_none_does_much_harm(cases: list[Carried]) -> None:
    """What the engine misses of training has little in common from model to model: a log of one tells little of others.

    Only where models are served do most logs help them.
    """
    before, after = np.median([one.medians for one in cases], axis=0)
    assert pct(after) < pct(before) + 2.0
    if cases[0].run.profile.job.training is None:
        assert share_closer(cases) > 0.5


def test_where_models_err_apart_a_log_of_one_does_others_little_harm(tmp_path_factory: pytest.TempPathFactory) -> None:
    """The engine's errors on these rows have nothing in common, so that a log of one tells nothing of others."""
    apart = list(carried(MEGATRON_OLDER, tmp_path_factory.mktemp("logs"), 3))
    before, after = np.median([one.medians for one in apart], axis=0)
    assert max(pct(one.own[1]) for one in apart) < 3.0
    assert pct(after) < pct(before) + 1.0
