"""Known models and networks to choose from in the form, each with what its makers state."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache

from core import paths
from core.workload.models.network import NetworkModel
from core.workload.models.sized import shipped_sized, sized_of
from core.workload.models.speech import Transcriber
from core.workload.models.transformer import TransformerModel


@dataclass(frozen=True, slots=True)
class Preset:
    """A known model; ``published_params`` checks its shape."""

    model: TransformerModel
    published_params: float
    source: str


@cache
def presets() -> dict[str, Preset]:
    """The known models by name, in the order of the shipped table."""
    text = (paths.resources() / "models.json").read_text(encoding="utf-8")
    rows = json.loads(text)["models"]
    models = [Preset(TransformerModel(**row["model"]), row["published_params_b"] * 1e9, row["source"]) for row in rows]
    return {preset.model.name: preset for preset in models}


def preset_of(model: TransformerModel) -> str | None:
    """Name of the known model with the same shape, whatever the model is called; None for one of the user's own."""
    shape = model.model_copy(update={"name": ""})
    return next((name for name, p in presets().items() if p.model.model_copy(update={"name": ""}) == shape), None)


@dataclass(frozen=True, slots=True)
class KnownNetwork:
    """A network of the shipped table; published counts check it, None where the makers state none."""

    model: NetworkModel
    published_params: float
    published_forward_gflops: float | None
    source: str


@cache
def networks() -> dict[str, KnownNetwork]:
    """The known networks by name, in the order of the shipped table; those of images and video at their sizes."""
    table = json.loads((paths.resources() / "networks.json").read_text(encoding="utf-8"))
    known = [
        KnownNetwork(
            NetworkModel(**row["model"]),
            row["published_params_m"] * 1e6,
            row["published_forward_gflops"],
            row["source"],
        )
        for row in table["networks"]
    ]
    heard = [Transcriber(**row) for row in table["speech"]]
    speech = [KnownNetwork(one.model, one.params_millions * 1e6, None, one.source) for one in heard]
    sized = [
        KnownNetwork(network.at(size), network.params_millions * 1e6, None, network.source)
        for network in shipped_sized().values()
        for size in network.offered
    ]
    return {network.model.name: network for network in known + speech + sized}


def usual_of(model: TransformerModel | NetworkModel) -> TransformerModel | NetworkModel:
    """What the fields of a model are compared with: the known one of its name, at its own size where it has one; of a
    model of the user's own the kind's defaults."""
    if isinstance(model, TransformerModel):
        return presets()[model.name].model if model.name in presets() else TransformerModel()
    if sized_of(model) is not None:
        return model
    return networks()[model.name].model if model.name in networks() else NetworkModel()


def network_of(model: NetworkModel) -> str | None:
    """Name of the known network with the same counts, whatever it is called; None for one of the user's own."""
    shape = model.model_copy(update={"name": ""})
    return next((name for name, k in networks().items() if k.model.model_copy(update={"name": ""}) == shape), None)
