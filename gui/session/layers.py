"""The catalogue that a plan is evaluated on: shipped prices, the private book, and the plan's own entries."""

from __future__ import annotations

from core.catalogue.catalogue import Catalogue
from core.catalogue.own import OwnEntries, PriceBook
from core.catalogue.own_checks import doubts, offer_words, sound_layers
from core.errors import InputError
from core.plan.plan import Plan
from core.units import grouped
from gui.session.problem import Problem

MOST_TOLD = 20
"""A price file brings thousands of prices; nobody reads a list of that length."""


class Layers:
    """Lays the layers anew only when one of them changed, so that the same plan has the same catalogue.

    Entries that do not fit are left out and told as problems: a plan opens with the rest.
    """

    def __init__(self, shipped: Catalogue, book: PriceBook | None = None) -> None:
        self.shipped, self.book = shipped, book
        self._asked: tuple[OwnEntries, PriceBook | None] | None = None
        self._found = shipped
        self._faults: tuple[InputError, ...] = ()
        self._doubts: tuple[str, ...] = ()

    def catalogue(self, plan: Plan) -> Catalogue:
        """The catalogue as this plan sees it."""
        asked = plan.own, self.book if plan.uses_price_book else None
        if asked != self._asked:
            self._asked, (self._found, self._faults) = asked, sound_layers(self.shipped, *asked)
            self._doubts = self._doubts_about(*asked)
        return self._found

    def problems(self, plan: Plan) -> tuple[Problem, ...]:
        """What was left out of it and why, and own prices that somebody should look at."""
        self.catalogue(plan)
        texts = [*(f"Left out: {fault}" for fault in self._faults), *self._doubts]
        if len(texts) > MOST_TOLD:
            texts[MOST_TOLD:] = [f"{grouped(len(texts) - MOST_TOLD)} more entries of your own should be looked at"]
        return tuple(Problem("", text, "warning") for text in texts)

    def _doubts_about(self, own: OwnEntries, book: PriceBook | None) -> tuple[str, ...]:
        found = [*doubts(own, self.shipped), *(doubts(book.entries, self.shipped) if book else ())]
        return tuple(f"Look at {offer_words(offer)}: {reason}" for offer, reason in found)
