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
_TYPE = Fill("accelerator type of the slice", "ACCELERATOR_TYPE")


def gcloud(order: Order) -> str | None:
    """The script; None for other sellers, and for GPUs on a machine that the catalogue does not know."""
    if order.provider != SELLER or not (order.is_tpu or order.machine):
        return None
    return _slices(order) if order.is_tpu else _machines(order)


def _machines(order: Order) -> str:
    words: list[Word] = ["gcloud", "compute", "instances", "create", _name(order, order.n_hosts), ("--zone=", _ZONE)]
    words += [f"--machine-type={order.machine}", "--maintenance-policy=TERMINATE"]
    words += [("--image-project=", _IMAGE_PROJECT), ("--image-family=", _IMAGE_FAMILY)]
    words += ["--provisioning-model=SPOT"] if order.is_spot else []
    return script(order.head, [_ZONE, _IMAGE_PROJECT, _IMAGE_FAMILY], words, order.n_hosts)


def _slices(order: Order) -> str:
    """A slice at a time, named by its type where Google's name of it is recorded."""
    prefix = API_NAMES.get(order.result.candidate.accelerator.id)
    kind: Word = f"--accelerator-type={prefix}-{order.slice_number}" if prefix else ("--accelerator-type=", _TYPE)
    fills = [_ZONE, _VERSION, *([] if prefix else [_TYPE])]
    words: list[Word] = ["gcloud", "compute", "tpus", "tpu-vm", "create", _name(order, order.n_slices)]
    words += [("--zone=", _ZONE), kind, ("--version=", _VERSION), *(["--spot"] if order.is_spot else [])]
    return script(order.head, fills, words, order.n_slices)


def _name(order: Order, times: int) -> Word:
    return order.name if times == 1 else (f"{order.name}-", EACH)
