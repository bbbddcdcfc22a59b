"""A SkyPilot task: the machines of the candidate, with setup and run to be filled in.

Fields as SkyPilot's reference of the task file has them (docs.skypilot.co, reference/yaml-spec, 2026-11).
"""

from __future__ import annotations

from core.handoff.order import Order
from core.handoff.text import Fill, Script, Yaml, yaml_lines
from core.handoff.tpu_names import API_NAMES

CLOUDS = ("aws", "azure", "gcp", "lambda", "nebius", "oci", "runpod")
"""Sellers that SkyPilot rents from by the same id as the catalogue's."""
OWN_TYPES = ("aws", "azure")
"""Clouds whose own names of machine types SkyPilot takes, whatever list a price is from."""
_FROM_ITS_LISTS = "SKY"
"""Offers of these sources carry SkyPilot's own names of machine types."""


def skypilot(order: Order) -> str | None:
    """The task; None for a seller that SkyPilot does not know."""
    if order.provider not in CLOUDS:
        return None
    fields: dict[str, Yaml] = {"name": order.name, "num_nodes": order.n_slices if order.is_tpu else order.n_hosts}
    fields["resources"] = _resources(order)
    fields["setup"] = Script(("# FILL IN: how your code and its libraries get onto the machines", "true"))
    fields["run"] = Script(("# FILL IN: the command that starts the work", "false"))
    return "\n".join([*order.head, *_reserved(order), *yaml_lines(fields)]) + "\n"


def _reserved(order: Order) -> tuple[str, ...]:
    """A task by itself rents on demand, at another price than that of a block."""
    if order.result.candidate.offer.purchase_model != "capacity_block":
        return ()
    return ("# FILL IN: the reserved block in SkyPilot's configuration; without it this task rents on demand.",)


def _is_known(order: Order) -> bool:
    """True where the machine type is one that SkyPilot knows by that name."""
    return order.provider in OWN_TYPES or order.result.candidate.offer.source.startswith(_FROM_ITS_LISTS)


def _resources(order: Order) -> dict[str, Yaml]:
    infra = f"{order.provider}/{order.region}" if order.region else order.provider
    fields: dict[str, Yaml] = {"infra": infra}
    prefix = API_NAMES.get(order.result.candidate.accelerator.id)
    if order.is_tpu and prefix:
        fields["accelerators"] = f"tpu-{prefix}-{order.slice_number}"
    elif order.machine and _is_known(order) and not order.is_tpu:
        fields["instance_type"] = order.machine
    else:
        name = order.result.candidate.accelerator.short_name
        fields["accelerators"] = Fill(f"{name}, {order.chips_per_host} a node, as `sky show-gpus` calls it")
    return fields | {"use_spot": order.is_spot}
