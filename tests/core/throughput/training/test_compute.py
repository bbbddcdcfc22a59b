"""How often products run for a step, and which facts of fine-tuning stand for what."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from core.throughput.model_shape import shape_of
from core.throughput.training.compute import block_passes, passes
from core.throughput.training.finetuning import OF_COPIES, facts_of_tuning
from core.workload.jobs.kinds import FineTuning
from core.workload.models.transformer import TransformerModel


@pytest.mark.parametrize(
    ("is_lora", "recompute", "of_products", "of_blocks"),
    [(0, 0, 3.0, 3.0), (0, 1, 3.0, 3.0), (0, 2, 3.9, 3.9), (0, 3, 3.0, 3.9), (1, 0, 2.0, 2.0), (1, 2, 2.9, 2.9),
     (1, 3, 2.0, 2.9)],
)  # fmt: skip
def test_products_run_three_times_and_again_where_they_are_repeated(
    is_lora: int, recompute: int, of_products: float, of_blocks: float
) -> None:
    """0.9 of a forward pass is repeated; 3 repeats the feed-forward blocks alone."""
    work, rates, rows = (
        SimpleNamespace(is_lora=np.array([is_lora])),
        SimpleNamespace(recomputed=np.array([0.9])),
        SimpleNamespace(recompute=np.array([recompute])),
    )
    asked: tuple[Any, Any, Any] = (work, rates, rows)
    assert (passes(*asked)[0], block_passes(*asked)[0]) == (pytest.approx(of_products), pytest.approx(of_blocks))


@pytest.mark.parametrize("trains_embeddings", [False, True])
def test_trained_values_are_adapters_and_copies_of_embeddings(trains_embeddings: bool) -> None:
    model = shape_of(TransformerModel())
    asked = {"method": "lora", "lora_rank": 16}
    plain, wider = (
        facts_of_tuning(model, FineTuning.model_validate(asked | {"trains_embeddings": on}))
        for on in (False, trains_embeddings)
    )
    more = float(wider.trained) - float(plain.trained)
    assert more == (pytest.approx(OF_COPIES * float(model.embedding_params)) if trains_embeddings else 0.0)
