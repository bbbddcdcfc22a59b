"""Conditions of common advice about the work, its input, interruptions and results: the reason, else nothing."""

from __future__ import annotations

from typing import assert_never

from core.amounts import DURATION, SCALED, USD, Amount, Counted, Sentence, Text
from core.comparison.advice.conditions import Facts, compiles_for_tpu, condition
from core.constants import HOURS_PER_DAY, SECONDS_PER_HOUR
from core.units import counted
from core.workload.jobs.kinds import BatchInference, OnlineServing, TrainingJob
from core.workload.models.transformer import TransformerModel


@condition
def chips_wait_for_input(facts: Facts) -> Text:
    """The best option is faster than its storage or its hosts can feed it."""
    if facts.training is None or not facts.ranked or facts.ranked[0].throughput.bottleneck not in ("input", "host"):
        return ""
    return next((note for note in facts.ranked[0].throughput.notes if note.startswith("Waits for")), "")


@condition
def interval_is_off(facts: Facts) -> Text:
    """Saving at the best interval would lose a noticeable share less of the best option's run."""
    if facts.training is None or not facts.ranked or facts.ranked[0].losses is None:
        return ""
    losses, now_h = facts.ranked[0].losses, facts.training.checkpoint_interval_h
    if not now_h or not losses.stops_per_day:
        return ""
    best_h = min(losses.best_interval_h, facts.ranked[0].run_h.likely)
    spared = _lost(losses.save_s, losses.stops_per_day, now_h) - _lost(losses.save_s, losses.stops_per_day, best_h)
    if spared < facts.thresholds["interval_loss"]:
        return ""
    best, now, share = Amount(best_h, digits=2), Amount(now_h, digits=2), Amount(100 * spared, "%", 2)
    return Sentence("A state every {} h in place of {} h would spare about {} of the run", best, now, share)


def _lost(save_s: float, stops_per_day: float, interval_h: float) -> float:
    """Share of the run that saving and repeated work take: ``s / I + r I / 2``."""
    return save_s / SECONDS_PER_HOUR / interval_h + stops_per_day / HOURS_PER_DAY * interval_h / 2


@condition
def run_takes_hours(facts: Facts) -> Text:
    """The whole run of the best option takes less than a day."""
    if facts.training is None or not facts.ranked:
        return ""
    run_h = facts.ranked[0].run_h.likely
    return (
        Sentence("The run takes about {}", Amount(run_h, DURATION)) if run_h < facts.thresholds["short_run_h"] else ""
    )


@condition
def run_is_long_and_costly(facts: Facts) -> Text:
    """A week or more, a large bill, and a stack that compiles for TPU, with Google Cloud open."""
    if facts.training is None or not facts.ranked or not compiles_for_tpu(facts):
        return ""
    pick, limits = facts.ranked[0], facts.thresholds
    if (
        pick.run_h.likely < limits["long_run_days"] * HOURS_PER_DAY
        or pick.cost.total.likely < limits["large_spend_usd"]
    ):
        return ""
    run, cost = Amount(pick.run_h.likely, DURATION), Amount(pick.cost.total.likely, USD)
    return Sentence("About {} and {} on the best option", run, cost)


@condition
def is_latency_bound(facts: Facts) -> Text:
    """A tight first token limit, or uneven traffic without autoscaling."""
    job = facts.service
    if job is None:
        return ""
    tight = job.ttft_limit_ms is not None and job.ttft_limit_ms <= facts.thresholds["tight_ttft_ms"]
    uneven = job.mean_load_pct <= facts.thresholds["bursty_mean_load_pct"]
    first, load = Amount(job.ttft_limit_ms or 0.0, "ms"), Amount(job.mean_load_pct, "%")
    if tight and uneven:
        return Sentence("First token within {} and mean load is {} of the peak", first, load)
    if tight:
        return Sentence("First token within {}", first)
    return Sentence("Mean load is {} of the peak", load) if uneven else ""


@condition
def volume_is_steady(facts: Facts) -> Text:
    """Serving near full all the time, or batches on schedule, with Google Cloud open."""
    job = facts.profile.job
    if not facts.google_allowed:
        return ""
    match job:
        case TrainingJob():
            return ""
        case BatchInference():
            batches = Counted(job.batches_per_month, "scheduled batch", "scheduled batches", digits=3)
            return Sentence("{} a month without a latency limit", batches)
        case OnlineServing():
            steady = job.mean_load_pct >= facts.thresholds["steady_mean_load_pct"]
            return Sentence("Mean load is {} of the peak", Amount(job.mean_load_pct, "%")) if steady else ""
        case _:
            assert_never(job)


@condition
def volume_is_thin(facts: Facts) -> Text:
    """Serving that leaves most of the capacity idle."""
    job = facts.service
    if job is None or job.mean_load_pct > facts.thresholds["idle_mean_load_pct"]:
        return ""
    return Sentence("Mean load is only {} of the peak", Amount(job.mean_load_pct, "%"))


@condition
def is_matmul_heavy(facts: Facts) -> Text:
    """Training a large dense transformer."""
    model = facts.profile.model
    if facts.training is None or not isinstance(model, TransformerModel) or model.is_moe:
        return ""
    if model.n_params < facts.thresholds["dense_params"]:
        return ""
    return Sentence("A dense transformer of {} weights", Amount(model.n_params, SCALED))


