"""Rules of common advice that fire for different sides: which two, and what decides between them."""

from __future__ import annotations

from collections.abc import Sequence

from core.amounts import USD, Amount, Sentence, Text, lower_first, without_stop
from core.comparison.advice.rules import rule_book
from core.comparison.columns import of_kinds
from core.comparison.result import AdviceRule, CandidateResult

_KINDS = {"gpu": "GPU", "tpu": "TPU"}
_OF_OFFERS = ("purchase", "provider", "region", "seller_class")
"""Reasons that turn down an offer beside which others of the chip may be allowed."""


def conflicts(
    advice: Sequence[AdviceRule], ranked: Sequence[CandidateResult], rejected: Sequence[CandidateResult] = ()
) -> tuple[Text, ...]:
    """``Framework fit says TPU; workload maturity says GPU; the numbers decide for TPU: ...``; empty without any.

    One sentence for each pair of rules that the guides are known to set against each other, the weightiest first; where
    both sides are taken by others, one for the first rule of each.
    """
    by_side = {side: [rule for rule in advice if rule.favours == side] for side in _KINDS}
    pairs = [pair for one, other in rule_book().opposed if (pair := _opposed(by_side, one, other))]
    if not pairs and all(by_side.values()):
        pairs = [(by_side["tpu"][0], by_side["gpu"][0])]
    decided = _decided(ranked, rejected)
    return tuple(Sentence("{} says {}; {} says {}{}", *_words(pair), decided) for pair in pairs)


def _opposed(by_side: dict[str, list[AdviceRule]], one: str, other: str) -> tuple[AdviceRule, AdviceRule] | None:
    """The rules of two ids where they take different sides, and each of them one side only."""
    sides = {
        name: {side for side, rules in by_side.items() for rule in rules if rule.rule == name} for name in (one, other)
    }
    if len(sides[one]) != 1 or len(sides[other]) != 1 or sides[one] == sides[other]:
        return None
    first, second = (
        next(rule for rule in by_side[next(iter(sides[name]))] if rule.rule == name) for name in (one, other)
    )
    return first, second


def _words(pair: tuple[AdviceRule, AdviceRule]) -> tuple[str, str, str, str]:
    one, other = pair
    return one.name, _KINDS[one.favours], str(lower_first(other.name)), _KINDS[other.favours]


def _decided(ranked: Sequence[CandidateResult], rejected: Sequence[CandidateResult]) -> Text:
    """What decided: a limit that leaves one kind, or by how much the best of the one beats that of the other."""
    if not ranked:
        return ""
    kind = ranked[0].candidate.accelerator.kind
    if kind not in _KINDS:
        return f"; neither is picked but {ranked[0].candidate.name}"
    other = "tpu" if kind == "gpu" else "gpu"
    rival = next((one for one in ranked if one.candidate.accelerator.kind == other), None)
    if rival is not None:
        return Sentence("; the numbers decide for {}: {}", _KINDS[kind], _beside(ranked[0], rival))
    refused = [one for one in of_kinds(rejected, other) if one.reasons]
    nearest = min(refused, key=lambda one: one.reasons[0].code in _OF_OFFERS, default=None)
    if nearest is None:
        return f"; no {_KINDS[other]} can be had for it"
    why = without_stop(nearest.reasons[0].text)
    return Sentence("; a limit decides for {}. {}: {}", _KINDS[kind], nearest.candidate.name, why)


def _beside(pick: CandidateResult, rival: CandidateResult) -> Text:
    gap = rival.cost.total.likely - pick.cost.total.likely
    how = "{} costs {} more" if gap >= 0 else "{} costs {} less, and is behind on time, risk or freedom"
    return Sentence(how, rival.candidate.name, Amount(abs(gap), USD, 2))
