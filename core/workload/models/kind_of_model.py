"""The model of a workload: a transformer of text, or a network that answers in samples."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Discriminator, Tag

from core.workload.models.network import NetworkModel
from core.workload.models.transformer import TransformerModel


def kind_of_model(given: Any) -> str:
    """Kind of a model or of its stored fields; those without a kind are a transformer's."""
    kind = given.get("kind", TransformerModel.kind) if isinstance(given, dict) else getattr(given, "kind", "")
    return str(kind)


AnyModel = Annotated[
    Annotated[TransformerModel, Tag("transformer")] | Annotated[NetworkModel, Tag("network")],
    Discriminator(kind_of_model),
]
MODEL_WORDS = {"transformer": "Language model", "network": "Vision, encoder, recommender, diffusion"}
