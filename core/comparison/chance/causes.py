"""What the errors of a candidate are of, so that those with the same cause err alike (shares are our estimate)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache

from core.catalogue.entries import Accelerator, Offer
from core.comparison.chance.errors import Cause


@dataclass(frozen=True)
class Causes:
    """The causes of one candidate's errors, each with its share of the variance; the shares of an error sum to 1.

    In speed, candidates of one chip err alike by half and those of one kind of chip by a quarter; in price, those of
    one chip and those of one seller by two fifths each.
    """

    chip: str
    kind: str
    seller: str
    instance: str
    way: str

    @classmethod
    def of(cls, accelerator: Accelerator, offer: Offer) -> Causes:
        """Those of a chip that is offered; the same object for whatever errs alike."""
        return _causes(accelerator.id, accelerator.kind, offer.provider, offer.instance, offer.purchase_model)

    @cached_property
    def speed(self) -> tuple[Cause, ...]:
        """Of the speed of a cluster: chip, kind of chip, machine."""
        machine = f"{self.chip} {self.seller} {self.instance}"
        return (f"speed of {self.chip}", 0.5), (f"speed of {self.kind}", 0.25), (f"speed of {machine}", 0.25)

    @cached_property
    def first_token(self) -> tuple[Cause, ...]:
        """Of the time to first token, most of which is queueing that no speed tells."""
        return (f"speed of {self.chip}", 0.25), (f"first token on {self.chip}", 0.5), ("first token", 0.25)

    @cached_property
    def price(self) -> tuple[Cause, ...]:
        """Of the price of a chip hour: the chip's market, the seller, the seller's way to pay."""
        way = f"{self.chip} {self.seller} {self.way}"
        return (f"price of {self.chip}", 0.4), (f"price at {self.seller}", 0.4), (f"price of {way}", 0.2)

    @cached_property
    def waiting(self) -> tuple[Cause, ...]:
        """Of the days until capacity is there: demand for the chip, the seller."""
        return (f"waiting for {self.chip}", 0.5), (f"waiting at {self.seller}", 0.5)

    @cached_property
    def porting(self) -> tuple[Cause, ...]:
        """Of the porting effort: the software of a kind of chip, the chip."""
        return (f"porting to {self.kind}", 0.75), (f"porting to {self.chip}", 0.25)

    @cached_property
    def rest(self) -> tuple[Cause, ...]:
        """Of all other costs: the plan's own, such as people's hours, and the seller's fees."""
        return ("other costs", 0.5), (f"other costs at {self.seller}", 0.5)


@lru_cache(maxsize=4096)
def _causes(chip: str, kind: str, seller: str, instance: str, way: str) -> Causes:
    return Causes(chip, kind, seller, instance, way)
