"""How a fine-tuning run was laid out, read out of the words of its row."""

from __future__ import annotations

import pytest

from core.calibration.measured.finetuning import data_ranks, finetuning_layout
from core.calibration.measured.table import MeasuredRow


def _row(**texts: str) -> MeasuredRow:
    return MeasuredRow("table.csv", 1, texts, "finetune")


@pytest.mark.parametrize(
    ("texts", "degrees"),
    [
        ({}, (1, 1, 1, 1)),
        ({"n_chips": "8", "parallelism": "ddp"}, (8, 1, 1, 1)),
        ({"n_chips": "8", "parallelism": "fsdp"}, (1, 8, 1, 1)),
        ({"n_chips": "8", "framework": "DeepSpeed ZeRO-3"}, (1, 8, 1, 1)),
        ({"n_chips": "8", "framework": "DeepSpeed zero3"}, (1, 8, 1, 1)),
        ({"n_chips": "8", "framework": "DeepSpeed ZeRO-2", "method": "full"}, (8, 1, 1, 1)),
        ({"n_chips": "8", "method": "full"}, (1, 8, 1, 1)),
        ({"n_chips": "8", "method": "full", "parallelism": "ddp"}, (8, 1, 1, 1)),
        ({"n_chips": "8", "method": "lora"}, (8, 1, 1, 1)),
        ({"n_chips": "1", "method": "full"}, (1, 1, 1, 1)),
        ({"n_chips": "8", "method": "full", "parallelism": "tp2"}, (1, 4, 2, 1)),
        ({"n_chips": "8", "method": "full", "parallelism": "tp 2, pp=2"}, (2, 1, 2, 2)),
        ({"n_chips": "4", "parallelism": "device_map auto"}, (1, 1, 1, 4)),
        ({"n_chips": "4", "parallelism": "naive pipeline"}, (1, 1, 1, 4)),
        ({"parallelism": "naive"}, (1, 1, 1, 1)),
    ],
)
def test_chips_are_copies_shards_or_hold_layers(texts: dict[str, str], degrees: tuple[int, ...]) -> None:
    """Copies, shards, tensor and pipeline degrees; copies or shards are all chips but those that split layers."""
    layout = finetuning_layout(_row(**texts))
    assert (layout.dp, layout.fsdp, layout.tp, layout.pp) == degrees
    assert data_ranks(_row(**texts)) == degrees[0] * degrees[1]


@pytest.mark.parametrize(
    ("texts", "ep", "zero"),
    [
        ({"n_chips": "8", "parallelism": "fsdp-ep4"}, 4, 1),
        ({"n_chips": "8", "parallelism": "fsdp-ep16"}, 8, 1),
        ({"n_chips": "8", "framework": "zero2"}, 1, 2),
        ({"n_chips": "8", "framework": "zero-3"}, 1, 1),
    ],
)
def test_experts_and_shards_of_the_optimiser(texts: dict[str, str], ep: int, zero: int) -> None:
    layout = finetuning_layout(_row(**texts))
    assert (layout.ep, layout.zero) == (ep, zero)
