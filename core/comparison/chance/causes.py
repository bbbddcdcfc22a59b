"""What the errors of a candidate are of, so that those with the same cause err alike (shares are our estimate)."""

from __future__ import annotations

from dataclasses import dataclass

from core.catalogue.entries import Accelerator, Offer
from core.comparison.chance.errors import Cause


@dataclass(frozen=True, slots=True)
class Causes:
    """The causes of one candidate's errors, each with its share of the variance; the shares of an error sum to 1.

    In speed, candidates of one chip err alike by half and those of one kind of chip by a quarter; in price, those of
    one chip and those of one seller by two fifths each.
    """

    accelerator: Accelerator
    offer: Offer

    @property
    def speed(self) -> tuple[Cause, ...]:
        """Of the speed of a cluster: chip, kind of chip, machine."""
        chip, kind = self.accelerator.id, self.accelerator.kind
        machine = f"{chip} {self.offer.provider} {self.offer.instance}"
        return (f"speed of {chip}", 0.5), (f"speed of {kind}", 0.25), (f"speed of {machine}", 0.25)

    @property
    def first_token(self) -> tuple[Cause, ...]:
        """Of the time to first token, most of which is queueing that no speed tells."""
        chip = self.accelerator.id
        return (f"speed of {chip}", 0.25), (f"first token on {chip}", 0.5), ("first token", 0.25)

    @property
    def price(self) -> tuple[Cause, ...]:
        """Of the price of a chip hour: the chip's market, the seller, the seller's way to pay."""
        chip, seller = self.accelerator.id, self.offer.provider
        way = f"{chip} {seller} {self.offer.purchase_model}"
        return (f"price of {chip}", 0.4), (f"price at {seller}", 0.4), (f"price of {way}", 0.2)

    @property
    def waiting(self) -> tuple[Cause, ...]:
        """Of the days until capacity is there: demand for the chip, the seller."""
        return (f"waiting for {self.accelerator.id}", 0.5), (f"waiting at {self.offer.provider}", 0.5)

    @property
    def porting(self) -> tuple[Cause, ...]:
        """Of the porting effort: the software of a kind of chip, the chip."""
        return (f"porting to {self.accelerator.kind}", 0.75), (f"porting to {self.accelerator.id}", 0.25)

    @property
    def rest(self) -> tuple[Cause, ...]:
        """Of all other costs: the plan's own, such as people's hours, and the seller's fees."""
        return ("other costs", 0.5), (f"other costs at {self.offer.provider}", 0.5)
