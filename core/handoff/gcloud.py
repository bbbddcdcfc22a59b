"""Machines of Google Cloud by gcloud: virtual machines with GPUs, or TPU slices."""

from __future__ import annotations

from core.handoff.gke_names import SELLER
from core.handoff.order import Order
from core.handoff.text import EACH, Fill, Word, script
from core.handoff.tpu_names import API_NAMES

_ZONE = Fill("zone in which you have quota for these machines", "ZONE")
_IMAGE_PROJECT = Fill("project of the image", "IMAGE_PROJECT")
_IMAGE_FAMILY = Fill("image family", "IMAGE_FAMILY")
_VERSION = Fill("TPU software version", "VERSION")
_NETWORK = "a compact placement policy, and the network interfaces that this machine type has for its chips"


def gcloud(order: Order) -> str | None:
    """The script; None for other sellers, for GPUs on a machine that the catalogue does not know, and for TPUs that
    Cloud TPU's interface is not known to make."""
    if order.provider != SELLER:
        return None
    if order.is_tpu:
        prefix = API_NAMES.get(order.result.candidate.accelerator.id)
        return _slices(order, prefix) if prefix else None
    return _machines(order) if order.machine else None


def _machines(order: Order) -> str:
    words: list[Word] = ["gcloud", "compute", "instances", "create", _name(order, order.n_hosts), ("--zone=", _ZONE)]
    words += [f"--machine-type={order.machine}", "--maintenance-policy=TERMINATE"]
    words += [("--image-project=", _IMAGE_PROJECT), ("--image-family=", _IMAGE_FAMILY)]
    words += ["--provisioning-model=SPOT"] if order.is_spot else []
    head = [*order.head, *order.together(_NETWORK)]
    return script(head, [_ZONE, _IMAGE_PROJECT, _IMAGE_FAMILY], words, order.n_hosts)


def _slices(order: Order, prefix: str) -> str:
    """A slice at a time, named by its type."""
    words: list[Word] = ["gcloud", "compute", "tpus", "tpu-vm", "create", _name(order, order.n_slices)]
    words += [("--zone=", _ZONE), f"--accelerator-type={prefix}-{order.slice_number}", ("--version=", _VERSION)]
    return script(order.head, [_ZONE, _VERSION], [*words, *(["--spot"] if order.is_spot else [])], order.n_slices)


def _name(order: Order, times: int) -> Word:
    return order.name if times == 1 else (f"{order.name}-", EACH)
