"""Conditions of common advice about the work, its input, interruptions and results: the reason, else nothing."""

from __future__ import annotations

from typing import assert_never

from core.comparison.advice.conditions import Facts, compiles_for_tpu, condition
from core.constants import HOURS_PER_DAY, SECONDS_PER_HOUR
from core.units import THIN, duration, plain, scaled, usd
from core.workload.jobs.kinds import BatchInference, OnlineServing, TrainingJob
from core.workload.models.transformer import TransformerModel


@condition
def chips_wait_for_input(facts: Facts) -> str:
    """The best option is faster than its storage or its hosts can feed it."""
    if facts.training is None or not facts.ranked or facts.ranked[0].throughput.bottleneck not in ("input", "host"):
        return ""
    return next((note for note in facts.ranked[0].throughput.notes if note.startswith("Waits for")), "")


@condition
def interval_is_off(facts: Facts) -> str:
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
    return (
        f"A state every {plain(best_h, 2)} h in place of {plain(now_h, 2)} h would spare "
        f"about {plain(100 * spared, 2)}{THIN}% of the run"
    )


def _lost(save_s: float, stops_per_day: float, interval_h: float) -> float:
    """Share of the run that saving and repeated work take: ``s / I + r I / 2``."""
    return save_s / SECONDS_PER_HOUR / interval_h + stops_per_day / HOURS_PER_DAY * interval_h / 2


@condition
def run_takes_hours(facts: Facts) -> str:
    """The whole run of the best option takes less than a day."""
    if facts.training is None or not facts.ranked:
        return ""
    run_h = facts.ranked[0].run_h.likely
    return f"The run takes about {duration(run_h)}" if run_h < facts.thresholds["short_run_h"] else ""


@condition
def run_is_long_and_costly(facts: Facts) -> str:
    """A week or more, a large bill, and a stack that compiles for TPU, with Google Cloud open."""
    if facts.training is None or not facts.ranked or not compiles_for_tpu(facts):
        return ""
    pick, limits = facts.ranked[0], facts.thresholds
    if (
        pick.run_h.likely < limits["long_run_days"] * HOURS_PER_DAY
        or pick.cost.total.likely < limits["large_spend_usd"]
    ):
        return ""
    return f"About {duration(pick.run_h.likely)} and {usd(pick.cost.total.likely)} on the best option"


@condition
def is_latency_bound(facts: Facts) -> str:
    """A tight first token limit, or uneven traffic without autoscaling."""
    job = facts.service
    if job is None:
        return ""
    tight = job.ttft_limit_ms is not None and job.ttft_limit_ms <= facts.thresholds["tight_ttft_ms"]
    uneven = job.mean_load_pct <= facts.thresholds["bursty_mean_load_pct"]
    found = [f"first token within {plain(job.ttft_limit_ms or 0)}{THIN}ms"] if tight else []
    found += [f"mean load is {plain(job.mean_load_pct)}{THIN}% of the peak"] if uneven else []
    return _sentence(" and ".join(found))


@condition
def volume_is_steady(facts: Facts) -> str:
    """Serving near full all the time, or batches on schedule, with Google Cloud open."""
    job = facts.profile.job
    if not facts.google_allowed:
        return ""
    match job:
        case TrainingJob():
            return ""
        case BatchInference():
            return f"{plain(job.batches_per_month)} scheduled batches a month without a latency limit"
        case OnlineServing():
            steady = job.mean_load_pct >= facts.thresholds["steady_mean_load_pct"]
            return f"Mean load is {plain(job.mean_load_pct)}{THIN}% of the peak" if steady else ""
        case _:
            assert_never(job)


@condition
def volume_is_thin(facts: Facts) -> str:
    """Serving that leaves most of the capacity idle."""
    job = facts.service
    if job is None or job.mean_load_pct > facts.thresholds["idle_mean_load_pct"]:
        return ""
    return f"Mean load is only {plain(job.mean_load_pct)}{THIN}% of the peak"


@condition
def is_matmul_heavy(facts: Facts) -> str:
    """Training a large dense transformer."""
    model = facts.profile.model
    if facts.training is None or not isinstance(model, TransformerModel) or model.is_moe:
        return ""
    if model.n_params < facts.thresholds["dense_params"]:
        return ""
    return f"A dense transformer of {scaled(model.n_params)} weights"


@condition
def fills_tiles(facts: Facts) -> str:
    """Sizes that fill the tiles and a large steady batch."""
    if not _aligned(facts):
        return ""
    job, training = facts.profile.job, facts.training
    if training is not None:
        batch = training.global_batch_sequences * training.sequence_length
        return (
            f"{scaled(batch)} {facts.profile.unit_word} a step and sizes that are multiples of "
            f"{plain(facts.thresholds['tile'])}"
            if batch >= facts.thresholds["large_batch_tokens"]
            else ""
        )
    return "Offline batches can be as large as memory allows" if not job.answers_users else ""


