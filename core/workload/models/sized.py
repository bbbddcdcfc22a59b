"""Networks that make images and video, counted at the size asked for: pixels, frames, denoising steps."""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass
from functools import cache
from typing import Any

from core import paths
from core.units import counted
from core.workload.models.network import NetworkModel

KERNELS_A_BLOCK = 24
"""Operations of a transformer block that a framework launches one by one: norms, modulation, products, rotations."""
SHARED_A_LAYER = 4.0
"""Values a token and width that chips which share a sample exchange in a layer: all-to-all before and after attention
(Jacobs et al., arXiv 2309.14509)."""
IMAGE_DECODER_GFLOP_A_PIXEL = 0.0095
"""Decoder from latents to pixels: 2,480 GFLOP for 512 x 512 (Rombach et al., arXiv 2112.10752, counted by layer)."""
VIDEO_DECODER_GFLOP_A_PIXEL = 0.0027
"""The same of a causal video decoder, a pixel of a frame (Wan team, arXiv 2503.20314, counted by layer)."""
GUIDED_PASSES = 2.0
"""Passes of a denoising step where the prompt and no prompt are both computed (classifier-free guidance)."""
SIZE_EXAMPLE = "1280 x 720, 81 frames, 50 steps"
_PART = re.compile(r"\s*(?:(\d+)\s*[x×*]\s*(\d+)|(\d+)\s*frames?|(\d+)\s*steps?)\s*,?", re.IGNORECASE)
_MOST_PX, _MOST_FRAMES, _MOST_STEPS, _LEAST_PX = 8192, 4096, 1000, 64


@dataclass(frozen=True, slots=True)
class Size:
    """What is made: pixels, frames (1 for an image) and denoising steps; 0 for as usual."""

    width_px: int = 0
    height_px: int = 0
    frames: int = 0
    steps: int = 0

    def filled(self, usual: Size) -> Size:
        """This size where it says something, else the usual."""
        pixels = (self.width_px, self.height_px) if self.width_px else (usual.width_px, usual.height_px)
        return Size(*pixels, self.frames or usual.frames, self.steps or usual.steps)

    @property
    def words(self) -> str:
        """As people say it: "image 1024 x 1024", "video 1280 x 720, 81 frames"."""
        shape = f"{self.width_px} x {self.height_px}"
        return f"image {shape}" if self.frames <= 1 else f"video {shape}, {self.frames} frames"

    @property
    def typed(self) -> str:
        """As it is written in a form: ``1280 x 720, 81 frames, 50 steps``."""
        return f"{self.words.partition(' ')[2]}, {self.steps} steps"


@dataclass(frozen=True, slots=True)
class Denoiser:
    """A transformer that denoises latents: ``layers`` of ``width`` over image and text tokens.

    ``mlp``: width of the feed-forward block over that of the layer. ``crosses``: text is attended to apart instead of
    among the tokens. ``pixels_a_token`` along each side; ``frames_a_token`` after the first frame.
    """

    layers: int
    width: int
    mlp: float
    crosses: bool
    text_tokens: int
    pixels_a_token: int
    frames_a_token: int

    def tokens(self, size: Size) -> float:
        """Tokens of a size: ``ceil(w / p) ceil(h / p) (1 + (f - 1) / q)``, and those of the text among them."""
        patch = self.pixels_a_token
        frames = 1 + math.ceil((max(size.frames, 1) - 1) / self.frames_a_token)
        made = math.ceil(size.width_px / patch) * math.ceil(size.height_px / patch) * frames
        return made + (0 if self.crosses else self.text_tokens)

    def counts(self, size: Size) -> dict[str, float]:
        """GFLOP and values of one pass.

        Products ``L T (8 + 4 m + 4 c) d^2``, c = 1 with cross-attention; scores ``4 L T (T + c t) d`` (Peebles and
        Xie, arXiv 2212.09748; Vaswani et al., arXiv 1706.03762); each layer writes ``(5 + m + 2 c) d`` values a token.
        """
        tokens, crosses = self.tokens(size), float(self.crosses)
        of_layer = self.layers * tokens * self.width
        return {
            "matmul_gflops": 1e-9 * of_layer * (8 + 4 * self.mlp + 4 * crosses) * self.width,
            "attention_gflops": 4e-9 * of_layer * (tokens + crosses * self.text_tokens),
            "attention_tokens": tokens,
            "activation_millions": 1e-6 * of_layer * (5 + self.mlp + 2 * crosses),
            "n_kernels": KERNELS_A_BLOCK * self.layers,
            "shared_values": SHARED_A_LAYER * of_layer,
        }


