"""Conditions of common advice about the work itself, its model and its load: the reason, else nothing."""

from __future__ import annotations

from typing import assert_never

from core.amounts import SCALED, Amount, Counted, Sentence, Text
from core.comparison.advice.conditions import Facts, compiles_for_tpu, condition
from core.units import ms_words
from core.workload.jobs.base import DATA_KIND_WORDS
from core.workload.jobs.kinds import BatchInference, OnlineServing, TrainingJob
from core.workload.models.known import presets
from core.workload.models.network import FAMILY_WORDS, NetworkModel
from core.workload.models.transformer import TransformerModel

PREPARED = "tokens"
"""Data that needs no more work on the way to the chips."""


@condition
def is_latency_bound(facts: Facts) -> Text:
    """A tight first token limit, or uneven traffic without autoscaling."""
    job = facts.service
    if job is None:
        return ""
    tight = job.ttft_limit_ms is not None and job.ttft_limit_ms <= facts.thresholds["tight_ttft_ms"]
    uneven = job.mean_load_pct <= facts.thresholds["bursty_mean_load_pct"]
    first, load = ms_words(job.ttft_limit_ms or 0.0), Amount(job.mean_load_pct, "%")
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
    if facts.is_blank or not _aligned(facts):
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
    if facts.is_blank or _aligned(facts):
        return ""
    return Sentence("Hidden or feed-forward size is no multiple of {}", Amount(facts.thresholds["tile"]))


@condition
def context_is_long(facts: Facts) -> Text:
    """Sequences so long that attention state outweighs the rest."""
    tokens = facts.profile.job.context_tokens
    if tokens < facts.thresholds["long_context_tokens"]:
        return ""
    return Sentence("{} tokens of context", Amount(tokens, digits=6))


@condition
def is_small_or_varied(facts: Facts) -> Text:
    """A network other than a large transformer: vision, graphs, diffusion, small models."""
    model = facts.profile.model
    if facts.is_blank or model.n_params >= facts.thresholds["small_params"]:
        return ""
    what = FAMILY_WORDS[model.family] if isinstance(model, NetworkModel) else "A transformer"
    return Sentence("{}, {} weights", what, Amount(model.n_params, SCALED))


@condition
def trains_a_known_model(facts: Facts) -> Text:
    """Training of a model whose shape everybody knows."""
    name = facts.profile.model.name
    is_known = facts.profile.job.trains and name in presets()
    return f"{name} is public, and so are recipes for it" if is_known else ""


@condition
def prepares_on_the_way(facts: Facts) -> Text:
    """Data that is decoded or tokenised beside the training."""
    run = facts.training
    return DATA_KIND_WORDS[run.data_kind] if run is not None and run.data_kind != PREPARED else ""


@condition
def is_a_large_recommender(facts: Facts) -> Text:
    """A recommender with large embedding tables, with Google Cloud open."""
    model = facts.profile.model
    if not isinstance(model, NetworkModel) or model.family != "recommender" or not facts.google_allowed:
        return ""
    if facts.training is None or 1e6 * model.table_millions < facts.thresholds["dense_params"]:
        return ""
    return Sentence("Embedding tables of {} values", Amount(1e6 * model.table_millions, SCALED))


@condition
def trains_in_bf16(facts: Facts) -> Text:
    """Training in BF16 of code that compiles for TPUs."""
    is_so = facts.training is not None and facts.profile.job.compute_precision == "bf16" and compiles_for_tpu(facts)
    return "It trains in BF16, which needs no scaling of the loss" if is_so else ""


@condition
def demand_is_even(facts: Facts) -> Text:
    """A load that is nearly the same at all hours."""
    job = facts.service
    if job is None or job.traffic != "steady" or job.mean_load_pct < facts.thresholds["steady_mean_load_pct"]:
        return ""
    return Sentence("The load stays near its peak: {} on average", Amount(job.mean_load_pct, "%"))


@condition
def demand_swings(facts: Facts) -> Text:
    """A load that swings over the day, or lies far below its peak."""
    job = facts.service
    if job is None:
        return ""
    is_low = job.mean_load_pct <= facts.thresholds["bursty_mean_load_pct"]
    if job.traffic == "steady" and not is_low:
        return ""
    words = "The load swings over the day" if job.traffic != "steady" else "The load is seldom near its peak"
    return Sentence("{}: {} of the peak on average", words, Amount(job.mean_load_pct, "%"))


@condition
def works_round_the_clock(facts: Facts) -> Text:
    """A service that is busy most hours of the day."""
    job = facts.service
    if job is None or job.mean_load_pct < facts.thresholds["steady_mean_load_pct"]:
        return ""
    return Sentence("The chips are busy {} of the hours", Amount(job.mean_load_pct, "%"))


@condition
def works_in_cycles(facts: Facts) -> Text:
    """Training that is run again and again, with pauses between."""
    run = facts.training
    return Sentence("{} one after the other", Counted(run.n_runs, "run")) if run and run.n_runs > 1 else ""


def _aligned(facts: Facts) -> bool:
    tile = int(facts.thresholds["tile"])
    model = facts.profile.model
    if not isinstance(model, TransformerModel):
        return model.conv_channels % tile == 0 or not model.conv_gflops
    return model.d_model % tile == 0 and model.d_ff % tile == 0
