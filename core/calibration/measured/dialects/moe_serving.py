"""Mixtures of experts as served: over many hosts, with prefill and decode apart, or on one host."""

from __future__ import annotations

import math
import re

from core.calibration.measured.dialect import Cells, Dialect

_SCENARIOS = {"prefill-only": "prefill", "decode-only": "decode-only", "disaggregated": "server-disaggregated"}
_MOST_OF_A_WORKER = 8
"""Chips of a worker where only those of its whole pool are stated: as many as a host has, of which they are whole."""
_BURST_ROUNDS = 1.3
"""Prompts over concurrency up to which all are sent at once and none follows."""


def _work(_: Cells) -> str:
    return "inference"


def _computed(cells: Cells) -> Cells:
    return {**_arrangement(cells), **_pools(cells), **_figures(cells), "scenario": _scenario(cells)}


def _number(cells: Cells, name: str) -> float:
    try:
        return float(cells.get(name, "") or 0.0)
    except ValueError:
        return 0.0


def _scenario(cells: Cells) -> str:
    kind = _SCENARIOS.get(cells.get("kind", ""), "")
    if kind:
        return kind
    at_once, asked = cells.get("request_rate", "") == "all at once", _number(cells, "concurrency")
    return "burst" if at_once and 0 < _number(cells, "num_prompts") <= _BURST_ROUNDS * asked else "server"


def _arrangement(cells: Cells) -> Cells:
    """Tensor ranks of an attention group, groups, expert ranks.

    Engines count tensor ranks over all groups (SGLang) or within one (vLLM): the chips tell which. One engine over
    several hosts takes all of their chips.
    """
    n_chips, tp, dp = (_number(cells, name) for name in ("n_chips", "tp", "dp"))
    ep = cells.get("ep", "").split(" ")[0]
    expert_ranks = f"{tp * max(dp, 1.0):.0f}" if ep.startswith("=") else ep
    if cells.get("dp_attention", "") != "yes":
        return {"ep": expert_ranks}
    groups = dp or tp
    ranks = tp / groups if tp * groups > n_chips and tp % max(groups, 1.0) == 0 else max(tp, 1.0)
    if cells.get("kind", "") == "aggregated-multi-node" and n_chips % max(groups, 1.0) == 0:
        ranks = n_chips / groups
    return {"tp": f"{ranks:.0f}", "attention_groups": f"{groups:.0f}", "ep": f"{ranks * groups:.0f}"}


def _pools(cells: Cells) -> Cells:
    """Workers that prefill and that decode, and chips of each, where the pools are stated.

    A pool of unknown workers is cut into those of its expert ranks, else of a host's chips. A worker of a
    stated layout keeps its tensor ranks; of those that share experts it is searched.
    """
    prefill, decode = _number(cells, "prefill_chips"), _number(cells, "decode_chips")
    if cells.get("kind", "") != "disaggregated" or not prefill or not decode:
        return {}
    ranks = _number(cells, "ep")
    first = _number(cells, "prefill_workers") or prefill / _even(prefill)
    second = _number(cells, "decode_workers") or decode / (ranks if ranks > 1 else _even(decode))
    each = decode / second
    tensor = re.search(r"TP(\d+)", cells.get("decode_layout", ""))
    tp = int(tensor[1]) if tensor and int(tensor[1]) == each else each if ranks == 1 else 0
    return {
        "prefill_workers": f"{first:.0f}", "prefill_worker_chips": f"{prefill / first:.0f}",
        "decode_workers": f"{second:.0f}", "decode_worker_chips": f"{each:.0f}", "tp": f"{tp:.0f}" if tp else "",
        "n_chips": f"{prefill + decode:.0f}",
    }  # fmt: skip


def _even(chips: float) -> int:
    return math.gcd(int(chips), _MOST_OF_A_WORKER)


def _figures(cells: Cells) -> Cells:
    """Times as means where no median is given, and rates of the whole job where they are given a chip."""
    n_chips = _number(cells, "n_chips")
    times = {
        name: cells.get(f"{kind}_median_ms", "") or cells.get(f"{kind}_mean_ms", "")
        for name, kind in (("ttft_ms", "ttft"), ("tpot_ms", "tpot"))
    }
    if not times["tpot_ms"] and _number(cells, "user_tokens_per_s"):
        times["tpot_ms"] = f"{1000.0 / _number(cells, 'user_tokens_per_s'):.6g}"
    output, total = cells.get("output_tokens_per_s_total", ""), cells.get("total_tokens_per_s", "")
    output = output or _of_all(cells, "decode_tokens_per_s_per_chip", n_chips)
    output = output or _of_all(cells, "derived_output_tokens_per_s_per_chip", n_chips)
    total = total or _of_all(cells, "prefill_tokens_per_s_per_chip", n_chips)
    total = total or _of_all(cells, "derived_total_tokens_per_s_per_chip", n_chips)
    return {**times, "output_tokens_per_s_total": output, "total_tokens_per_s": total, "derived_fields": ""}


def _of_all(cells: Cells, name: str, n_chips: float) -> str:
    rate = _number(cells, name)
    return f"{rate * n_chips:.6g}" if rate and n_chips else ""


DIALECT = Dialect(
    name="moe_serving",
    marks=frozenset({"prefill_workers", "decode_workers", "dp_attention"}),
    work_of=_work,
    renamed={
        "batch_or_concurrency": "concurrency",
        "ttft_ms": "ttft_median_ms",
        "tpot_ms": "tpot_median_ms",
        "acceptance_length": "accept_len",
        "prefix_hit_pct": "cache_hit_pct",
    },
    computed=_computed,
)
