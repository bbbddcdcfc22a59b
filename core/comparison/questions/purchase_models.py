"""The same cluster under every way to pay: for each, the offer that suits best, allowed by the workload or not."""

from __future__ import annotations

from dataclasses import dataclass

from core.catalogue.catalogue import Catalogue
from core.catalogue.entries import Offer
from core.catalogue.places.distance import region_words
from core.catalogue.providers import provider_name
from core.comparison.result import CandidateResult, ResultSet
from core.comparison.search.counts import rentable_counts
from core.comparison.search.options import Option, options
from core.flexibility.limits import hard_limits
from core.throughput.types import Reason
from core.workload.profile import Profile, PurchaseModel


@dataclass(frozen=True, slots=True)
class PurchaseVariant:
    """An offer of the candidate's chip that can be had in its number; ``reasons`` say what limit it misses."""

    option: Option
    reasons: tuple[Reason, ...]

    @property
    def offer(self) -> Offer:
        """The offer itself."""
        return self.option.offer

    @property
    def place(self) -> str:
        """Who sells it where: ``AWS us-east-1``."""
        region = "" if self.offer.region == "any" else f" {region_words(self.offer.region)}"
        return f"{provider_name(self.offer.provider)}{region}"

    @property
    def usd_per_chip_hour(self) -> float:
        """Its price today."""
        return self.option.usd_per_chip_hour

    def n_hosts(self, n_chips: int) -> int:
        """Whole servers that hold so many chips."""
        return max(1, -(-n_chips // self.option.chips_per_host))

    @property
    def is_allowed(self) -> bool:
        """True when the workload's limits admit the offer."""
        return not self.reasons


def purchase_variants(results: ResultSet, result: CandidateResult) -> dict[PurchaseModel, PurchaseVariant]:
    """The best offer of the candidate's chip and number of chips for each way to pay; empty without a catalogue.

    The candidate's own offer stands for its own way. Elsewhere the fewest limits missed come first, not counting the
    way itself, then the lowest price of a chip hour.
    """
    if results.basis is None:
        return {}
    catalogue, candidate = results.basis.catalogue, result.candidate
    best: dict[PurchaseModel, tuple[tuple[int, float, str], PurchaseVariant]] = {}
    for option in _same_chip(results.profile, catalogue, result):
        variant = _way(results.profile, catalogue, option)
        own = option.offer.id == candidate.offer.id
        key = (-1 if own else _misses(variant), option.usd_per_chip_hour, option.offer.id)
        model = option.offer.purchase_model
        if model not in best or key < best[model][0]:
            best[model] = key, variant
    return {model: variant for model, (_, variant) in best.items()}


def _same_chip(profile: Profile, catalogue: Catalogue, result: CandidateResult) -> list[Option]:
    """Options of the chip that can be had in the candidate's number; servers to buy round it up to whole ones."""
    chip, count = result.candidate.accelerator.id, result.candidate.n_chips
    several = profile.job.needed_tokens_per_s is not None
    return [
        option
        for option in options(catalogue)
        if option.accelerator.id == chip
        and (option.offer.held_chips is None or option.offer.id == result.candidate.offer.id)
        and (_is_bought(option) or _can_be_had(option, catalogue, count, several))
    ]


def _is_bought(option: Option) -> bool:
    return option.offer.purchase_model == "owned"


def _can_be_had(option: Option, catalogue: Catalogue, count: int, several: bool) -> bool:
    """One cluster of that many chips, or, where replicas share the work, several smaller ones."""
    counts = rentable_counts(option, catalogue, count)
    return count in counts or (several and any(count % one == 0 for one in counts))


def _way(profile: Profile, catalogue: Catalogue, option: Option) -> PurchaseVariant:
    return PurchaseVariant(option, hard_limits(profile, catalogue, option.offer, option.accelerator))


def _misses(variant: PurchaseVariant) -> int:
    return sum(reason.code != "purchase" for reason in variant.reasons)