@dataclass(frozen=True, slots=True)
class Unet:
    """A U-Net as counted at one size: work grows with the pixels, scores of attention with their square."""

    known: NetworkModel
    at: Size
    more: float = 1.0

    def counts(self, size: Size) -> dict[str, float]:
        """GFLOP and values of one pass at a size; ``more`` times those of the known network."""
        grown = size.width_px * size.height_px / (self.at.width_px * self.at.height_px)
        model, linear = self.known, self.more * grown
        return {
            "conv_gflops": linear * model.conv_gflops,
            "conv_channels": model.conv_channels,
            "matmul_gflops": linear * model.matmul_gflops,
            "attention_gflops": linear * grown * model.attention_gflops,
            "attention_tokens": grown * model.attention_tokens,
            "activation_millions": linear * model.activation_millions,
            "n_kernels": round(self.more * model.n_kernels),
        }


@dataclass(frozen=True, slots=True)
class SizedNetwork:
    """A network by name with its usual size. ``guided``: each step passes twice; ``offered``: sizes to choose from."""

    name: str
    params_millions: float
    body: Denoiser | Unet
    guided: bool
    usual: Size
    text_gflops: float
    source: str
    offered: tuple[Size, ...] = ()

    def read(self, text: str, before: Size) -> Size:
        """The size that a text says (:func:`read_size`); one that makes images makes no video."""
        return read_size(text, before, _MOST_FRAMES if self.usual.frames > 1 else 1)

    @property
    def passes_a_step(self) -> float:
        """Passes of one denoising step."""
        return GUIDED_PASSES if self.guided else 1.0

    def at(self, asked: Size) -> NetworkModel:
        """The network on one image or clip of a size, with all denoising steps."""
        size = asked.filled(self.usual)
        pixels = size.width_px * size.height_px * max(size.frames, 1)
        decoder = VIDEO_DECODER_GFLOP_A_PIXEL if size.frames > 1 else IMAGE_DECODER_GFLOP_A_PIXEL
        counts: dict[str, Any] = {"conv_gflops": 0.0, **self.body.counts(size)}
        return NetworkModel(
            name=f"{self.name} ({size.words.partition(' ')[2]})",
            family="diffusion",
            sample=size.words,
            params_millions=self.params_millions,
            passes=size.steps * self.passes_a_step,
            passes_at_once=self.passes_a_step,
            once_gflops=decoder * pixels + self.text_gflops,
            input_kb=pixels * 3 / 1e3,
            **counts,
        )


def sized_networks(rows: list[dict[str, Any]], known: dict[str, NetworkModel]) -> dict[str, SizedNetwork]:
    """The networks of a table by name; a U-Net grows from one of ``known``. Raises KeyError for an unknown one."""
    return {row["name"]: _sized(row, known) for row in rows}


def _sized(row: dict[str, Any], known: dict[str, NetworkModel]) -> SizedNetwork:
    unet = row.get("unet")
    body = Unet(known[unet["grows"]], Size(*unet["at"]), unet.get("more", 1.0)) if unet else Denoiser(**row["denoiser"])
    offered = tuple(Size(*size) for size in row["offered"])
    usual, rest = Size(*row["usual"]), (row["text_gflops"], row["source"], offered)
    return SizedNetwork(row["name"], row["params_millions"], body, row["guided"], usual, *rest)


@cache
def shipped_sized() -> dict[str, SizedNetwork]:
    """The shipped networks of images and video by name."""
    table = json.loads((paths.resources() / "networks.json").read_text(encoding="utf-8"))
    known = {row["model"]["name"]: NetworkModel(**row["model"]) for row in table["networks"]}
    return sized_networks(table["sized"], known)


def read_size(text: str, before: Size, most_frames: int = _MOST_FRAMES) -> Size:
    """The size that a text such as :data:`SIZE_EXAMPLE` says; what it leaves out stays as it was.

    Raises ValueError with a sentence for text that says no size, or one out of bounds.
    """
    told, end = Size(), 0
    while end < len(text) and (part := _PART.match(text, end)):
        width, height, frames, steps = (int(digits or 0) for digits in part.groups())
        told, end = Size(width, height, frames, steps).filled(told), part.end()
    if end < len(text) or told == Size():
        raise ValueError(f"Write a size such as {SIZE_EXAMPLE}")
    size = told.filled(before)
    if not all(_LEAST_PX <= pixels <= _MOST_PX for pixels in (size.width_px, size.height_px)):
        raise ValueError(f"Width and height go from {_LEAST_PX} to {_MOST_PX} pixels")
    if size.frames > most_frames or size.steps > _MOST_STEPS:
        raise ValueError(f"At most {counted(most_frames, 'frame')} and {_MOST_STEPS} steps")
    return size


def sized_of(model: NetworkModel) -> tuple[SizedNetwork, Size] | None:
    """The network that a model is at some size, and that size; None for any other, or one whose counts were changed."""
    network = shipped_sized().get(model.name.rpartition(" (")[0])
    if network is None:
        return None
    try:
        size = read_size(model.sample.partition(" ")[2], network.usual)
    except ValueError:
        return None
    steps = round(model.passes / network.passes_a_step)
    size = Size(size.width_px, size.height_px, 1 if model.sample.startswith("image") else size.frames, steps)
    return (network, size) if steps and network.at(size) == model else None
