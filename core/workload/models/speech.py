"""Networks that hear 30 seconds of speech and write it down token by token, counted from their layers."""

from __future__ import annotations

from dataclasses import dataclass

from core.workload.models.network import NetworkModel

WINDOW_S = 30.0
"""Audio of one sample: the window that the encoder takes (Radford et al., arXiv 2212.04356, section 2.2)."""
POSITIONS, FRAMES, BANDS = 1500, 3000, 80
"""Positions of the encoder, and frames and bands of the spectrum of a window (ibid.)."""
WORDS = 51_866
TOKENS_A_WINDOW = 115.0
"""150 words a minute in 1.35 tokens each, and marks of time: our estimate for speech without long silence."""
HOST_MS_A_WINDOW = 120.0
"""Reading, resampling and spectrum of a window in Python, one process beside a chip, as most people run it: our
estimate. Several processes, or a spectrum made on the chip, take a few milliseconds."""
KERNELS_A_HEARING_LAYER = 14
KERNELS_A_WRITING_LAYER = 21
"""Own attention with its cache 10, attention to the audio 6, feed-forward 5."""
KERNELS_A_TOKEN = 20
"""Choice of a token beside the layers: scores, rules of the marks of time, largest one."""


@dataclass(frozen=True, slots=True)
class Transcriber:
    """An encoder of ``hears`` layers and a decoder of ``writes`` layers, both of ``width``; feed-forward 4 wide."""

    name: str
    params_millions: float
    hears: int
    writes: int
    width: int
    source: str

    @property
    def model(self) -> NetworkModel:
        """One window of 30 s.

        Encoder ``24 L T d^2`` FLOPs in products and ``4 L T^2 d`` in scores; keys and values for the decoder's ``M``
        layers ``4 M T d^2`` once. A written token reads ``14 M d^2 + V d`` weights and ``2 M T d`` of those values.
        """
        width, squared = self.width, float(self.width) ** 2
        return NetworkModel(
            name=self.name,
            family="speech",
            sample="audio of 30 s",
            params_millions=self.params_millions,
            conv_gflops=2e-9 * 3 * (FRAMES * BANDS * width + POSITIONS * squared),
            conv_channels=width,
            matmul_gflops=1e-9 * POSITIONS * squared * (24 * self.hears + 4 * self.writes),
            attention_gflops=4e-9 * self.hears * POSITIONS**2 * width,
            attention_tokens=POSITIONS,
            activation_millions=1e-6 * POSITIONS * width * (9 * self.hears + 2 * self.writes),
            n_kernels=KERNELS_A_HEARING_LAYER * self.hears + 2 * self.writes,
            tokens_written=TOKENS_A_WINDOW,
            writer_millions=1e-6 * (14 * self.writes * squared + WORDS * width),
            writer_kernels=KERNELS_A_WRITING_LAYER * self.writes + KERNELS_A_TOKEN,
            remembered_millions=2e-6 * self.writes * POSITIONS * width,
            host_ms=HOST_MS_A_WINDOW,
            input_kb=960.0,
        )
