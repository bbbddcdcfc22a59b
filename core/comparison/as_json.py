"""The one object that ``roofplan compare --json`` prints."""

from __future__ import annotations

import math
from datetime import date
from typing import Any

from core.catalogue.own.stand_ins import NOTE
from core.catalogue.places.distance import RouteToUsers
from core.catalogue.prices.age import price_age
from core.catalogue.prices.dates import OLD_PRICE_DAYS
from core.comparison.chance.outcomes import LIMITS
from core.comparison.json_units import UNITS
from core.comparison.json_values import cents, cents_or_none, number, number_or_none, number_range
from core.comparison.obtain.obtainable import Obtainable
from core.comparison.questions.budget_reach import NOTHING, BudgetReach, Reach
from core.comparison.questions.have import Have, have
from core.comparison.recommendation.warnings import warnings_on
from core.comparison.result import (
    AdviceRule,
    CandidateResult,
    Chance,
    FlipPoint,
    Lead,
    Recommendation,
    ResultSet,
    RunLosses,
)
from core.throughput.correction import NO_CORRECTIONS, Corrections, SpeedFactor
from core.throughput.types import Latency, Reason, Throughput
from core.workload.doubts import doubts
from core.workload.jobs.kinds import Job

TRAINING_LAYOUT = ("dp", "fsdp", "tp", "pp", "cp", "ep", "micro_batch", "recompute")
SERVING_LAYOUT = ("tp", "pp", "ep", "replicas", "max_batch", "models", "prefill_replicas", "shared")


def to_json(
    results: ResultSet,
    top: int | None = None,
    today: date | None = None,
    old_price_days: int = OLD_PRICE_DAYS,
) -> dict[str, Any]:
    """Results as plain values; ``top`` keeps that many candidates, and the pick.

    Parts of a cost sum to its likely value.
    Prices older than so many days on ``today`` (the present day by default) are flagged.
    """
    day = today or date.today()
    profile = results.profile
    shown = results.results if top is None else _first(results, top)
    return {
        **({"private_prices": NOTE} if results.is_masked else {}),
        "profile": {"id": profile.id, "name": profile.name, "kind": profile.job.kind},
        "comment": profile.note or None,
        "units": UNITS,
        "catalogue_date": results.catalogue_date,
        "calibration": results.calibration,
        "corrections": corrections_json(results.basis.corrections if results.basis else NO_CORRECTIONS),
        "oldest_price": results.oldest_price,
        "old_price_days": old_price_days,
        "missing": list(results.missing),
        "doubts": [{"field": one.path, "text": one.text} for one in doubts(profile)],
        "candidates": [
            candidate_json(result, profile.job) | _dated(results, result, day, old_price_days) for result in shown
        ],
        "have": [have_json(one) for one in have(results.columns, results.results)],
        "recommendation": recommendation_json(results.recommendation),
        "advice": [advice_json(rule) for rule in results.advice],
        "advice_conflicts": [str(sentence) for sentence in results.advice_conflicts],
    }


def corrections_json(corrections: Corrections) -> list[dict[str, Any]]:
    """What logs changed in this answer: every factor of speed and of other terms, for the paper and for scripts."""
    speeds: list[tuple[tuple[str, str, float | None], SpeedFactor]]
    speeds = [((*key, None), one) for key, one in corrections.factors.items()]
    speeds += [(key, one) for key, one in corrections.of_models.items()]
    of_speed = [
        {
            "term": "speed", "accelerator": chip, "work": work, "n_params": n_params, "factor": number(one.factor),
            "spread": number(one.spread), "n_logs": one.n_records, "evidence": str(one.evidence),
        }
        for (chip, work, n_params), one in speeds
    ]  # fmt: skip
    of_terms = [
        {
            "term": one.term, "accelerator": one.accelerator_id, "n_params": one.n_params,
            "network_gbit_per_s": one.network_gbit_per_s, "storage": one.storage, "factor": number(one.factor),
            "spread": number(one.spread), "n_logs": one.n_records,
        }
        for one in corrections.terms
    ]  # fmt: skip
    return [*of_speed, *of_terms]


