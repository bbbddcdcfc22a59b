"""Prompts on chips of their own: what a first token takes there, and the rate at which both pools keep up."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.throughput.chips.fleet import Floats
from core.throughput.parameters import Parameters
from core.throughput.serving.flow import Flow
from core.throughput.serving.quantities import Arrangement, Rates

PREFILL_BUSY = 0.85
"""Part of their time that chips which only prefill can be kept busy: prompts come at random (our estimate)."""


@dataclass(frozen=True)
class Pools:
    """Chips that only prefill beside those that answer, numbers or arrays of one row each.

    ``prefill_replicas`` and ``answering`` replicas; ``moved_s`` is what a prompt's cache takes from one to the other.
    """

    prefill_replicas: Floats
    answering: Floats
    moved_s: Floats


def split_first_s(known: Parameters, rates: Rates, flow: Flow, moved_s: Floats, each: Floats) -> tuple[Floats, Floats]:
    """First token of a request and the part of it spent behind other prompts, in s.

    ``fixed + moved + prompt alone + q' q (b - 1)^g prefill``, with b = ``each`` requests on an attention group that
    prefills; ``flow`` is that of the chips that prefill.
    """
    queue = known["disaggregated_queue"] * rates.queue_share
    ahead = queue * np.maximum(each - 1.0, 0.0) ** rates.queue_growth * flow.prefill_s
    return np.asarray(known["disaggregated_first_s"] + moved_s + flow.prompt_alone_s + ahead), np.asarray(ahead)


def prompts_per_s(pools: Pools, flow: Flow, arrangement: Arrangement) -> Floats:
    """Prompts that the chips that prefill read in a second: each attention group and stage has one at work."""
    at_work = pools.prefill_replicas * arrangement.attention_dp * arrangement.pp
    return np.asarray(PREFILL_BUSY * at_work / flow.prefill_s)
