"""A Kubernetes manifest: a Job for work that ends, a Deployment for a service; a pod a host, with all its chips."""

from __future__ import annotations

from core.handoff.gke_names import gke_selector
from core.handoff.order import Order
from core.handoff.text import Fill, Yaml, yaml_lines

_IMAGE = Fill("image of the container")
_COMMAND = Fill("command that starts the work")
_RESOURCE = "FILL-IN.example/chip"


def kubernetes(order: Order) -> str:
    """The manifest; node selectors stand in it where Google's are known."""
    manifest = _job(order) if order.ends else _deployment(order)
    service = ["---", *yaml_lines(_service(order))] if _meets_itself(order) else []
    return "\n".join([*order.head, *_notes(order), *yaml_lines(manifest), *service]) + "\n"


def _meets_itself(order: Order) -> bool:
    """True for a run on several hosts, whose pods must find each other."""
    return order.ends and order.n_hosts > 1


def _notes(order: Order) -> list[str]:
    notes = [] if order.resource else [f"# FILL IN: what your cluster calls these chips, in the place of {_RESOURCE}"]
    if _meets_itself(order):
        notes.append(f"# Pods find each other as {order.name}-0.{order.name} and on, by the Service below.")
    if order.ends and order.is_tpu and order.n_slices > 1:
        notes.append(f"# One Job for each of {order.n_slices} slices: write this down so many times, a name each.")
    if not order.ends and order.spans_hosts:
        notes.append("# A replica spans several hosts, which a Deployment does not keep together. FILL IN: what does.")
    return notes


def _job(order: Order) -> dict[str, Yaml]:
    n_pods = order.hosts_of_slice if order.is_tpu else order.n_hosts
    spec: dict[str, Yaml] = {
        "completions": n_pods,
        "parallelism": n_pods,
        "completionMode": "Indexed",
        "backoffLimit": 0,
        "template": {"spec": _pod(order) | {"restartPolicy": "Never"}},
    }
    return {"apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": order.name}, "spec": spec}


def _deployment(order: Order) -> dict[str, Yaml]:
    labels: dict[str, Yaml] = {"app": order.name}
    spec: dict[str, Yaml] = {
        "replicas": order.n_hosts,
        "selector": {"matchLabels": labels},
        "template": {"metadata": {"labels": labels}, "spec": _pod(order)},
    }
    return {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": order.name}, "spec": spec}


def _service(order: Order) -> dict[str, Yaml]:
    spec: dict[str, Yaml] = {"clusterIP": "None", "selector": {"job-name": order.name}}
    return {"apiVersion": "v1", "kind": "Service", "metadata": {"name": order.name}, "spec": spec}


def _pod(order: Order) -> dict[str, Yaml]:
    chips: dict[str, Yaml] = {order.resource or _RESOURCE: order.chips_per_host}
    container: dict[str, Yaml] = {
        "name": "work",
        "image": _IMAGE,
        "command": [_COMMAND],
        "resources": {"requests": chips, "limits": chips},
    }
    selector = gke_selector(order)
    many: dict[str, Yaml] = {"subdomain": order.name} if _meets_itself(order) else {}
    return {**({"nodeSelector": selector} if selector else {}), **many, "containers": [container]}
