"""The catalogue that a plan is evaluated on: shipped prices, the private book, and the plan's own entries."""

from __future__ import annotations

from core.catalogue.catalogue import Catalogue
from core.catalogue.own import OwnEntries, PriceBook, layered
from core.plan.plan import Plan


class Layers:
    """Lays the layers anew only when one of them changed, so that the same plan has the same catalogue."""

    def __init__(self, shipped: Catalogue, book: PriceBook | None = None) -> None:
        self.shipped, self.book = shipped, book
        self._asked: tuple[OwnEntries, PriceBook | None] | None = None
        self._found = shipped

    def catalogue(self, plan: Plan) -> Catalogue:
        """The catalogue as this plan sees it."""
        asked = plan.own, self.book if plan.uses_price_book else None
        if asked != self._asked:
            self._asked, self._found = asked, layered(self.shipped, *asked)
        return self._found
