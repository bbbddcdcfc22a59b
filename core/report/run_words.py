"""What a run waits for and loses, and a service's mean day, in sentences."""

from __future__ import annotations

from core.comparison.result import CandidateResult
from core.units import THIN, duration, grouped, plain
from core.workload.profile import Profile

PERCENTILE_WORDS = {"p50": "half of the requests", "p99": "99 of 100 requests"}


def run_sentences(profile: Profile, pick: CandidateResult) -> tuple[str, ...]:
    """What the pick's chips wait for, what its run loses, or its replicas over the day; empty where none applies."""
    waits = tuple(f"{note}." for note in pick.throughput.notes if note.startswith("Waits for"))
    return (*waits, *losses_sentences(pick), *_day(profile, pick))


def losses_sentences(pick: CandidateResult) -> tuple[str, ...]:
    """Goodput with what lowers it, and the interval between saved states that loses least; empty for inference."""
    found = pick.losses
    if found is None:
        return ()
    stops = f"{plain(found.stops_per_day, 2)} stops a day" if found.stops_per_day < 100 else "constant stops"
    return (
        f"Goodput {plain(100 * found.goodput, 3)}{THIN}%: {stops} with {duration(found.restart_h)} to train again, "
        f"{plain(found.save_s, 2)}{THIN}s of standing still for a saved state; "
        f"a state every {duration(found.best_interval_h)} loses least.",
    )


def _day(profile: Profile, pick: CandidateResult) -> tuple[str, ...]:
    load, day = pick.throughput.load, pick.day(profile.job)
    if load is None or day is None:
        return ()
    least, most = (grouped(float(count)) for count in (day.replicas.min(), day.replicas.max()))
    replicas = most if least == most else f"{least} to {most}"
    return (
        f"Carries {plain(load.max_requests_per_s)} requests a second within the limits of time; "
        f"holds {replicas} replicas over a mean day, {grouped(day.chip_hours)} chip hours.",
    )
