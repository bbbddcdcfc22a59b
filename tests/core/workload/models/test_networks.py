"""Known networks against what their makers publish, and counts of an encoder."""

from __future__ import annotations

import pytest

from core.workload.models.known import network_of, networks
from core.workload.models.network import NetworkModel, encoder_network

PUBLISHED = {
    "ResNet-50": (25.6e6, 8.18),
    "ResNet-101": (44.5e6, 15.6),
    "ResNet-152": (60.2e6, 23.0),
    "ViT-B/16": (86.6e6, 35.1),
    "ViT-L/16": (304.3e6, 123.1),
    "ViT-H/14": (632.0e6, 334.6),
    "ConvNeXt-B": (88.6e6, 30.7),
    "Mask R-CNN (ResNet-50 FPN)": (44.4e6, 268.8),
    "DiT-XL/2": (675e6, 237.2),
    "BERT-base (384 tokens)": (110e6, 70.7),
    "BERT-large (384 tokens)": (334e6, 246.4),
    "Stable Diffusion v2": (866e6, 804.0),
    "Stable Diffusion XL": (2567e6, 5980.0),
}
"""Weights, and GFLOP of one forward pass with 2 FLOPs a multiply-add, as papers and model tables state them."""


@pytest.mark.parametrize("name", PUBLISHED)
def test_weights_and_work_are_those_published(name: str) -> None:
    model, (weights, gflops) = networks()[name].model, PUBLISHED[name]
    assert model.n_params == pytest.approx(weights, rel=0.01)
    assert model.forward_flops == pytest.approx(gflops * 1e9, rel=0.02)


def test_every_network_agrees_with_the_published_counts_beside_it() -> None:
    for network in networks().values():
        assert network.model.params_millions * 1e6 == pytest.approx(network.published_params, rel=0.01)
        if network.published_forward_gflops is not None:
            assert network.model.forward_flops == pytest.approx(network.published_forward_gflops * 1e9, rel=0.02)
        assert network.source


def test_there_is_one_of_every_family() -> None:
    assert {network.model.family for network in networks().values()} == {
        "vision",
        "encoder",
        "recommender",
        "diffusion",
        "graph",
        "speech",
    }


def test_bert_large_from_its_shape_is_the_known_one() -> None:
    known = networks()["BERT-large (384 tokens)"].model
    counted = encoder_network("bert", 24, 1024, 4096, 384, 30522)
    assert counted.forward_flops == pytest.approx(known.forward_flops, rel=0.001)
    assert counted.n_params == pytest.approx(known.n_params, rel=0.01)


def test_half_the_tokens_are_less_than_half_the_work() -> None:
    whole, half = (encoder_network("e", 12, 768, 3072, tokens, 30522).forward_flops for tokens in (384, 192))
    assert half < 0.5 * whole


def test_a_known_network_is_found_by_its_counts() -> None:
    own = networks()["ResNet-50"].model.model_copy(update={"name": "ours"})
    assert network_of(own) == "ResNet-50"
    assert network_of(NetworkModel(conv_gflops=3.0)) is None