def _first(results: ResultSet, top: int) -> list[CandidateResult]:
    """The first candidates, and the pick behind them where it is not among them."""
    first, pick = list(results.results[:top]), results.choice
    return [*first, pick] if pick is not None and all(pick.id != one.id for one in first) else first


def candidate_json(result: CandidateResult, job: Job) -> dict[str, Any]:
    """One candidate as the command line tells it."""
    serving = not job.trains
    return {
        **_what(result),
        "feasible": result.feasible,
        "reasons": [_reason(reason) for reason in result.reasons],
        **_speed(result.throughput, serving),
        "time_h": number_range(result.run_h),
        "days_to_finish": number_range(result.days_to_finish) if result.days_to_finish else None,
        "time_terms_days": {term: number(days) for term, days in result.time_terms_days.items()},
        "load": _load(result, job),
        "round_trip_ms": _way(result.route) if result.route else None,
        "losses": _losses(result.losses) if result.losses else None,
        "cost_usd": _cost(result),
        "flexibility": _flexibility(result),
        "energy_kwh": number_range(result.energy_kwh),
        "carbon_kg": number_or_none(result.carbon_kg),
        "evidence": result.evidence.value,
        "utility": number(result.utility),
        "pareto": result.pareto,
        "rank": result.rank,
        "obtainable": result.obtainable.status,
        "wait_days": _wait(result.obtainable),
        "proof": _proof(result.obtainable),
        **_chance(result.chance),
    }


def _dated(results: ResultSet, result: CandidateResult, day: date, old_price_days: int) -> dict[str, Any]:
    """The age of a candidate's price on a day, ``old`` None where it carries no date, and what to know beforehand."""
    warned = warnings_on(results, result, day, old_price_days)
    age = price_age(result.candidate.offer, day, old_price_days)
    aged = {"age_days": age.days, "old": None if age.is_undated else age.is_old}
    return {
        "price": _price(result) | aged,
        "warnings": [_reason(reason) for reason in warned],
    }


def budget_reach_json(reach: BudgetReach) -> dict[str, Any] | None:
    """How far the budget gets; None for work that is no training run."""
    if reach is NOTHING:
        return None
    largest = reach.largest
    return {
        "budget_usd": cents(reach.budget_usd),
        "options": [_reach(one) for one in reach.reaches],
        "pick": _reach(reach.shown) if reach.shown else None,
        "largest_model": {
            "params": largest.model.n_params,
            "tokens": number(largest.n_tokens),
            "layers": largest.model.n_layers,
            "candidate": largest.result.id,
            "cost_usd": cents(largest.result.cost.total.likely),
        }
        if largest
        else None,
    }


def _reach(reach: Reach) -> dict[str, Any]:
    days = reach.result.days_to_finish
    return {
        "candidate": reach.result.id,
        reach.unit: number(reach.n_tokens),
        "cost_usd": cents(reach.result.cost.total.likely),
        "days": number(days.likely) if days else None,
    }


def have_json(one: Have) -> dict[str, Any]:
    """What the user's own chips do, and the option that would be better."""
    return {
        "candidate": one.own.id,
        "held_chips": one.own.candidate.offer.held_chips,
        "instead": one.other.id if one.other else None,
        "extra_usd": cents_or_none(one.extra_usd),
        "sooner_days": number_or_none(one.sooner_days),
        "sentence": str(one.sentence),
    }


def recommendation_json(recommendation: Recommendation) -> dict[str, Any]:
    """The pick and its defence."""
    return {
        "choice": recommendation.choice,
        "runner_up": recommendation.runner_up,
        "nearest": recommendation.nearest,
        "lean": recommendation.lean,
        "strength": recommendation.strength,
        "confidence": recommendation.confidence,
        "confidence_why": str(recommendation.confidence_why),
        "headline": str(recommendation.headline),
        "reasons": [str(reason) for reason in recommendation.reasons_for],
        "reasons_against": [str(reason) for reason in recommendation.reasons_against],
        "would_change_it": [_flip(point) for point in recommendation.would_change_it],
        "stays_first_pct": number(recommendation.stays_first_pct),
        "beats_runner_up": number_or_none(recommendation.beats_runner_up),
        "too_close_to": [recommendation.runner_up] if recommendation.too_close else [],
        "leads": [_lead(lead) for lead in recommendation.leads],
    }


