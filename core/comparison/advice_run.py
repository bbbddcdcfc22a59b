"""Conditions of common advice about feeding and interrupting a run: the reason in words, else nothing."""

from __future__ import annotations

from core.comparison.advice_facts import Facts, condition
from core.units import THIN, plain


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
    return save_s / 3600 / interval_h + stops_per_day / 24 * interval_h / 2
