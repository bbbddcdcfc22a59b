"""Times of collectives in s, elementwise over arrays. ``n`` ranks, ``size`` bytes of the full buffer on each rank.

Sources: ring and hierarchical algorithms as in NCCL's documentation; tori as in "How to scale your model", sharding.
"""

from __future__ import annotations

import numpy as np

from core.throughput.fleet import Fleet, Floats


def ring_share(n: Floats) -> Floats:
    """``(n - 1) / n``: the part of a buffer that leaves a rank in a reduce-scatter or an all-gather; 0 for one rank."""
    return (n - 1.0) / np.maximum(n, 1.0)


def gather_inner_s(fleet: Fleet, n: Floats, size: Floats) -> Floats:
    """All-gather or reduce-scatter within the scale-up domain: ``(n-1)/n size / W + latency``; 0 for one rank."""
    latency = fleet.inner_latency_s * np.log2(np.maximum(n, 1.0) + 1.0)
    return np.where(n > 1, ring_share(n) * size / fleet.inner_bytes_per_s + latency, 0.0)


def all_reduce_inner_s(fleet: Fleet, n: Floats, size: Floats) -> Floats:
    """All-reduce within the domain: a reduce-scatter and an all-gather.

    Latency of a small message: 4.5 us (1 + 0.37 log2 n) on a switch (fitted on published serving rows).
    """
    latency = fleet.inner_latency_s * (1.0 + 0.37 * np.log2(np.maximum(n, 1.0)))
    return np.where(n > 1, 2.0 * ring_share(n) * size / fleet.inner_bytes_per_s + latency, 0.0)


def gather_wide_s(fleet: Fleet, n: Floats, inner: Floats, size: Floats) -> Floats:
    """All-gather or reduce-scatter over ``n`` ranks of which ``inner`` share a domain, hierarchical.

    Inside: ``(g-1)/g size / W``. Between domains each rank carries its ``1/g`` share over its own network card:
    ``(m-1)/m size / (g W_nic)`` with ``m = n / g``.
    """
    g = np.clip(np.minimum(inner, n), 1.0, None)
    m = n / g
    between = np.where(m > 1, ring_share(m) * size / (g * fleet.outer_bytes_per_s) + 20e-6 * np.log2(m + 1.0), 0.0)
    return gather_inner_s(fleet, g, size) + between


def all_to_all_s(fleet: Fleet, n: Floats, inner: Floats, size: Floats) -> Floats:
    """All-to-all of ``size`` bytes a rank: ``(n-1)/n size / W``, at the network card's rate for the share that leaves.

    On a torus a quarter of an all-gather's time per byte (same source).
    """
    g = np.clip(np.minimum(inner, n), 1.0, None)
    inside = ring_share(g) * size / fleet.inner_bytes_per_s
    outside = np.where(n > g, (1.0 - g / np.maximum(n, 1.0)) * size / fleet.outer_bytes_per_s, 0.0)
    on_torus = 0.25 * n * size / fleet.inner_bytes_per_s / 2.0
    return np.where(n > 1, np.where(fleet.is_torus > 0, np.maximum(on_torus, inside), inside + outside), 0.0)
