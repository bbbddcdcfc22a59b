"""What TPUs did: training, serving, images and video in one table."""

from __future__ import annotations

import re

from core.calibration.measured.dialect import Cells, Dialect


def _work(cells: Cells) -> str:
    return "training" if cells.get("kind", "") == "training" else "inference"


def _computed(cells: Cells) -> Cells:
    """Chips by their id; sequences of a step from its tokens; slices as the main tables write them.

    Of serving: weights by the column of both kinds, and times as means where no median is given.
    """
    of_any = {
        "hardware": _chip(cells.get("hardware", "")),
        "global_batch": _batch(cells),
        "interconnect": _links(cells),
    }
    return {**of_any, **_served(cells)}


def _served(cells: Cells) -> Cells:
    if cells.get("kind", "") != "serving":
        return {}
    times = {
        f"{name}_ms": cells.get(f"{name}_median_ms", "") or cells.get(f"{name}_mean_ms", "")
        for name in ("ttft", "tpot")
    }
    return {**times, "weight_precision": cells.get("precision", "")}


def _chip(name: str) -> str:
    """``v5p``, ``v5p-128`` and ``TPU v5p`` are one chip: a number behind it counts cores or chips of a slice."""
    plain = re.match(r"(?:tpu[ -]?)?v?(\d+[ex]?p?)(?:-\d+)?$", name.strip().lower())
    generation = plain[1] if plain else ""
    return f"tpu{generation}" if generation == "7x" else f"tpu-v{generation}" if generation else name


def _batch(cells: Cells) -> str:
    """As stated, else the tokens of a step over those of a sequence."""
    tokens, sequence = cells.get("tokens_per_step", ""), cells.get("seq_len", "")
    if cells.get("global_batch") or not (tokens and sequence):
        return cells.get("global_batch", "")
    try:
        return str(max(round(float(tokens) / float(sequence)), 1))
    except (ValueError, ZeroDivisionError):
        return ""


def _links(cells: Cells) -> str:
    slices = re.search(r"(\d+) ?(?:x ?)?slices?|slices=(\d+)", cells.get("topology", "").lower())
    return f"slices={slices[1] or slices[2]}" if slices else ""


DIALECT = Dialect(
    name="tpu",
    marks=frozenset({"kind", "topology", "tokens_per_step"}),
    work_of=_work,
    renamed={
        "framework": "engine",
        "batch_or_concurrency": "concurrency",
        "ttft_ms": "ttft_median_ms",
        "tpot_ms": "tpot_median_ms",
        "acceptance_length": "accept_len",
        "prefix_hit_pct": "cache_hit_pct",
    },
    computed=_computed,
)
