"""Networks of images and video at any size: counts of the papers, and laws that any size keeps."""

from __future__ import annotations

import pytest

from core.workload.models.known import networks
from core.workload.models.sized import Denoiser, Size, read_size, shipped_sized, sized_of


@pytest.mark.parametrize(
    ("sized", "size", "fixed"),
    [
        ("FLUX.1", Size(1024, 1024, 1, 28), "FLUX.1 dev"),
        ("Wan 14B", Size(1280, 720, 81, 50), "Wan 2.1 14B (720p, 81 frames)"),
        ("SDXL", Size(1024, 1024, 1, 20), "Stable Diffusion XL"),
    ],
)
def test_counts_agree_with_those_made_by_hand(sized: str, size: Size, fixed: str) -> None:
    made, known = shipped_sized()[sized].at(size), networks()[fixed].model
    assert made.forward_flops == pytest.approx(known.forward_flops, rel=0.02)
    assert made.passes == known.passes
    assert made.attention_tokens == pytest.approx(known.attention_tokens, rel=0.02)


@pytest.mark.parametrize("name", sorted(shipped_sized()))
def test_more_pixels_frames_and_steps_are_more_work(name: str) -> None:
    network = shipped_sized()[name]
    usual = network.usual
    wider = Size(usual.width_px * 2, usual.height_px, usual.frames, usual.steps)
    longer = Size(usual.width_px, usual.height_px, usual.frames, usual.steps * 2)
    base = network.at(usual)
    assert network.at(wider).forward_flops > 1.8 * base.forward_flops
    assert network.at(wider).once_gflops > base.once_gflops
    assert network.at(longer).passes == 2 * base.passes
    assert network.at(Size()) == base
    if usual.frames > 1:
        assert network.at(Size(frames=usual.frames * 2)).attention_gflops > 3 * base.attention_gflops


def test_tokens_follow_the_patches_and_the_first_frame_stands_alone() -> None:
    body = Denoiser(1, 64, 4.0, False, 100, 16, 4)
    assert body.tokens(Size(1024, 1024, 1)) == 64 * 64 + 100
    assert body.tokens(Size(1280, 720, 81)) == 80 * 45 * 21 + 100
    assert Denoiser(1, 64, 4.0, True, 100, 16, 4).tokens(Size(1024, 1024, 1)) == 64 * 64


def test_sizes_on_offer_are_to_be_chosen_and_say_what_they_are() -> None:
    for network in shipped_sized().values():
        for size in network.offered:
            known = networks()[network.at(size).name]
            assert known.model.sample == size.words
            assert known.source == network.source


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("1280x720, 49 frames, 20 steps", Size(1280, 720, 49, 20)),
        ("1024 × 768", Size(1024, 768, 81, 50)),
        ("4 steps 1 frame", Size(832, 480, 1, 4)),
    ],
)
def test_a_size_is_read_as_people_write_it(text: str, size: Size) -> None:
    assert read_size(text, Size(832, 480, 81, 50)) == size


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "such as"), ("large", "such as"), ("832 x 480, 8", "such as"), ("832 x 48", "from 64"),
        ("9000 x 480", "to 8192"), ("5000 frames", "At most"), ("1001 steps", "At most"),
    ],
)  # fmt: skip
def test_what_is_no_size_is_told(text: str, told: str) -> None:
    with pytest.raises(ValueError, match=told):
        read_size(text, Size(832, 480, 81, 50))


@pytest.mark.parametrize("name", sorted(shipped_sized()))
def test_a_network_and_its_size_are_told_from_its_counts(name: str) -> None:
    network = shipped_sized()[name]
    asked = Size(640, 384, min(network.usual.frames, 17), 7)
    model = network.at(asked)
    assert sized_of(model) == (network, asked)
    assert sized_of(model.model_copy(update={"passes": 3.5})) is None
    assert sized_of(model.model_copy(update={"name": "ours"})) is None
    assert network.read("512 x 512", asked) == Size(512, 512, asked.frames, 7)
    if network.usual.frames == 1:
        with pytest.raises(ValueError, match="1 frame"):
            network.read("17 frames", asked)
