"""Which limit a candidate misses, in words, and the nearest change that would admit it."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.amounts import PRICE_AT_MOST, USD, USD_AT_LEAST, Amount, Counted, Sentence, Text, whole
from core.comparison.judge.supply import Supply, supply_limits
from core.constants import HOURS_PER_DAY
from core.cost.bill.types import Cost
from core.cost.registry import rent_parts
from core.ranges import Range
from core.throughput.types import Reason, Throughput
from core.units import LONGEST_DAYS, OVER_A_CENTURY, ms_words, rounded_up
from core.workload.profile import Profile

Floats = NDArray[np.float64]
MOST_STRETCH = 1.5
"""A run on spot without saved states is refused when interruptions make it longer than this (our limit)."""


def missed_limits(
    profile: Profile,
    speed: Throughput,
    cost: Cost,
    ready: Range,
    run_days: float | None,
    n_chips: int,
    step: int,
    enough: int | None,
    usd_per_chip_hour: float,
    spot: SpotRun | None = None,
    term: Term | None = None,
    supply: Supply | None = None,
    sold_in: Text = "",
    held_chips: int | None = None,
) -> tuple[Reason, ...]:
    """Every limit that the likely values miss, the hardest first; empty when all are met.

    ``ready`` is the days until done (or until service starts), of which ``run_days`` are the run. ``step`` is the
    number of chips by which the cluster grows, ``enough`` the
    number of chips of the same offer that was tried and meets every limit, None without. ``spot`` is what a training
    run does on spot, ``term`` how long it takes where the way to pay ends, ``supply`` the wait for its chips and who
    else sells them, ``sold_in`` in which parts the chips come, ``held_chips`` how many the user has.
    """
    if not speed.fits:
        return speed.reasons
    return (
        *_unsaved(profile, spot),
        *_past_term(term),
        *_too_many_chips(profile, n_chips),
        *_not_exactly(profile, n_chips, step, sold_in),
        *_more_than_held(n_chips, held_chips),
        *(supply_limits(profile, supply, n_chips) if supply else ()),
        *_late(profile, speed, ready.likely, run_days, enough),
        *_slow_answers(profile, speed),
        *_over_budget(profile, cost, usd_per_chip_hour),
    )


LIMITS = (
    "spot_no_checkpoints", "term", "max_chips", "exact_chips", "held", "max_wait", "min_sellers", "deadline", "ttft",
    "tpot", "answer", "budget",
)  # fmt: skip
"""Codes of the limits, the hardest first."""

SELLERS, BUDGET = LIMITS.index("min_sellers"), LIMITS.index("budget")


def misses(
    profile: Profile,
    n_chips: NDArray[np.intp],
    is_hopeless: NDArray[np.bool_],
    is_past_term: NDArray[np.bool_],
    waiting_days: Floats,
    ready_days: Floats,
    latency_ms: tuple[Floats, Floats, Floats],
    held_chips: Floats,
) -> NDArray[np.bool_]:
    """Which of :data:`LIMITS` candidates that fit miss, shape (n, 12): what :func:`missed_limits` tells in words.

    All but the number of sellers and the budget, columns :data:`SELLERS` and :data:`BUDGET`, which are known later.

    ``is_hopeless`` marks runs on spot that save nothing and hardly ever end (see :func:`hopeless`), ``is_past_term``
    work that takes longer than its way to pay lasts (see :func:`past_term`).
    ``latency_ms`` are first token, with the way to users, each next token, and a whole answer; nan where nothing is
    served.
    ``held_chips`` are those that the user has of an option, inf for what is for sale.
    """
    limits, times = profile.limits, profile.job.time_limits
    pairs = (
        (is_hopeless.astype(float), 0.5),
        (is_past_term.astype(float), 0.5),
        (n_chips, limits.max_chips),
        (np.abs(n_chips - (limits.exact_chips or 0)), None if limits.exact_chips is None else 0),
        (n_chips - held_chips, 0),
        (waiting_days, limits.max_wait_days),
        (np.zeros(len(n_chips)), None),
        (ready_days, limits.deadline_days),
        *zip(latency_ms, (times.first_ms, times.next_ms, times.whole_ms), strict=True),
        (np.zeros(len(n_chips)), None),
    )
    return np.column_stack([values > (np.inf if limit is None else limit) for values, limit in pairs])


@dataclass(frozen=True, slots=True)
class SpotRun:
    """A training run on spot: expected hours, those without interruptions, and the interval that would lose least."""

    run_h: float
    undisturbed_h: float
    best_interval_h: float


@dataclass(frozen=True, slots=True)
class Term:
    """Days that the work takes, and those after which its way to pay ends, in its words."""

    days: float
    longest_days: float
    way: str


def past_term(days: Floats, longest_days: Floats) -> NDArray[np.bool_]:
    """True for work that takes longer than its way to pay lasts, shape (n,)."""
    return np.asarray(days > longest_days)


def _past_term(term: Term | None) -> list[Reason]:
    if term is None or term.days <= term.longest_days:
        return []
    text = Sentence("{} ends after {}, the work takes {}.", term.way, _days(term.longest_days), _days(term.days))
    return [Reason("term", text, "Take more chips, or another way to pay")]


def hopeless(profile: Profile, run_h: Floats, undisturbed_h: Floats) -> NDArray[np.bool_]:
    """True for training runs that save no state and that interruptions make longer than :data:`MOST_STRETCH` times."""
    if not profile.job.is_lost_when_stopped:
        return np.zeros(len(run_h), dtype=bool)
    return np.asarray(run_h > MOST_STRETCH * np.maximum(undisturbed_h, 1e-9))


def _unsaved(profile: Profile, spot: SpotRun | None) -> list[Reason]:
    if spot is None or not hopeless(profile, np.array([spot.run_h]), np.array([spot.undisturbed_h]))[0]:
        return []
    times = Amount(spot.run_h / spot.undisturbed_h, digits=2)
    text = Sentence(
        "On spot without saved states the run is expected to take {}, {} times the {} it takes undisturbed.",
        _hours(spot.run_h), times, _hours(spot.undisturbed_h),
    )  # fmt: skip
    every = Amount(spot.best_interval_h, "h", 2)
    return [Reason("spot_no_checkpoints", text, Sentence("Save a state every {}", every))]


def _hours(hours: float) -> Text:
    return whole(hours, "h") if hours < HOURS_PER_DAY * LONGEST_DAYS else OVER_A_CENTURY


def _too_many_chips(profile: Profile, n_chips: int) -> list[Reason]:
    limit = profile.limits.max_chips
    if n_chips <= limit:
        return []
    text = Sentence("Takes {}, {} over the limit.", Counted(n_chips, "chip"), whole(n_chips - limit))
    return [Reason("max_chips", text, Sentence("Fits with {} allowed", Counted(n_chips, "chip")))]


def _not_exactly(profile: Profile, n_chips: int, step: int, sold_in: Text) -> list[Reason]:
    """Sold in other numbers, or, where machines work side by side, too few for the load."""
    exact = profile.limits.exact_chips
    if exact is None or n_chips == exact:
        return []
    if not profile.job.trains and exact % step == 0:
        text = Sentence("Needs {}; exactly {} asked.", Counted(n_chips, "chip"), whole(exact))
    else:
        text = Sentence("Sold {}; exactly {} asked.", sold_in, whole(exact))
    is_alone = profile.job.trains and n_chips == step
    return [Reason("exact_chips", text, "" if is_alone else Sentence("Fits with {}", Counted(n_chips, "chip")))]


def _more_than_held(n_chips: int, held: int | None) -> list[Reason]:
    if held is None or n_chips <= held:
        return []
    text = Sentence("Needs {}; you have {}.", Counted(n_chips, "chip"), whole(held))
    return [Reason("held", text, Sentence("Fits with {} more", Counted(n_chips - held, "chip")))]


def sold_in_words(chips_per_host: int, in_slices: bool, works: bool) -> Text:
    """In which parts chips are sold, after "Sold"; ``works``: machines join, or need not for this work."""
    if not works:
        return Sentence("as machines of {} that do not join", Counted(chips_per_host, "chip"))
    return "in slices" if in_slices else Sentence("in whole hosts of {}", whole(chips_per_host))


def _late(profile: Profile, speed: Throughput, days: float, run_days: float | None, enough: int | None) -> list[Reason]:
    deadline = profile.limits.deadline_days
    if deadline is None or days <= deadline:
        return []
    late = _days(days - deadline)
    if run_days is None:
        text = Sentence("Ready {} past the deadline.", late)
    else:
        text = Sentence("{} past the deadline.", late.capitalize() if isinstance(late, str) else late)
    if faster := _faster_storage(profile, speed, deadline - days, run_days):
        return [Reason("deadline", text, faster)]
    return [Reason("deadline", text, _sooner(days, enough))]


def _faster_storage(profile: Profile, speed: Throughput, spare_days: float, run_days: float | None) -> Text:
    """Storage that all hosts share sets the pace, which more chips would not change; empty otherwise."""
    run = profile.job.training
    if speed.bottleneck != "input" or run is None or not run.storage_gb_per_s:
        return ""
    left = (run_days or 0.0) + spare_days
    if left <= 0:
        return ""
    return Sentence("May fit with storage {} times as fast", Amount((run_days or 0.0) / left, digits=2))


def _sooner(days: float, enough: int | None) -> Sentence:
    """So many chips of the same offer, which keep every limit, else a later deadline."""
    if enough is not None:
        return Sentence("Every limit is met with {}", Counted(enough, "chip"))
    return Sentence("Fits with a deadline of {}", _days(math.ceil(days)))


def _slow_answers(profile: Profile, speed: Throughput) -> list[Reason]:
    limits, latency = profile.job.time_limits, speed.latency
    if latency is None:
        return []
    what = "Answer" if speed.unit == "samples" else "First token"
    first_ms, token_ms = latency.ttft_ms(limits.percentile), latency.tpot_ms(limits.percentile)
    way_ms = speed.system.route_ms
    return [
        *_over_ms("ttft", what, first_ms + way_ms, limits.first_ms),
        *_over_ms("tpot", "Each next token", token_ms, limits.next_ms),
        *_over_ms("answer", "A whole answer", limits.whole(first_ms, token_ms) + way_ms, limits.whole_ms),
    ]


def _over_ms(code: str, what: str, value_ms: float, limit_ms: float | None) -> list[Reason]:
    if limit_ms is None or value_ms <= limit_ms:
        return []
    value, over = ms_words(value_ms, 2), ms_words(value_ms - limit_ms, 2)
    text = Sentence("{} takes {}, {} over the limit.", what, value, over)
    return [Reason(code, text, Sentence("Fits with {} allowed", ms_words(rounded_up(value_ms, 2), 2)))]


def _over_budget(profile: Profile, cost: Cost, usd_per_chip_hour: float) -> list[Reason]:
    budget = profile.limits.budget_usd
    if budget is None or cost.total.likely <= budget:
        return []
    text = Sentence("{} over budget.", Amount(cost.total.likely - budget, USD))
    priced = sum(cost.part(part) for part in rent_parts())
    left = budget - (cost.total.likely - priced)
    if priced <= 0 or left <= 0:
        return [Reason("budget", text, Sentence("Fits with a budget of {}", Amount(cost.total.likely, USD_AT_LEAST)))]
    price = Amount(usd_per_chip_hour * left / priced, PRICE_AT_MOST)
    return [Reason("budget", text, Sentence("Fits at {} per chip hour", price))]


def _days(days: float) -> Text:
    if days > LONGEST_DAYS:
        return OVER_A_CENTURY
    return Amount(days, "d", 2) if days < 10 else whole(days, "d")
