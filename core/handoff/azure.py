"""Machines of Azure by its command line."""

from __future__ import annotations

from core.handoff.order import Order
from core.handoff.text import Fill, Word, script

SELLER = "azure"
_GROUP = Fill("resource group", "RESOURCE_GROUP")
_REGION = Fill("region in which you have quota for these machines", "LOCATION")
_IMAGE = Fill("image", "IMAGE")
_KEY = Fill("file of your public SSH key", "SSH_KEY_FILE")
_NETWORK = "an availability set or a scale set, without which these machines do not share one InfiniBand"


def azure(order: Order) -> str | None:
    """The script; None for other sellers and machines that the catalogue does not know."""
    if order.provider != SELLER or not order.machine:
        return None
    words: list[Word] = ["az", "vm", "create", ("--resource-group=", _GROUP), f"--name={order.name}"]
    words += [f"--location={order.region}" if order.region else ("--location=", _REGION)]
    words += [f"--size={order.machine}", ("--image=", _IMAGE), ("--ssh-key-values=", _KEY)]
    words += [f"--count={order.n_hosts}"] if order.n_hosts > 1 else []
    words += ["--priority=Spot", "--eviction-policy=Deallocate"] if order.is_spot else []
    fills = [_GROUP, *([] if order.region else [_REGION]), _IMAGE, _KEY]
    return script([*order.head, *order.together(_NETWORK)], fills, words)
