"""Which candidates the table lists: the best of each accelerator or all, narrowed by filters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.catalogue.providers import provider_name
from core.comparison.obtain.obtainable import ON_PAPER
from core.comparison.result import Candidate, ResultSet
from core.units import grouped, shown_money
from core.workload.profile import PURCHASE_WORDS
from gui.charts.figure.texts import reason_text

KIND_WORDS = {"gpu": "GPU", "tpu": "TPU", "other": "Other"}


@dataclass(frozen=True, slots=True)
class Filters:
    """Empty fields let everything through; ``text`` wants each of its words somewhere in the row."""

    show_all: bool = False
    text: str = ""
    kind: str = ""
    provider: str = ""
    purchase_model: str = ""


def listed_rows(
    results: ResultSet, filters: Filters, selected_id: str | None = None, words: Words | None = None
) -> list[int]:
    """Rows of the table in rank order, feasible first, by their place among the results.

    The selected one is listed even when it is no best one. ``words`` are those of the same results, kept by whoever
    filters them again and again.
    """
    known = words or Words(results)
    if filters.show_all:
        return [row for row in range(len(results.results)) if _passes(results, filters, row, known)]
    rows = list(results.best_rows)
    chosen = results.row_of.get(selected_id or "")
    if chosen is not None and chosen not in rows:
        n_feasible = int(results.columns.feasible[rows].sum())
        rows.insert(n_feasible if results.columns.feasible[chosen] else len(rows), chosen)
    return [row for row in rows if _passes(results, filters, row, known)]


def _passes(results: ResultSet, filters: Filters, row: int, words: Words) -> bool:
    offer, chip = results.columns.offers[row], results.columns.accelerators[row]
    if filters.kind and chip.kind != filters.kind:
        return False
    if filters.provider and offer.provider != filters.provider:
        return False
    if filters.purchase_model and offer.purchase_model != filters.purchase_model:
        return False
    return not filters.text or words.has(row, filters.text.lower().split())


class Words:
    """What the filter field looks for its words in: the row as it is read, each row written out once a currency."""

    def __init__(self, results: ResultSet) -> None:
        self.results, self._money = results, shown_money()
        self._known: dict[int, str] = {}
        self._reasons: dict[int, str] = {}

    def are_of(self, results: ResultSet) -> bool:
        """True while they are those of these results, in the currency shown."""
        return self.results is results and self._money == shown_money()

    def has(self, row: int, wanted: list[str]) -> bool:
        """True when each word stands somewhere in a row; reasons are only written out where it needs them."""
        if row not in self._known:
            self._known[row] = self._text(row)
        left = [word for word in wanted if word not in self._known[row]]
        if not left or self.results.columns.feasible[row]:
            return not left
        if row not in self._reasons:
            self._reasons[row] = reason_text(self.results.results[row]).lower()
        return all(word in self._reasons[row] for word in left)

    def _text(self, row: int) -> str:
        columns = self.results.columns
        chip, speed = columns.accelerators[row], columns.throughputs[row]
        offer, regions = columns.offers[row], columns.regions[row]
        candidate = Candidate(columns.ids[row], chip, offer, int(columns.n_chips[row]), 1, regions=regions)
        words = (candidate.name, candidate.place, *regions, chip.name, chip.vendor, KIND_WORDS[chip.kind])
        return " ".join((*words, speed.bottleneck, speed.evidence)).lower()


def choices(results: ResultSet) -> dict[str, list[tuple[str, str]]]:
    """Values and words for the three pick lists, from what is there."""
    kinds = dict.fromkeys(chip.kind for chip in results.columns.accelerators)
    providers = sorted({offer.provider for offer in results.columns.offers})
    there = {offer.purchase_model for offer in results.columns.offers}
    return {
        "kind": [(kind, KIND_WORDS[kind]) for kind in kinds],
        "provider": [(name, provider_name(name)) for name in providers],
        "purchase_model": [(model, words.capitalize()) for model, words in PURCHASE_WORDS.items() if model in there],
    }


def count_text(results: ResultSet, rows: Sequence[int]) -> str:
    """``5 can be had, 2 on paper, 24 rejected``; what none of the rows is stays out."""
    listed, columns = list(rows), results.columns
    feasible = columns.feasible[listed]
    is_paper = columns.statuses[listed] == ON_PAPER
    told = {
        "can be had": feasible & ~is_paper,
        "on paper": feasible & is_paper,
        "rejected": ~feasible,
    }
    return ", ".join(f"{grouped(int(mask.sum()))} {words}" for words, mask in told.items() if mask.any())
