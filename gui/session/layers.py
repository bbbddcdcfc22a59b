"""The catalogue that a plan is evaluated on: shipped prices, the private book, and the plan's own entries."""

from __future__ import annotations

from dataclasses import dataclass

from core.catalogue.catalogue import Catalogue
from core.catalogue.own.checks import doubts, offer_words, sound_layers
from core.catalogue.own.layers import OwnEntries, PriceBook
from core.errors import InputError
from core.plan.plan import Plan
from core.units import grouped
from gui.session.problem import Problem

MOST_TOLD = 20
"""A price file brings thousands of prices; nobody reads a list of that length."""


_MOST_KEPT = 4


@dataclass(frozen=True, slots=True)
class _Laid:
    """Layers once laid: what they were made of, the catalogue, its problems, and a number that tells it from others."""

    own: OwnEntries
    book: PriceBook | None
    catalogue: Catalogue
    problems: tuple[Problem, ...]
    number: int


class Layers:
    """Lays the layers anew only when one of them changed, so that the same plan has the same catalogue.

    The last few are kept for undo. Entries that do not fit are left out and told as problems: a plan opens with
    the rest.
    """

    def __init__(self, shipped: Catalogue, book: PriceBook | None = None) -> None:
        self.shipped, self.book = shipped, book
        self._kept: list[_Laid] = []
        self._n_made = 0

    def catalogue(self, plan: Plan) -> Catalogue:
        """The catalogue as this plan sees it."""
        return self._laid(plan).catalogue

    def problems(self, plan: Plan) -> tuple[Problem, ...]:
        """What was left out of it and why, and own prices that somebody should look at."""
        return self._laid(plan).problems

    def number(self, plan: Plan) -> int:
        """Tells one catalogue from another, for as long as the program runs."""
        return self._laid(plan).number

    def _laid(self, plan: Plan) -> _Laid:
        book = self.book if plan.uses_price_book else None
        known = next((one for one in self._kept if (one.own, one.book) == (plan.own, book)), None)
        if known is None:
            self._n_made += 1
            catalogue, faults = sound_layers(self.shipped, plan.own, book)
            known = _Laid(plan.own, book, catalogue, self._problems(plan.own, book, faults), self._n_made)
        if not self._kept or self._kept[0] is not known:
            self._kept = [known, *(one for one in self._kept if one is not known)][:_MOST_KEPT]
        return known

    def _problems(self, own: OwnEntries, book: PriceBook | None, faults: tuple[InputError, ...]) -> tuple[Problem, ...]:
        odd = [*doubts(own, self.shipped), *(doubts(book.entries, self.shipped) if book else ())]
        texts = [f"Left out: {fault}" for fault in faults]
        texts += [f"Look at {offer_words(offer)}: {reason}" for offer, reason in odd]
        if len(texts) > MOST_TOLD:
            texts[MOST_TOLD:] = [f"{grouped(len(texts) - MOST_TOLD)} more entries of your own should be looked at"]
        return tuple(Problem("", text, "warning") for text in texts)
