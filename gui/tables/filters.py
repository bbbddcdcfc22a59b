"""Which candidates the table lists: the best of each accelerator or all, narrowed by filters."""

from __future__ import annotations

from dataclasses import dataclass

from core.catalogue.providers import provider_name
from core.comparison.result import CandidateResult, ResultSet
from core.workload.profile import PURCHASE_WORDS
from gui.charts.shown import reason_text

KIND_WORDS = {"gpu": "GPU", "tpu": "TPU", "other": "Other"}


@dataclass(frozen=True, slots=True)
class Filters:
    """Empty fields let everything through; ``text`` wants each of its words somewhere in the row."""

    show_all: bool = False
    text: str = ""
    kind: str = ""
    provider: str = ""
    purchase_model: str = ""

    @property
    def narrows(self) -> bool:
        """True when some rows may be held back."""
        return bool(self.text or self.kind or self.provider or self.purchase_model)


def listed(results: ResultSet, filters: Filters, selected_id: str | None = None) -> list[CandidateResult]:
    """Rows of the table in rank order, feasible first. The selected one is listed even when it is no best one."""
    pool = list(results.results if filters.show_all else results.best_per_accelerator)
    chosen = results.by_id.get(selected_id or "")
    if chosen and chosen not in pool:
        pool.append(chosen)
    return [result for result in pool if _passes(result, filters)]


def _passes(result: CandidateResult, filters: Filters) -> bool:
    offer, chip = result.candidate.offer, result.candidate.accelerator
    if filters.kind and chip.kind != filters.kind:
        return False
    if filters.provider and offer.provider != filters.provider:
        return False
    if filters.purchase_model and offer.purchase_model != filters.purchase_model:
        return False
    return not filters.text or _has_words(result, filters.text)


def _has_words(result: CandidateResult, text: str) -> bool:
    candidate = result.candidate
    haystack = " ".join(
        (
            candidate.name,
            candidate.place,
            candidate.accelerator.name,
            candidate.accelerator.vendor,
            KIND_WORDS[candidate.accelerator.kind],
            result.throughput.bottleneck,
            result.evidence,
            reason_text(result),
        )
    ).lower()
    return all(word in haystack for word in text.lower().split())


def choices(results: ResultSet) -> dict[str, list[tuple[str, str]]]:
    """Values and words for the three pick lists, from what is there."""
    kinds = dict.fromkeys(r.candidate.accelerator.kind for r in results.results)
    providers = sorted({r.candidate.offer.provider for r in results.results})
    models = [m for m in PURCHASE_WORDS if any(r.candidate.offer.purchase_model == m for r in results.results)]
    return {
        "kind": [(kind, KIND_WORDS[kind]) for kind in kinds],
        "provider": [(name, provider_name(name)) for name in providers],
        "purchase_model": [(model, PURCHASE_WORDS[model].capitalize()) for model in models],
    }


def count_text(results: ResultSet, rows: list[CandidateResult]) -> str:
    """``8 fit, 3 rejected, of 612 candidates``."""
    fits = sum(result.feasible for result in rows)
    return f"{fits} fit, {len(rows) - fits} rejected, of {len(results.results)} candidates"
