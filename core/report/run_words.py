"""What a run waits for and loses, and a service's mean day, in sentences."""

from __future__ import annotations

from core.comparison.result import CandidateResult
from core.constants import HOURS_PER_DAY
from core.throughput.types import Layout
from core.units import THIN, counted, duration, grouped, noun, plain
from core.workload.profile import Profile

PERCENTILE_WORDS = {"p50": "half of the requests", "p95": "95 of 100 requests", "p99": "99 of 100 requests"}

PHASE_WORDS = {
    "rollout": "Answers",
    "scoring": "Scores",
    "training": "Training",
    "sync": "New weights sent",
    "switching": "Turning to train and back",
    "overhead": "Between processes",
}
"""Phases of a step of reinforcement learning."""


def run_sentences(profile: Profile, pick: CandidateResult) -> tuple[str, ...]:
    """What the pick's chips wait for, what its run loses, or its replicas over the day; empty where none applies."""
    waits = tuple(f"{note}." for note in pick.throughput.notes if note.startswith("Waits for"))
    return (*_steps(profile, pick), *waits, *losses_sentences(pick), *_day(profile, pick))


def _steps(profile: Profile, pick: CandidateResult) -> tuple[str, ...]:
    """Steps of a run with what each takes and its phases; empty for work without such steps."""
    size, run, speed = profile.job.step_tokens, profile.job.training, pick.throughput
    if size is None or run is None:
        return ()
    parts = ", ".join(f"{PHASE_WORDS[part].lower()} {plain(s)}{THIN}s" for part, s in speed.step_terms_s.items())
    steps = counted(run.n_tokens / size, "step")
    return (f"{steps} a run, each of {plain(speed.step_time_s)}{THIN}s: {parts}.", *(f"{n}." for n in _answering(pick)))


def _answering(pick: CandidateResult) -> tuple[str, ...]:
    return tuple(note for note in pick.throughput.notes if " answer in " in note)


def replica_words(layout: Layout) -> str:
    """``8 replicas``, with their models and tasks: ``8 replicas of up to 4 models, 3 of them only read prompts``; where
    chips share an answer: ``2 replicas, one answer on 4 chips``."""
    replicas = counted(layout.replicas, "replica")
    replicas += f" of up to {grouped(layout.models)} models" if layout.models > 1 else ""
    split = f", {grouped(layout.prefill_replicas)} of them only read prompts" if layout.prefill_replicas else ""
    shared = f", one answer on {counted(layout.shared, 'chip')}" if layout.shared > 1 else ""
    return replicas + split + shared


def losses_sentences(pick: CandidateResult) -> tuple[str, ...]:
    """Goodput with what lowers it, and the interval between saved states that loses least; empty for inference."""
    losses = pick.losses
    if losses is None:
        return ()
    kept = pick.throughput.system.measured.kept
    stalls = f", {plain(100 * (1.0 - kept), 2)}{THIN}% for stalls, as in your logs" if kept < 1.0 else ""
    return (
        f"Goodput {plain(100 * losses.goodput, 3)}{THIN}%: {_stops(losses.stops_per_day)} "
        f"with {duration(losses.restart_h)} to train again, "
        f"{plain(losses.save_s, 2)}{THIN}s of standing still for a saved state, "
        f"{plain(100 * losses.done_again, 2)}{THIN}% for evaluation and steps done again{stalls}; "
        f"a state every {duration(losses.best_interval_h)} loses least.",
    )


def _stops(per_day: float) -> str:
    """``one stop in 4 d``, ``2.5 stops a day``."""
    if 0 < per_day < 1:
        return f"one stop in {duration(HOURS_PER_DAY / per_day)}"
    return f"{counted(per_day, 'stop', digits=2)} a day" if per_day < 100 else "constant stops"


def _day(profile: Profile, pick: CandidateResult) -> tuple[str, ...]:
    load, day = pick.throughput.load, pick.day(profile.job)
    if load is None or day is None:
        return ()
    least, most = (grouped(float(count)) for count in (day.replicas.min(), day.replicas.max()))
    replicas = most if least == most else f"{least} to {most}"
    return (
        f"Carries {plain(load.max_requests_per_s)} requests a second within the limits of time; "
        f"holds {replicas} {noun(replicas, 'replica')} over a mean day, {counted(day.chip_hours, 'chip hour')}.",
    )
