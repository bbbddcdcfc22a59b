"""Times of collectives in s, elementwise over arrays. ``n`` ranks, ``size`` bytes of the full buffer on each rank.

Sources: ring, tree and hierarchical algorithms as in NCCL's documentation; tori as in "How to scale your model",
sharding.
"""

from __future__ import annotations

import numpy as np

from core.throughput.chips.fleet import Fleet, Floats
from core.throughput.chips.network_coefficients import network_coefficients


def ring_share(n: Floats) -> Floats:
    """``(n - 1) / n``: the part of a buffer that leaves a rank in a reduce-scatter or an all-gather; 0 for one rank."""
    return (n - 1.0) / np.maximum(n, 1.0)


def axes_of_group(fleet: Fleet, n: Floats) -> Floats:
    """Whole axes of the torus that a group of n ranks spans, ``ceil(axes log n / log domain)``; 1 for a switch."""
    if not np.any(fleet.torus_axes > 1):
        return np.ones(np.broadcast_shapes(np.shape(n), fleet.torus_axes.shape))
    share = np.log2(np.maximum(n, 2.0)) / np.log2(np.maximum(fleet.domain_chips, 2.0))
    return np.clip(np.ceil(fleet.torus_axes * share - 1e-9), 1.0, fleet.torus_axes)


def group_bytes_per_s(fleet: Fleet, n: Floats) -> Floats:
    """Rate of a collective over n ranks of a domain: all of a switch's, on a torus that of the axes they span."""
    of_axes = fleet.inner_bytes_per_s * axes_of_group(fleet, n) / fleet.torus_axes
    return np.maximum(of_axes, fleet.narrow_bytes_per_s)


def gather_inner_s(fleet: Fleet, n: Floats, size: Floats) -> Floats:
    """All-gather or reduce-scatter within the scale-up domain: ``(n-1)/n size / W + latency``; 0 for one rank."""
    latency = fleet.inner_latency_s * np.log2(np.maximum(n, 1.0) + 1.0)
    return np.where(n > 1, ring_share(n) * size / group_bytes_per_s(fleet, n) + latency, 0.0)


def all_reduce_inner_s(fleet: Fleet, n: Floats, size: Floats) -> Floats:
    """All-reduce: a reduce-scatter and an all-gather, ``2 (n-1)/n size / W``; what leaves the domain is hierarchical.

    Latency of a small message: 4.5 us (1 + 0.37 log2 n) on a switch (published serving rows).
    """
    g = np.clip(np.minimum(n, fleet.domain_chips), 1.0, None)
    latency = fleet.inner_latency_s * (1.0 + 0.37 * np.log2(g))
    inside = np.where(g > 1, 2.0 * ring_share(g) * size / group_bytes_per_s(fleet, g) + latency, 0.0)
    return inside + 2.0 * _between_s(fleet, n / g, size / g)


def gather_wide_s(fleet: Fleet, n: Floats, inner: Floats, size: Floats) -> Floats:
    """All-gather or reduce-scatter over ``n`` ranks of which ``inner`` share a domain, hierarchical.

    Inside: ``(g-1)/g size / W``. Between domains each rank carries its ``1/g`` share over its own network card:
    ``(m-1)/m size / (g W_nic)`` with ``m = n / g``. NCCL passes pieces of a buffer through both at once, so that the
    slower of both counts: runs of one model sharded over 8 to 64 GPUs were equally fast (llm-foundry's tables). Slices
    of TPUs gather one after the other.
    """
    g = np.clip(np.minimum(inner, n), 1.0, None)
    inside, between = gather_inner_s(fleet, g, size), _between_s(fleet, n / g, size / g)
    return np.where(fleet.is_torus > 0, inside + between, np.maximum(inside, between))


def _between_s(fleet: Fleet, m: Floats, size: Floats) -> Floats:
    """All-gather or reduce-scatter over the network, one rank of each of m domains: ring or tree, whichever is less.

    Ring: ``(m-1)/m size / W + (m-1) a / 4``, its hops being pipelined. Tree: ``log2 m`` hops at a share of the rate.
    """
    network = network_coefficients()
    moved = ring_share(m) * size / fleet.outer_bytes_per_s
    hop = network.nic_latency_us * 1e-6
    ring = moved + 0.25 * hop * (m - 1.0)
    tree = moved / network.tree_efficiency + hop * np.log2(np.maximum(m, 1.0) + 1.0)
    return np.where(m > 1, np.minimum(ring, tree), 0.0)


def all_to_all_s(fleet: Fleet, n: Floats, inner: Floats, size: Floats) -> Floats:
    """All-to-all of ``size`` bytes a rank over ``n`` ranks of which ``inner`` share a domain; 0 for one rank.

    Switch: ``(g-1)/n size / W`` inside and ``(n-g)/n size / W_nic`` beyond. On a ring of l chips a byte travels l/4
    hops on average, a quarter of an all-gather: ``size l / (4 W_axis)``, axes sharing the load.
    """
    g = np.clip(np.minimum(inner, n), 1.0, None)
    ranks = np.maximum(n, 1.0)
    inside = (g - 1.0) / ranks * size / group_bytes_per_s(fleet, g)
    if np.any(fleet.is_torus > 0):
        length = g ** (1.0 / axes_of_group(fleet, g))
        hops = (g / ranks) * size * length / 4.0 / (fleet.inner_bytes_per_s / fleet.torus_axes)
        inside = np.where((fleet.is_torus > 0) & (g > 1), np.maximum(hops, inside), inside)
    beyond = (ranks - g) / ranks * size / fleet.outer_bytes_per_s
    start = np.where(g > 1, fleet.inner_latency_s, 0.0) + np.where(
        n > g, network_coefficients().nic_latency_us * 1e-6, 0
    )
    return np.where(n > 1, inside + beyond + start, 0.0)


def send_s(fleet: Fleet, group: Floats, size: Floats) -> Floats:
    """Sending ``size`` bytes to the rank ``group`` places away: within the domain as far as that reaches."""
    far = group >= fleet.domain_chips
    rate = np.where(far, fleet.outer_bytes_per_s, fleet.narrow_bytes_per_s)
    latency = np.where(far, network_coefficients().nic_latency_us * 1e-6, fleet.inner_latency_s)
    return np.asarray(size / rate + latency)
