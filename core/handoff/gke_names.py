"""What GKE calls machines with accelerators, where its documentation says so (cloud.google.com, 2026-11)."""

from __future__ import annotations

from core.handoff.order import Order
from core.handoff.text import Yaml
from core.handoff.tpu_names import GKE_NAMES

GPU_TYPES = {
    "a2-highgpu": "nvidia-tesla-a100", "a2-megagpu": "nvidia-tesla-a100", "a2-ultragpu": "nvidia-a100-80gb",
    "a3-highgpu": "nvidia-h100-80gb", "a3-megagpu": "nvidia-h100-mega-80gb", "a3-ultragpu": "nvidia-h200-141gb",
    "a4-highgpu": "nvidia-b200", "g2-standard": "nvidia-l4",
}  # fmt: skip
"""Accelerator types by families of machine types."""
SELLER = "gcp"


def gpu_type(machine: str) -> str:
    """``nvidia-h100-80gb`` of ``a3-highgpu-8g``; empty where it is not recorded."""
    return GPU_TYPES.get(machine.rpartition("-")[0], "")


def gke_selector(order: Order) -> dict[str, Yaml]:
    """Labels of the nodes of a pool; none for other sellers and where they are not recorded."""
    if order.provider != SELLER:
        return {}
    tpu = GKE_NAMES.get(order.result.candidate.accelerator.id)
    if order.is_tpu and tpu:
        return {"cloud.google.com/gke-tpu-accelerator": tpu, "cloud.google.com/gke-tpu-topology": order.topology}
    gpu = gpu_type(order.machine)
    return {"cloud.google.com/gke-accelerator": gpu} if gpu else {}
