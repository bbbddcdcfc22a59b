"""A GKE node pool as gcloud commands: GPUs, or TPU slices with their topology, a pool a slice of several hosts."""

from __future__ import annotations

from core.handoff.gke_names import SELLER, gpu_type
from core.handoff.order import Order
from core.handoff.text import EACH, Fill, Word, script
from core.handoff.tpu_names import GKE_NAMES

_CLUSTER = Fill("name of your GKE cluster", "CLUSTER")
_ZONE = Fill("zone in which you have quota for these machines", "ZONE")
_LOCATION = Fill("region or zone of the cluster", "LOCATION")
_REGION = Fill("region of the cluster", "REGION")
_BY_POLICY = ("tpu7x",)
"""Chips whose slices of several hosts take their shape from a workload policy instead of ``--tpu-topology``
(docs.cloud.google.com/kubernetes-engine/docs/concepts/tpu-ironwood, read 2026-11)."""


def gke(order: Order) -> str | None:
    """The script; None for other sellers and for machines that GKE is not known to take."""
    is_known = gpu_type(order.machine) or (order.is_tpu and order.result.candidate.accelerator.id in GKE_NAMES)
    if order.provider != SELLER or not order.machine or not is_known:
        return None
    policy = _policy(order)
    fills = [_CLUSTER, *([] if order.region else [_LOCATION]), _ZONE]
    fills += [_REGION] if policy and not order.region else []
    return script(order.head, fills, _command(order), _n_pools(order), policy)


def _policy(order: Order) -> list[Word]:
    """The command that makes the policy of the slices' shape; nothing for chips that need none."""
    if order.result.candidate.accelerator.id not in _BY_POLICY or order.hosts_of_slice < 2:
        return []
    words: list[Word] = ["gcloud", "compute", "resource-policies", "create", "workload-policy", order.name]
    words += ["--type=HIGH_THROUGHPUT", f"--accelerator-topology={order.topology}"]
    return [*words, f"--region={order.region}" if order.region else ("--region=", _REGION)]


def _n_pools(order: Order) -> int:
    """A slice of several hosts is a pool of its own; all single hosts share one."""
    return order.n_slices if order.is_tpu and order.hosts_of_slice > 1 else 1


def _command(order: Order) -> list[Word]:
    is_wide = order.is_tpu and order.hosts_of_slice > 1
    name: Word = order.name if _n_pools(order) == 1 else (f"{order.name[:36]}-", EACH)
    n_nodes = order.hosts_of_slice if is_wide else order.n_hosts
    words: list[Word] = ["gcloud", "container", "node-pools", "create", name, ("--cluster=", _CLUSTER)]
    words += [f"--location={order.region}" if order.region else ("--location=", _LOCATION)]
    words += [("--node-locations=", _ZONE), f"--machine-type={order.machine}", f"--num-nodes={n_nodes}"]
    if is_wide:
        words.append(f"--placement-policy={order.name}" if _policy(order) else f"--tpu-topology={order.topology}")
    elif not order.is_tpu:
        words.append(f"--accelerator=type={gpu_type(order.machine)},count={order.chips_per_host}")
    return [*words, *(["--spot"] if order.is_spot else [])]
