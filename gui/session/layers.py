"""The catalogue that a plan is evaluated on: shipped prices, the private book, and the plan's own entries."""

from __future__ import annotations

from core.catalogue.catalogue import Catalogue
from core.catalogue.own import OwnEntries, PriceBook
from core.catalogue.own_checks import sound_layers
from core.errors import InputError
from core.plan.plan import Plan


class Layers:
    """Lays the layers anew only when one of them changed, so that the same plan has the same catalogue.

    Entries that do not fit are left out and told as faults: a plan opens with the rest.
    """

    def __init__(self, shipped: Catalogue, book: PriceBook | None = None) -> None:
        self.shipped, self.book = shipped, book
        self._asked: tuple[OwnEntries, PriceBook | None] | None = None
        self._found = shipped
        self._faults: tuple[InputError, ...] = ()

    def catalogue(self, plan: Plan) -> Catalogue:
        """The catalogue as this plan sees it."""
        asked = plan.own, self.book if plan.uses_price_book else None
        if asked != self._asked:
            self._asked, (self._found, self._faults) = asked, sound_layers(self.shipped, *asked)
        return self._found

    def faults(self, plan: Plan) -> tuple[InputError, ...]:
        """The entries that were left out of it, and why."""
        self.catalogue(plan)
        return self._faults
