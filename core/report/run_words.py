"""What a run waits for and loses, and a service's mean day, in sentences."""

from __future__ import annotations

from core.comparison.result import CandidateResult
from core.throughput.types import Layout
from core.units import THIN, counted, duration, grouped, noun, plain
from core.workload.profile import Profile

PERCENTILE_WORDS = {"p50": "half of the requests", "p95": "95 of 100 requests", "p99": "99 of 100 requests"}


def run_sentences(profile: Profile, pick: CandidateResult) -> tuple[str, ...]:
    """What the pick's chips wait for, what its run loses, or its replicas over the day; empty where none applies."""
    waits = tuple(f"{note}." for note in pick.throughput.notes if note.startswith("Waits for"))
    return (*waits, *losses_sentences(pick), *_day(profile, pick))


def replica_words(layout: Layout) -> str:
    """``8 replicas``, with the models of the fullest where several share it: ``8 replicas of up to 4 models``; where
    chips share an answer: ``2 replicas, one answer on 4 chips``."""
    replicas = counted(layout.replicas, "replica")
    if layout.shared > 1:
        return f"{replicas}, one answer on {counted(layout.shared, 'chip')}"
    return replicas if layout.models == 1 else f"{replicas} of up to {grouped(layout.models)} models"


def losses_sentences(pick: CandidateResult) -> tuple[str, ...]:
    """Goodput with what lowers it, and the interval between saved states that loses least; empty for inference."""
    losses = pick.losses
    if losses is None:
        return ()
    stops = (
        f"{counted(losses.stops_per_day, 'stop', digits=2)} a day" if losses.stops_per_day < 100 else "constant stops"
    )
    return (
        f"Goodput {plain(100 * losses.goodput, 3)}{THIN}%: {stops} with {duration(losses.restart_h)} to train again, "
        f"{plain(losses.save_s, 2)}{THIN}s of standing still for a saved state; "
        f"a state every {duration(losses.best_interval_h)} loses least.",
    )


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
