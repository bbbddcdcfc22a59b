"""Known networks to choose from: one forward pass counted, with what their makers state."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache

from core import paths
from core.workload.network_model import NetworkModel


@dataclass(frozen=True, slots=True)
class KnownNetwork:
    """A network of the shipped table; published counts check it, None where the makers state none."""

    model: NetworkModel
    published_params: float
    published_forward_gflops: float | None
    source: str


@cache
def networks() -> dict[str, KnownNetwork]:
    """The known networks by name, in the order of the shipped table."""
    rows = json.loads((paths.resources() / "networks.json").read_text(encoding="utf-8"))["networks"]
    found = [
        KnownNetwork(
            NetworkModel(**row["model"]),
            row["published_params_m"] * 1e6,
            row["published_forward_gflops"],
            row["source"],
        )
        for row in rows
    ]
    return {network.model.name: network for network in found}


def network_of(model: NetworkModel) -> str | None:
    """Name of the known network with the same counts, whatever it is called; None for one of the user's own."""
    shape = model.model_copy(update={"name": ""})
    return next((name for name, k in networks().items() if k.model.model_copy(update={"name": ""}) == shape), None)
