"""Conditions of common advice about the run on the best options: its length, input, memory, network, starts."""

from __future__ import annotations

from core.amounts import DURATION, MEMORY, USD, Amount, Counted, Sentence, Text
from core.comparison.advice.conditions import Facts, compiles_for_tpu, condition
from core.constants import HOURS_PER_DAY, SECONDS_PER_HOUR
from core.cost.registry import rent_parts
from core.ranges import Evidence
from core.workload.models.transformer import TransformerModel


@condition
def run_takes_hours(facts: Facts) -> Text:
    """One run of the best option takes less than a day."""
    hours = _hours_of_one_run(facts)
    if hours is None or hours >= facts.thresholds["short_run_h"]:
        return ""
    return Sentence("A run takes about {} on the best option", Amount(hours, DURATION))


@condition
def run_is_long_and_costly(facts: Facts) -> Text:
    """A run of a week or more with a large spend on chips, of code that compiles for TPU, with Google Cloud open."""
    hours, pick = _hours_of_one_run(facts), facts.pick
    if hours is None or pick is None or not compiles_for_tpu(facts):
        return ""
    rent_usd = sum(pick.cost.part(part) for part in rent_parts())
    if hours < facts.thresholds["long_run_days"] * HOURS_PER_DAY or rent_usd < facts.thresholds["large_spend_usd"]:
        return ""
    text = "A run takes about {} and {} of chips on the best option"
    return Sentence(text, Amount(hours, DURATION), Amount(rent_usd, USD))


def _hours_of_one_run(facts: Facts) -> float | None:
    """Likely hours of one run on the best option, neither porting nor waiting counted; None where nothing trains."""
    pick, run = facts.pick, facts.training
    return None if pick is None or run is None else pick.run_h.likely / run.n_rounds


@condition
def chips_wait_for_storage(facts: Facts) -> Text:
    """The best option is faster than its storage can feed it."""
    return _waits(facts, "input")


@condition
def chips_wait_for_hosts(facts: Facts) -> Text:
    """The processors of the servers limit the best option."""
    told = _waits(facts, "host")
    is_served = facts.training is None and facts.pick is not None and facts.pick.throughput.bottleneck == "host"
    return "The servers' processors, not the chips, limit the best option" if is_served else told


def _waits(facts: Facts, bottleneck: str) -> Text:
    if facts.training is None or facts.pick is None or facts.pick.throughput.bottleneck != bottleneck:
        return ""
    return next((note for note in facts.pick.throughput.notes if note.startswith("Waits for")), "")


@condition
def input_needs_rework(facts: Facts) -> Text:
    """The data pipeline must be reworked for the best TPU option."""
    best = facts.best("tpu")
    usd = best.cost.part("pipeline") if best and facts.training else 0.0
    return Sentence("Reworking the input for the best TPU option takes {}", Amount(usd, USD)) if usd > 0 else ""


@condition
def network_decides(facts: Facts) -> Text:
    """The links between chips limit the best option of some kind."""
    for one in (facts.fitting("gpu"), facts.fitting("tpu")):
        if one is not None and one.throughput.bottleneck == "network":
            return f"The network limits {one.candidate.name}"
    return ""


@condition
def scales_wide(facts: Facts) -> Text:
    """Training that takes very many chips."""
    if facts.training is None or facts.pick is None:
        return ""
    chips = facts.pick.candidate.n_chips
    if chips < facts.thresholds["scale_out_chips"]:
        return ""
    return Sentence("The best option takes {}", Counted(chips, "chip", digits=4))


@condition
def model_spans_servers(facts: Facts) -> Text:
    """Serving of a model that takes more than one server on TPUs."""
    best = facts.best("tpu")
    if facts.service is None or best is None or not best.throughput.fits:
        return ""
    chips = best.throughput.layout.replica_chips
    if chips < facts.thresholds["wide_replica_chips"]:
        return ""
    return Sentence(
        "One copy of the model takes {} of {}", Counted(chips, "chip"), best.candidate.accelerator.short_name
    )


@condition
def is_bound_by_memory(facts: Facts) -> Text:
    """The best option reads memory most of the time."""
    is_so = facts.pick is not None and facts.pick.throughput.bottleneck == "memory"
    return "Reading memory takes most of the time of the best option" if is_so else ""


@condition
def requests_fill_memory(facts: Facts) -> Text:
    """The cache of a single request takes a noticeable part of a chip's memory."""
    pick, model, job = facts.pick, facts.profile.model, facts.profile.job
    if pick is None or job.serving_engine is None or not isinstance(model, TransformerModel):
        return ""
    layout, cache_gib = pick.throughput.layout, pick.throughput.memory_gib.get("kv_cache", 0.0)
    one_gib = cache_gib * layout.replica_chips / max(layout.max_batch, 1)
    there_gib = pick.throughput.memory_capacity_gib
    if one_gib < facts.thresholds["request_share"] * there_gib:
        return ""
    text = "One request holds {} of cache, and a chip {}"
    return Sentence(text, Amount(one_gib, MEMORY), Amount(there_gib, MEMORY))


@condition
def memory_is_tight(facts: Facts) -> Text:
    """Training that nearly fills the memory of the best option."""
    if facts.training is None or facts.pick is None:
        return ""
    speed = facts.pick.throughput
    used, there = sum(speed.memory_gib.values()), speed.memory_capacity_gib
    if used < facts.thresholds["tight_memory_share"] * there:
        return ""
    return Sentence("{} of the {} of a chip are full", Amount(used, MEMORY), Amount(there, MEMORY))


@condition
def users_are_far(facts: Facts) -> Text:
    """The way to users takes a noticeable part of the limit of the first token."""
    job, pick = facts.service, facts.pick
    if job is None or pick is None or pick.round_trip_ms is None:
        return ""
    way_ms = pick.round_trip_ms.likely
    if way_ms < facts.thresholds["way_share"] * (job.ttft_limit_ms or 0.0) or not way_ms:
        return ""
    return Sentence("The way from the best option to users and back takes {}", Amount(way_ms, "ms", 2))


@condition
def speed_is_not_measured(facts: Facts) -> Text:
    """Much money rests on a speed that nobody here has measured."""
    pick = facts.pick
    if pick is None or pick.evidence is Evidence.MEASURED_HERE:
        return ""
    cost_usd = pick.cost.total.likely
    if cost_usd < facts.thresholds["large_spend_usd"]:
        return ""
    return Sentence("{} rest on a speed that is {}", Amount(cost_usd, USD), pick.evidence.value)


@condition
def interval_is_off(facts: Facts) -> Text:
    """Saving at the best interval would lose a noticeable share less of the best option's run."""
    if facts.training is None or facts.pick is None or facts.pick.losses is None:
        return ""
    losses, now_h = facts.pick.losses, facts.training.checkpoint_interval_h
    if not now_h or not losses.stops_per_day:
        return ""
    best_h = min(losses.best_interval_h, facts.pick.run_h.likely)
    spared = _lost(losses.save_s, losses.stops_per_day, now_h) - _lost(losses.save_s, losses.stops_per_day, best_h)
    if spared < facts.thresholds["interval_loss"]:
        return ""
    best, now, share = Amount(best_h, digits=2), Amount(now_h, digits=2), Amount(100 * spared, "%", 2)
    return Sentence("A state every {} h in place of {} h would spare about {} of the run", best, now, share)


def _lost(save_s: float, stops_per_day: float, interval_h: float) -> float:
    """Share of the run that saving and repeated work take: ``s / I + r I / 2``."""
    return save_s / SECONDS_PER_HOUR / interval_h + stops_per_day / HOURS_PER_DAY * interval_h / 2
