"""Which services are small enough to share a chip, and what the engine says that each takes of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.amounts import Sentence, Text
from core.comparison.portfolio.demand import replicas_apart
from core.comparison.portfolio.first_fit import WHY_WORDS, first_fit
from core.comparison.portfolio.packing import Box, Item, Packing, Refused
from core.comparison.portfolio.result import Use
from core.throughput.model_shape import shape_of
from core.throughput.serving.flow import PROCESS_GIB
from core.throughput.serving.techniques import ADAPTER_BYTES, adapter_params
from core.units import GIB
from core.workload.jobs.kinds import OnlineServing
from core.workload.models.transformer import TransformerModel
from core.workload.portfolio import Portfolio

_MS = 1e-3


@dataclass(frozen=True, slots=True)
class _Chosen:
    use: Use
    item: Item


def packing_of(uses: Sequence[Use], settings: Portfolio, months: int) -> Packing | None:
    """The small models of a pool on as few chips as first fit finds; None where packing is off or fewer than two fit.

    ``months`` of the portfolio: each model counts at its greatest use in any of them.
    """
    services = [use for use in uses if use.profile.job.service is not None]
    if not settings.packs or not services:
        return None
    told = [(use, _item(use, settings, months)) for use in services]
    chosen = [_Chosen(use, item) for use, item in told if isinstance(item, Item)]
    if len(chosen) < 2:
        return None
    box = _box(chosen, settings)
    pins = {one.workload: one.chip for one in settings.pins}
    fit = first_fit([one.item for one in chosen], box, settings.copies, pins)
    why = [(use.name, item) for use, item in told if not isinstance(item, Item)]
    why += [(item.name, Sentence("alone on a chip: {}", WHY_WORDS[word])) for item, word in fit.alone]
    packed = {placed.workload for chip in fit.chips for placed in chip.items}
    return Packing(
        chips=fit.chips,
        pins_refused=tuple(Refused(item.workload, item.name, chip, words) for item, chip, words in fit.refused),
        unpacked=tuple(why),
        load_limit=settings.load_limit_pct / 100.0,
        n_alone=settings.copies
        * sum(int(one.use.alone.max(initial=0)) for one in chosen if one.item.workload in packed),
        copies=settings.copies,
        items=fit.items,
        box=box,
    )


def _item(use: Use, settings: Portfolio, months: int) -> Item | Text:
    """What a service takes of a chip, or why it is not packed."""
    job, speed, model = use.profile.job.service, use.result.throughput, use.profile.model
    assert job is not None
    load = speed.load
    if not isinstance(model, TransformerModel):
        return "it is no language model"
    if load is None or load.max_requests_per_s <= 0:
        return "it carries no load here"
    n_parts = replicas_apart(job, use.result, load)
    if use.result.candidate.n_chips != n_parts:
        return Sentence("a replica takes {} chips", use.result.candidate.n_chips // n_parts)
    of_one = load.max_requests_per_s / n_parts
    rate = job.peak_requests_per_s * max(use.member.use_in(month) for month in range(months))
    if rate <= 0:
        return "not in use"
    if rate / of_one > settings.copies * settings.load_limit_pct / 100.0:
        return "its load takes more than a chip's limit"
    return _item_of(use, job, model, rate, of_one)


def _item_of(use: Use, job: OnlineServing, model: TransformerModel, rate: float, of_one: float) -> Item:
    speed, load, limits = use.result.throughput, use.result.throughput.load, job.time_limits
    assert load is not None
    memory, batch = speed.memory_gib, max(speed.layout.max_batch, 1)
    adapters = job.n_adapters * float(adapter_params(shape_of(model), np.asarray(float(job.adapter_rank))))
    adapters_gib = adapters * ADAPTER_BYTES / GIB
    points = np.array(load.requests_per_s)
    step_s = float(np.interp(min(rate, of_one), points, np.array(load.tpot_s)))
    route_s = speed.system.route_ms * _MS
    return Item(
        workload=use.profile.id,
        name=use.name,
        weights_gib=memory.get("weights", 0.0) - adapters_gib,
        adapters_gib=adapters_gib,
        cache_gib=memory.get("kv_cache", 0.0) / batch,
        process_gib=PROCESS_GIB + memory.get("activations", 0.0),
        rate=rate,
        carries=of_one,
        first_s=load.first_token_s,
        step_s=step_s,
        tokens=load.answer_tokens,
        most_answers=float(batch),
        limit_first_s=np.inf if limits.first_ms is None else limits.first_ms * _MS - route_s,
        limit_step_s=np.inf if limits.next_ms is None else limits.next_ms * _MS,
        base=_base(use, job),
    )


def _base(use: Use, job: OnlineServing) -> str:
    """Adapters on one model share its weights; models without adapters have weights of their own."""
    if not job.n_adapters:
        return f"own {use.profile.id}"
    return f"{use.profile.model.model_dump_json()} {job.weight_precision} {job.engine}"


def _box(chosen: Sequence[_Chosen], settings: Portfolio) -> Box:
    """What a chip of the site holds: all of its memory but what one process and the engine keep back."""
    speeds = [one.use.result.throughput for one in chosen]
    kept = max(speed.memory_gib.get("reserve", 0.0) + speed.memory_gib.get("activations", 0.0) for speed in speeds)
    return Box(min(speed.memory_capacity_gib for speed in speeds), kept, settings.load_limit_pct / 100.0)