def advice_json(rule: AdviceRule) -> dict[str, Any]:
    """One rule of common advice that fired."""
    return {
        "rule": rule.rule,
        "title": rule.title,
        "favours": rule.favours,
        "fired_because": str(rule.fired_because),
        "agrees": rule.agrees,
        "name": rule.name,
        "source": rule.source,
        "as_of": rule.as_of,
        "newer": rule.newer,
    }


def _what(result: CandidateResult) -> dict[str, Any]:
    candidate = result.candidate
    chip, offer = candidate.accelerator, candidate.offer
    return {
        "id": candidate.id,
        "name": candidate.name,
        "accelerator": chip.id,
        "kind": chip.kind,
        "vendor": chip.vendor,
        "provider": offer.provider,
        "region": offer.region,
        "regions": list(candidate.regions or (offer.region,)),
        "purchase_model": offer.purchase_model,
        "host": offer.instance,
        "n_hosts": candidate.n_hosts,
        "n_chips": candidate.n_chips,
        "price": _price(result),
    }


def _price(result: CandidateResult) -> dict[str, Any]:
    offer, price = result.candidate.offer, result.candidate.price
    today = price.of(offer)
    return {
        "usd_per_chip_hour": offer.usd_per_chip_hour,
        "usd_per_chip_hour_today": number(today.likely),
        "usd_per_chip_hour_today_low": number(today.low),
        "usd_per_chip_hour_today_high": number(today.high),
        "price_basis": price.basis,
        "price_basis_source": price.source or None,
        "as_of": offer.as_of,
        "source": offer.source,
        "estimate": offer.estimate,
        "layer": offer.layer,
    }


def _speed(speed: Throughput, serving: bool) -> dict[str, Any]:
    tokens = speed.tokens_per_s
    names = SERVING_LAYOUT if serving else TRAINING_LAYOUT
    return {
        "layout": {name: getattr(speed.layout, name) for name in names},
        "throughput": {
            "tokens_per_s": number(tokens.likely),
            "samples_per_s": number(speed.samples_per_s),
            "unit": speed.unit,
            "low": number(tokens.low),
            "high": number(tokens.high),
        },
        "step_time_s": number(speed.step_time_s),
        "step_terms_s": {term: number(seconds) for term, seconds in speed.step_terms_s.items()},
        "mfu": number(speed.mfu),
        "runs_in": speed.precision,
        "speed_notes": list(speed.notes),
        "bottleneck": speed.bottleneck,
        "memory_gib": {
            **{part: number(gib) for part, gib in speed.memory_gib.items()},
            "capacity": number(speed.memory_capacity_gib),
        },
        "latency": _latency(speed.latency) if serving and speed.latency else None,
    }


def _way(route: RouteToUsers) -> dict[str, Any]:
    """There and back to the mean place of users, an estimate from the distance; the farthest place beside it."""
    return {
        **number_range(route.mean_ms),
        "farthest": {"place": route.farthest, **number_range(route.farthest_ms)},
        "estimate": True,
        "assumed_place": route.assumed or None,
    }


def _load(result: CandidateResult, job: Job) -> dict[str, Any] | None:
    """What serving replicas carry within the limits of time, and how many are held in each hour of a mean day."""
    load, day = result.throughput.load, result.day(job)
    if load is None or day is None:
        return None
    return {
        "max_requests_per_s": number(load.max_requests_per_s),
        "replicas": load.replicas,
        "requests_per_s_by_hour": [number(rate) for rate in day.requests_per_s],
        "replicas_by_hour": [number(count) for count in day.replicas],
        "chip_hours_per_day": number(day.chip_hours),
    }


def _wait(having: Obtainable) -> dict[str, Any]:
    """How long its chips are waited for, and by what source."""
    wait = having.wait
    return {**number_range(wait.days), "source": wait.source, "as_of": wait.as_of, "estimate": wait.estimate}


def _proof(having: Obtainable) -> dict[str, Any]:
    """Why it can be had or not, and by what source; how far its price is proved."""
    return {"why": having.why, "source": having.source, "estimate": having.estimate, "price": having.price}


