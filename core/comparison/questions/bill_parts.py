"""The bill part by part: which parts are told alone or together, and what stands behind each."""

from __future__ import annotations

from collections.abc import Iterable

from core.amounts import USD, Amount, Sentence
from core.comparison.questions.explanation import Explains, Explanation
from core.comparison.result import CandidateResult, ResultSet
from core.cost.bill.types import CostPart
from core.cost.registry import part_ids, title_of
from core.units import THIN, plain

OTHER = "other"
SMALL_SHARE = 0.015
"""Parts below this share of a bill are too thin to see and are drawn together."""


def part_explanation(result: CandidateResult, part_id: str) -> Explanation | None:
    """One part of the bill; ``other`` explains the small parts together. None for a part the bill does not have."""
    if part_id == OTHER:
        return _other(result)
    part = next((part for part in result.cost.parts if part.id == part_id), None)
    if part is None:
        return None
    title, value = title_of(part.id), Amount(part.usd, USD)
    return Explanation(title, value, _note(part.usd, result), part.formula, part.inputs, part.source, part.estimate)


def large_parts(result: CandidateResult) -> list[CostPart]:
    """Parts wide enough for a segment of their own, in the order of the bill. A lone small one counts as well."""
    parts = ordered(result.cost.parts)
    small = [part for part in parts if _is_small(part, result)]
    return [part for part in parts if len(small) == 1 or part not in small]


def small_parts(result: CandidateResult) -> list[CostPart]:
    """The parts that are drawn together, in the order of the bill: none, or at least two."""
    large = large_parts(result)
    return [part for part in ordered(result.cost.parts) if part not in large]


def ordered(parts: Iterable[CostPart]) -> list[CostPart]:
    """Parts that cost something, in the order of the bill."""
    order = part_ids()
    return sorted((part for part in parts if part.usd > 0), key=lambda part: order.index(part.id))


def share_text(amount_usd: float, result: CandidateResult) -> str:
    """``8 %`` of the bill, ``0.3 %`` below one."""
    total = result.cost.total.likely
    share = 100 * amount_usd / total if total > 0 else 0.0
    return f"{share:.0f}{THIN}%" if share >= 1 else f"{plain(share, 1)}{THIN}%"


def _note(amount_usd: float, result: CandidateResult) -> Sentence:
    return Sentence("{} of {}", share_text(amount_usd, result), Amount(result.cost.total.likely, USD))


def _is_small(part: CostPart, result: CandidateResult) -> bool:
    return part.usd < SMALL_SHARE * result.cost.total.likely


def _other(result: CandidateResult) -> Explanation | None:
    parts = small_parts(result)
    if not parts:
        return None
    total = sum(part.usd for part in parts)
    inputs = tuple((title_of(part.id), Amount(part.usd, USD)) for part in parts)
    note = _note(total, result)
    sources = "; ".join(dict.fromkeys(part.source for part in parts))
    estimate = any(part.estimate for part in parts)
    return Explanation("Other parts", Amount(total, USD), note, "Sum of the small parts", inputs, sources, estimate)


def _part(_: ResultSet, result: CandidateResult, name: str) -> Explanation | None:
    return part_explanation(result, name)


EXPLAINS = Explains("part", _part)
