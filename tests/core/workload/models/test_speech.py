"""Networks of speech counted from their layers, against the weights that their makers publish."""

from __future__ import annotations

import pytest

from core.workload.models.known import networks
from core.workload.models.network import NetworkModel

WHISPER = [name for name in networks() if "hisper" in name]


@pytest.mark.parametrize("name", WHISPER)
def test_layers_make_up_the_published_weights(name: str) -> None:
    """An encoder layer has 12 d^2 weights, a decoder layer 16 d^2, 2 d^2 of which no written token reads."""
    model = networks()[name].model
    squared = model.conv_channels**2
    words = 51_866 * model.conv_channels
    writes = (1e6 * model.writer_millions - words) / (14 * squared)
    hears = (1e9 * model.matmul_gflops / (1500 * squared) - 4 * writes) / 24
    assert writes == pytest.approx(round(writes)) and hears == pytest.approx(round(hears))
    counted = (12 * hears + 16 * writes) * squared + words + 3 * squared + (1500 + 448) * model.conv_channels
    assert counted == pytest.approx(model.n_params, rel=0.02)


def test_large_reads_most_of_its_weights_for_every_token_and_distilled_few() -> None:
    large, distilled = (networks()[name].model for name in ("Whisper large v3", "Distil-Whisper large"))
    assert large.writer_millions == pytest.approx(800, rel=0.01)
    assert large.remembered_millions == pytest.approx(122.9, rel=0.01)
    assert distilled.writer_millions < 0.2 * large.writer_millions
    assert distilled.matmul_gflops > 0.8 * large.matmul_gflops


def test_an_answer_counts_its_tokens_once_whatever_the_passes() -> None:
    model = NetworkModel(
        conv_gflops=2.0, passes=10.0, once_gflops=3.0, tokens_written=100.0, writer_millions=5.0, params_millions=9.0
    )
    assert model.forward_flops == pytest.approx(3e9)
    assert model.answer_flops == pytest.approx((10 * 2 + 3 + 1) * 1e9)