@condition
def wastes_tiles(facts: Facts) -> str:
    """Hidden or feed-forward sizes that do not fill the tiles."""
    return "" if _aligned(facts) else f"Hidden or feed-forward size is no multiple of {plain(facts.thresholds['tile'])}"


@condition
def scales_wide(facts: Facts) -> str:
    """Training that takes very many chips."""
    if facts.training is None or not facts.ranked:
        return ""
    chips = facts.ranked[0].candidate.n_chips
    return f"The best option takes {plain(chips, 4)} chips" if chips >= facts.thresholds["scale_out_chips"] else ""


@condition
def porting_is_dear(facts: Facts) -> str:
    """Porting makes up a large share of the best TPU option's bill."""
    best = facts.best("tpu")
    if best is None or not best.cost.total.likely:
        return ""
    port = best.cost.part("porting")
    large = port >= facts.thresholds["porting_share"] * best.cost.total.likely
    return (
        f"Porting would cost {usd(port)} of the {usd(best.cost.total.likely)} of the best TPU option" if large else ""
    )


@condition
def gpu_has_more_sellers(facts: Facts) -> str:
    """Several times as many sellers of GPUs as of TPUs among the options that fit."""
    sellers = {
        kind: {r.candidate.offer.provider for r in facts.ranked if r.candidate.accelerator.kind == kind}
        for kind in ("gpu", "tpu")
    }
    more = len(sellers["gpu"]) >= facts.thresholds["seller_ratio"] * max(1, len(sellers["tpu"]))
    return f"{len(sellers['gpu'])} sellers of GPUs that fit, {len(sellers['tpu'])} of TPUs" if more else ""


@condition
def pays_for_idle(facts: Facts) -> str:
    """Serving with long idle times and no autoscaling."""
    job = facts.service
    if job is None or job.autoscale or job.mean_load_pct > facts.thresholds["bursty_mean_load_pct"]:
        return ""
    return f"Mean load is {plain(job.mean_load_pct)}{THIN}% and autoscaling is off"


@condition
def commits_while_exploring(facts: Facts) -> str:
    """The best option is a commitment of a year or more while the model still changes."""
    if not facts.ranked or facts.profile.stack.maturity != "exploring":
        return ""
    model = facts.ranked[0].candidate.offer.purchase_model
    return (
        "The best option is a commitment while model code still changes" if model in ("commit_1y", "commit_3y") else ""
    )


@condition
def use_is_long_and_steady(facts: Facts) -> str:
    """Years of serving at a steady load."""
    job = facts.service
    if job is None or job.months < facts.thresholds["buy_months"]:
        return ""
    steady = job.mean_load_pct >= facts.thresholds["steady_mean_load_pct"]
    return f"{plain(job.months)} months at {plain(job.mean_load_pct)}{THIN}% mean load" if steady else ""


@condition
def context_is_long(facts: Facts) -> str:
    """Sequences so long that attention state outweighs the rest."""
    tokens = facts.profile.job.context_tokens
    return f"{plain(tokens, 6)} tokens of context" if tokens >= facts.thresholds["long_context_tokens"] else ""


@condition
def uses_small_floats(facts: Facts) -> str:
    """FP8, FP4 or INT4 weights."""
    precision = facts.profile.job.compute_precision
    return f"{precision.upper()} is asked for" if precision in ("fp8", "fp4", "mxfp4", "int4") else ""


@condition
def port_misses_deadline(facts: Facts) -> str:
    """Porting alone takes a large part of the time to the deadline."""
    deadline, best = facts.profile.limits.deadline_days, facts.best("tpu")
    if deadline is None or best is None:
        return ""
    port = best.time_terms_days.get("porting", 0.0)
    return f"Porting takes {plain(port, 2)} of the {plain(deadline)} days" if port > deadline / 2 else ""


@condition
def pick_needs_porting(facts: Facts) -> str:
    """The best option needs porting."""
    if not facts.ranked or facts.ranked[0].cost.part("porting") <= 0:
        return ""
    return f"The best option needs {usd(facts.ranked[0].cost.part('porting'))} of porting before it runs"


def _aligned(facts: Facts) -> bool:
    tile = int(facts.thresholds["tile"])
    model = facts.profile.model
    if not isinstance(model, TransformerModel):
        return model.conv_channels % tile == 0 or not model.conv_gflops
    return model.d_model % tile == 0 and model.d_ff % tile == 0


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]
