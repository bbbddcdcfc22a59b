"""What accepting a calibration would change of an answer, in words."""

from __future__ import annotations

from core.amounts import USD, Amount, Sentence, Text, days
from core.comparison.result import CandidateResult, ResultSet
from core.units import THIN, plain

_NOTICED_DAYS = 0.05
_NOTICED_SHARE = 0.001


def effect_words(before: ResultSet, after: ResultSet, accelerator_id: str) -> str:
    """``The H100 range shrinks from ±15 % to ±7 %; 512 × H100 then ends 4 days later, and the pick stays so.``"""
    old, new = _best_of(before, accelerator_id), _best_of(after, accelerator_id)
    parts: list[Text] = []
    if old and new:
        parts.append(_range_words(old, new))
        if moved := _days_words(after, old) or _cost_words(after, old):
            parts.append(moved)
    parts.append(_pick_words(before, after))
    template = "; ".join(["{}"] * (len(parts) - 1)) + (", and {}." if len(parts) > 1 else "{}.")
    text = str(Sentence(template, *parts))
    return text[:1].upper() + text[1:]


def _best_of(results: ResultSet, accelerator_id: str) -> CandidateResult | None:
    every = results.best_per_accelerator
    return next((one for one in every if one.candidate.accelerator.id == accelerator_id and one.throughput.fits), None)


def _half_width_pct(one: CandidateResult) -> float:
    speed = one.throughput.tokens_per_s
    return 100.0 * (speed.high - speed.low) / (2.0 * speed.likely)


def _range_words(old: CandidateResult, new: CandidateResult) -> Text:
    chip = old.candidate.accelerator.short_name
    first, last = (f"±{plain(_half_width_pct(one), 2)}{THIN}%" for one in (old, new))
    if first == last:
        return Sentence("the {} range stays {}", chip, first)
    verb = "shrinks" if _half_width_pct(new) < _half_width_pct(old) else "grows"
    return Sentence("the {} range {} from {} to {}", chip, verb, first, last)


def _days_words(after: ResultSet, old: CandidateResult) -> Text | None:
    """How much later or earlier the same option ends; None where nothing ends or it is not there any more."""
    new = after.by_id[old.id] if old.id in after.row_of else None
    if new is None or new.days_to_finish is None or old.days_to_finish is None:
        return None
    moved = new.days_to_finish.likely - old.days_to_finish.likely
    if abs(moved) < _NOTICED_DAYS:
        return None
    return Sentence("{} then ends {} {}", old.candidate.name, days(abs(moved)), "later" if moved > 0 else "earlier")


def _cost_words(after: ResultSet, old: CandidateResult) -> Text | None:
    """How much dearer or cheaper the same option gets; None for next to nothing."""
    new = after.by_id[old.id] if old.id in after.row_of else None
    moved = new.cost.total.likely - old.cost.total.likely if new else 0.0
    if abs(moved) < _NOTICED_SHARE * old.cost.total.likely:
        return None
    return Sentence("{} then costs {} {}", old.candidate.name, Amount(abs(moved), USD), "more" if moved > 0 else "less")


def _pick_words(before: ResultSet, after: ResultSet) -> Text:
    old, new = before.recommendation.choice, after.recommendation.choice
    if new is None:
        return "there is no pick"
    name = after.by_id[new].candidate.name
    if old == new:
        return Sentence("the pick stays {}", name)
    return Sentence("the pick becomes {}", name)
