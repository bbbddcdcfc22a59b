"""Any network that turns one sample into one answer: convolution nets, encoders, recommenders, diffusion, graphs."""

from __future__ import annotations

from typing import Any, Literal

from core.workload.field_description import Described, described

_GROUP = "Model"

Family = Literal["vision", "encoder", "recommender", "diffusion", "graph", "speech"]
FAMILY_WORDS = {
    "vision": "Vision",
    "encoder": "Text encoder",
    "recommender": "Recommender",
    "diffusion": "Diffusion",
    "graph": "Graph network",
    "speech": "Speech",
}


class NetworkModel(Described):
    """One forward pass of one sample, counted by class of operation; 2 FLOPs a multiply-add.

    ``activation_millions`` counts the values that convolutions and matrix products write, before elementwise
    operations read them again. Training adds the backward pass; a diffusion model runs ``passes`` forward passes for
    one finished sample and trains on one. A network that writes its answer token by token does so after them with
    ``writer_millions`` of its weights; those count 2 FLOPs a token and are no part of ``matmul_gflops``.
    """

    kind: Literal["network"] = "network"
    name: str = described("Custom network", title="Model", help="Name of the architecture", group=_GROUP, max_length=80)
    family: Family = described(
        "vision", title="Family", help="Sets the words and the usual discounts", group=_GROUP, choices=FAMILY_WORDS
    )
    sample: str = described(
        "image", title="A sample is", help="In words, with its size", group=_GROUP, min_length=1, max_length=60
    )
    params_millions: float = described(
        25.6, title="Weights", help="All but embedding tables", group=_GROUP, unit="million", gt=0, le=1e7
    )
    conv_gflops: float = described(
        8.2, title="Convolutions", help="Forward, one sample", group=_GROUP, unit="GFLOP", ge=0, le=1e8
    )
    conv_channels: float = described(
        256.0,
        title="Typical channels",
        help="Weighted by work; narrow layers leave the matrix units half empty",
        group=_GROUP,
        ge=1,
        le=100_000,
    )
    matmul_gflops: float = described(
        0.0, title="Matrix products", help="Forward, one sample", group=_GROUP, unit="GFLOP", ge=0, le=1e8
    )
    attention_gflops: float = described(
        0.0, title="Attention scores", help="Forward, one sample", group=_GROUP, unit="GFLOP", ge=0, le=1e8
    )
    attention_tokens: float = described(
        0.0,
        title="Attended at once",
        help="Positions that attend to each other; many of them fill the chip better",
        group=_GROUP,
        needs="attention_gflops",
        ge=0,
        le=1e8,
    )
    activation_millions: float = described(
        11.1,
        title="Values written",
        help="Outputs of all layers, forward, one sample",
        group=_GROUP,
        unit="million",
        ge=0,
        le=1e8,
    )
    n_kernels: int = described(
        175, title="Operations", help="Kernels of an unfused forward pass", group=_GROUP, ge=1, le=1_000_000
    )
    passes: float = described(
        1.0, title="Passes a sample", help="Denoising steps times guidance", group=_GROUP, ge=1, le=10_000
    )
    passes_at_once: float = described(
        1.0,
        title="Passes at once",
        help="2 where a step computes the prompt and no prompt side by side (guidance)",
        group=_GROUP,
        ge=1,
        le=64,
    )
    once_gflops: float = described(
        0.0,
        title="Work beside them",
        help="Once a sample: text encoder, decoder, frozen parts",
        group=_GROUP,
        unit="GFLOP",
        ge=0,
        le=1e8,
    )
    tokens_written: float = described(
        0.0,
        title="Written one by one",
        help="Pieces of an answer that wait for each other, as words of speech do; 0: it comes at once",
        group=_GROUP,
        ge=0,
        le=1e6,
    )
    writer_millions: float = described(
        0.0,
        title="Weights a piece",
        help="Those of all weights that each written piece reads: the decoder",
        group=_GROUP,
        needs="tokens_written",
        unit="million",
        ge=0,
        le=1e7,
    )
    writer_kernels: int = described(
        0,
        title="Operations a piece",
        help="Kernels of one written piece, unfused",
        group=_GROUP,
        needs="tokens_written",
        ge=0,
        le=1_000_000,
    )
    remembered_millions: float = described(
        0.0,
        title="Values read again",
        help="Keys and values of a sample that each of its written pieces reads",
        group=_GROUP,
        needs="tokens_written",
        unit="million",
        ge=0,
        le=1e7,
    )
    host_ms: float = described(
        0.0,
        title="Work of the host",
        help="On one sample before a chip sees it, beside the chip's own work: spectrum, decoding",
        group=_GROUP,
        unit="ms",
        ge=0,
        le=1e6,
    )
    table_millions: float = described(
        0.0, title="Embedding tables", help="Values in all tables", group=_GROUP, unit="million", ge=0, le=1e8
    )
    lookup_values: float = described(
        0.0, title="Looked up", help="Table values that one sample gathers", group=_GROUP, ge=0, le=1e10
    )
    exchange_values: float = described(
        0.0,
        title="Exchanged",
        help="Gathered values sent between chips, after pooling",
        group=_GROUP,
        ge=0,
        le=1e10,
    )
    shared_values: float = described(
        0.0,
        title="Exchanged in parts",
        help="Values that chips send each other in a pass where several share one sample; 0: each sample on one chip",
        group=_GROUP,
        ge=0,
        le=1e15,
    )
    input_kb: float = described(
        150.0, title="Input", help="Of one sample, as it goes to the chip", group=_GROUP, unit="kB", ge=0, le=1e9
    )

    def model_post_init(self, _: Any, /) -> None:
        """Marks the kind as entered: it tells a stored model's fields apart."""
        self.model_fields_set.add("kind")

    @property
    def n_params(self) -> float:
        """Weights, embedding tables included."""
        return 1e6 * (self.params_millions + self.table_millions)

    @property
    def forward_flops(self) -> float:
        """FLOPs of one forward pass of one sample, with those of the tokens that it writes."""
        return 1e9 * (self.conv_gflops + self.matmul_gflops + self.attention_gflops + self.written_gflops)

    @property
    def written_gflops(self) -> float:
        """GFLOP of all written tokens: 2 a weight and token."""
        return 2e-3 * self.tokens_written * self.writer_millions

    @property
    def answer_flops(self) -> float:
        """FLOPs of one finished sample: all passes, what comes once beside them, and the tokens written."""
        once = 1e9 * (self.once_gflops + self.written_gflops)
        return (self.forward_flops - 1e9 * self.written_gflops) * self.passes + once


def encoder_network(name: str, n_layers: int, width: int, d_ff: int, tokens: float, vocab_size: int) -> NetworkModel:
    """An encoder on ``tokens`` tokens: ``2 L s (4 d^2 + 2 d f)`` FLOPs in products and ``4 L s^2 d`` in scores.

    Source: Vaswani et al., arXiv 1706.03762, table 1; each layer writes q, k, v, output, f and d values a token.
    """
    weights = n_layers * (4 * width * width + 2 * width * d_ff) + vocab_size * width
    return NetworkModel(
        name=name[:80],
        family="encoder",
        sample=f"sequence of {tokens:.0f} tokens",
        params_millions=weights / 1e6,
        conv_gflops=0.0,
        matmul_gflops=2e-9 * n_layers * tokens * (4 * width * width + 2 * width * d_ff),
        attention_gflops=4e-9 * n_layers * tokens * tokens * width,
        attention_tokens=tokens,
        activation_millions=1e-6 * n_layers * tokens * (5 * width + d_ff),
        n_kernels=14 * n_layers,
        input_kb=tokens * 12 / 1e3,
    )