@condition
def fills_tiles(facts: Facts) -> Text:
    """Sizes that fill the tiles and a large steady batch."""
    if not _aligned(facts):
        return ""
    job, training = facts.profile.job, facts.training
    if training is not None:
        batch = training.global_batch_sequences * training.sequence_length
        if batch < facts.thresholds["large_batch_tokens"]:
            return ""
        tile, unit = Amount(facts.thresholds["tile"]), facts.profile.unit_word
        return Sentence("{} {} a step and sizes that are multiples of {}", Amount(batch, SCALED), unit, tile)
    return "Offline batches can be as large as memory allows" if not job.answers_users else ""


@condition
def wastes_tiles(facts: Facts) -> Text:
    """Hidden or feed-forward sizes that do not fill the tiles."""
    if _aligned(facts):
        return ""
    return Sentence("Hidden or feed-forward size is no multiple of {}", Amount(facts.thresholds["tile"]))


@condition
def scales_wide(facts: Facts) -> Text:
    """Training that takes very many chips."""
    if facts.training is None or not facts.ranked:
        return ""
    chips = facts.ranked[0].candidate.n_chips
    if chips < facts.thresholds["scale_out_chips"]:
        return ""
    return Sentence("The best option takes {}", Counted(chips, "chip", digits=4))


@condition
def porting_is_dear(facts: Facts) -> Text:
    """Porting makes up a large share of the best TPU option's bill."""
    best = facts.best("tpu")
    if best is None or not best.cost.total.likely:
        return ""
    port, total = best.cost.part("porting"), best.cost.total.likely
    if port < facts.thresholds["porting_share"] * total:
        return ""
    return Sentence("Porting would cost {} of the {} of the best TPU option", Amount(port, USD), Amount(total, USD))


@condition
def gpu_has_more_sellers(facts: Facts) -> Text:
    """Several times as many sellers of GPUs as of TPUs among the options that fit."""
    sellers = {
        kind: {r.candidate.offer.provider for r in facts.ranked if r.candidate.accelerator.kind == kind}
        for kind in ("gpu", "tpu")
    }
    more = len(sellers["gpu"]) >= facts.thresholds["seller_ratio"] * max(1, len(sellers["tpu"]))
    return f"{counted(len(sellers['gpu']), 'seller')} of GPUs that fit, {len(sellers['tpu'])} of TPUs" if more else ""


@condition
def pays_for_idle(facts: Facts) -> Text:
    """Serving with long idle times and no autoscaling."""
    job = facts.service
    if job is None or job.autoscale or job.mean_load_pct > facts.thresholds["bursty_mean_load_pct"]:
        return ""
    return Sentence("Mean load is {} and autoscaling is off", Amount(job.mean_load_pct, "%"))


@condition
def commits_while_exploring(facts: Facts) -> Text:
    """The best option is a commitment of a year or more while the model still changes."""
    if not facts.ranked or facts.profile.stack.maturity != "exploring":
        return ""
    model = facts.ranked[0].candidate.offer.purchase_model
    return (
        "The best option is a commitment while model code still changes" if model in ("commit_1y", "commit_3y") else ""
    )


@condition
def use_is_long_and_steady(facts: Facts) -> Text:
    """Years of serving at a steady load."""
    job = facts.service
    if job is None or job.months < facts.thresholds["buy_months"]:
        return ""
    steady = job.mean_load_pct >= facts.thresholds["steady_mean_load_pct"]
    months = Counted(job.months, "month", digits=3)
    return Sentence("{} at {} mean load", months, Amount(job.mean_load_pct, "%")) if steady else ""


@condition
def context_is_long(facts: Facts) -> Text:
    """Sequences so long that attention state outweighs the rest."""
    tokens = facts.profile.job.context_tokens
    if tokens < facts.thresholds["long_context_tokens"]:
        return ""
    return Sentence("{} tokens of context", Amount(tokens, digits=6))


@condition
def uses_small_floats(facts: Facts) -> Text:
    """FP8, FP4 or INT4 weights."""
    precision = facts.profile.job.compute_precision
    return f"{precision.upper()} is asked for" if precision in ("fp8", "fp4", "mxfp4", "int4") else ""


@condition
def port_misses_deadline(facts: Facts) -> Text:
    """Porting alone takes a large part of the time to the deadline."""
    deadline, best = facts.profile.limits.deadline_days, facts.best("tpu")
    if deadline is None or best is None:
        return ""
    port = best.time_terms_days.get("porting", 0.0)
    if port <= deadline / 2:
        return ""
    return Sentence("Porting takes {} of the {}", Amount(port, digits=2), Counted(deadline, "day", digits=3))


@condition
def pick_needs_porting(facts: Facts) -> Text:
    """The best option needs porting."""
    port = facts.ranked[0].cost.part("porting") if facts.ranked else 0.0
    return Sentence("The best option needs {} of porting before it runs", Amount(port, USD)) if port > 0 else ""


def _aligned(facts: Facts) -> bool:
    tile = int(facts.thresholds["tile"])
    model = facts.profile.model
    if not isinstance(model, TransformerModel):
        return model.conv_channels % tile == 0 or not model.conv_gflops
    return model.d_model % tile == 0 and model.d_ff % tile == 0