def _chance(chance: Chance | None) -> dict[str, Any]:
    """Shares of the draws, 0..1; None for a rejected candidate, or where nothing is said."""
    told = chance or Chance(math.nan)
    return {
        "chance_best": number_or_none(told.best),
        "chance_in_limits": number_or_none(told.in_limits),
        "chance_in_each_limit": {limit: number_or_none(getattr(told, limit)) for limit in LIMITS},
        "regret_usd": cents_or_none(told.regret_usd),
    }


def _lead(lead: Lead) -> dict[str, Any]:
    return {
        "id": lead.id,
        "saves_usd": cents_or_none(lead.saving_usd),
        "saves_days": number_or_none(lead.saving_days),
        "faster_share": number_or_none(lead.faster_as_told),
        "ask": list(lead.confirm),
        "better_up_to_usd": number_or_none(lead.better_up_to_usd_per_chip_hour),
        "chance_best_then": number_or_none(lead.best_then),
    }


def _losses(losses: RunLosses) -> dict[str, Any]:
    return {
        "goodput": number(losses.goodput),
        "stops_per_day": number(losses.stops_per_day),
        "save_s": number(losses.save_s),
        "restart_h": number(losses.restart_h),
        "start_h": number(losses.start_h),
        "best_interval_h": number(losses.best_interval_h),
        "write_s": number(losses.write_s),
        "done_again": number(losses.done_again),
    }


def _latency(latency: Latency) -> dict[str, Any]:
    return {
        "ttft_ms": {"p50": number(latency.ttft_p50_ms), "p99": number(latency.ttft_p99_ms)},
        "tpot_ms": {"p50": number(latency.tpot_p50_ms), "p99": number(latency.tpot_p99_ms)},
    }


def _cost(result: CandidateResult) -> dict[str, Any]:
    """Likely cost is the sum of the parts as rounded to cents, so that a reader's own sum agrees; null where nothing
    runs, of which a bill of some hours of people would be left."""
    cost = result.cost
    parts = {part.id: cents(part.usd) for part in cost.parts}
    likely = cents(sum(parts.values()))
    told = {
        "low": cents(min(cost.total.low, likely)),
        "likely": likely,
        "high": cents(max(cost.total.high, likely)),
        "parts": parts,
        "unit": f"usd per {cost.unit}",
        "per_unit": number(cost.unit_usd),
        "per_month": cents(cost.per_month_usd),
        "per_run": cents(cost.per_run_usd),
        "per_year": cents(cost.per_year_usd),
        "per_epoch": cents_or_none(cost.per_epoch_usd),
        "per_experiment": cents_or_none(cost.per_experiment_usd),
    }
    return told if result.throughput.runs else _without_amounts(told)


def _without_amounts(told: dict[str, Any]) -> dict[str, Any]:
    """The same keys and unit."""
    return {
        key: dict.fromkeys(value) if isinstance(value, dict) else value if key == "unit" else None
        for key, value in told.items()
    }


def _flexibility(result: CandidateResult) -> dict[str, Any]:
    score = result.flexibility.score
    return {
        "score": number(score.likely),
        "low": number(score.low),
        "high": number(score.high),
        "criteria": [
            {
                "id": c.id,
                "title": c.title,
                "value": number(c.value.likely),
                "low": number(c.value.low),
                "high": number(c.value.high),
                "weight": c.weight,
                "evidence": c.evidence,
                "estimate": c.estimate,
                "set_by_hand": c.note or None,
            }
            for c in result.flexibility.criteria
        ],
        "exit_usd": cents(result.flexibility.exit_usd),
        "exit_weeks": number(result.flexibility.exit_weeks),
    }


def _flip(point: FlipPoint) -> dict[str, Any]:
    return {
        "input": point.input_name,
        "now": str(point.now),
        "flips_at": None if point.flips_at is None else str(point.flips_at),
        "new_winner": point.new_winner_id,
        "input_id": point.input_id,
        "value": number_or_none(point.value),
        "new_winner_name": point.new_name if point.new_winner_id else None,
    }


def _reason(reason: Reason) -> dict[str, str]:
    told = {"code": reason.code, "text": str(reason.text)}
    return {**told, "nearest_change": str(reason.nearest_change)} if reason.nearest_change else told
