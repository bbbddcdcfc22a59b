"""Hard limits first: which offers may be compared, and one of each kind that may not, so that it stays visible."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from core.amounts import Sentence, whole, without_stop
from core.breath import breathe
from core.catalogue.catalogue import Catalogue
from core.catalogue.entries import Offer
from core.catalogue.places.distance import route_of
from core.comparison.search.option_set import Index, OptionSet, first_of_groups, numbered, paired
from core.comparison.search.options import Option
from core.flexibility.limits import chip_limits, place_limits
from core.throughput.types import Reason
from core.workload.profile import Profile

Reasons = tuple[Reason, ...]
_COUNTED = "{} ({} offers)."


@dataclass(frozen=True)
class Screened:
    """Options to look at, and the hard limits that each misses; ``reasons`` is empty for those admitted."""

    options: tuple[Option, ...]
    reasons: tuple[Reasons, ...]

    def taken(self, rows: Index) -> Screened:
        """Some of the options, in their order."""
        listed = rows.tolist()
        return Screened(tuple(self.options[row] for row in listed), tuple(self.reasons[row] for row in listed))


@dataclass(frozen=True)
class _Asked:
    """Hard limits that each chip and each place of the option set misses, asked once for all of their options."""

    option_set: OptionSet
    of_chips: list[Reasons]
    of_places: list[Reasons]

    def reasons(self, number: int) -> Reasons:
        """Those of one option, by its number in the set."""
        return (*self.of_places[self.option_set.place_of[number]], *self.of_chips[self.option_set.chip_of[number]])

    def first_codes(self) -> Index:
        """A number for the code of each option's first reason, shape (n options,); meaningless without one."""
        firsts = [reasons[0].code if reasons else "" for reasons in (*self.of_places, *self.of_chips)]
        codes, _ = numbered(firsts)
        of_places, of_chips = np.split(codes, [len(self.of_places)])
        by_place = np.array([not reasons for reasons in self.of_places], dtype=bool)[self.option_set.place_of]
        return np.where(by_place, of_chips[self.option_set.chip_of], of_places[self.option_set.place_of])

    def is_admitted(self) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        """True for the options that miss none, shape (n options,)."""
        places, chips = (np.array([not one for one in of], dtype=bool) for of in (self.of_places, self.of_chips))
        return np.asarray(places[self.option_set.place_of] & chips[self.option_set.chip_of])


def screen(profile: Profile, catalogue: Catalogue, option_set: OptionSet) -> tuple[Screened, Index]:
    """Admitted options, then the cheapest of the others per chip, seller, purchase model and first reason.

    Regions that are equal to the work are one option, which knows them all. The reason of a representative of the
    others says how many offers it stands for. Also their numbers in the set.
    """
    asked = _Asked(
        option_set,
        [chip_limits(profile, catalogue, chip) for chip in option_set.chips],
        [place_limits(profile, catalogue, offer) for offer in option_set.places],
    )
    breathe()
    admits = asked.is_admitted()
    others = np.flatnonzero(~admits)
    admitted, regions = _one_of_equal_regions(profile, catalogue, option_set, np.flatnonzero(admits))
    breathe()
    shown, counts = _representatives(asked, others)
    reasons = [counted(asked.reasons(number), n) for number, n in zip(shown.tolist(), counts.tolist(), strict=True)]
    taken = np.concatenate((admitted, shown))
    options = [option_set.options[number] for number in taken.tolist()]
    for row, names in regions.items():
        options[row] = replace(options[row], regions=names)
    return Screened(tuple(options), (((),) * len(admitted)) + tuple(reasons)), taken


def _one_of_equal_regions(
    profile: Profile, catalogue: Catalogue, option_set: OptionSet, admitted: Index
) -> tuple[Index, dict[int, tuple[str, ...]]]:
    """The first option by id of each group that nothing tells apart, in their order, and the regions of those that
    stand for several, by row."""
    told_apart, _ = numbered(_told_apart(profile, catalogue, offer) for offer in option_set.places)
    group = paired(option_set.alike_of[admitted], told_apart[option_set.place_of[admitted]])
    firsts, counts = first_of_groups(group, option_set.id_rank[admitted])
    order = np.argsort(firsts)
    row_of = {int(group[firsts[at]]): row for row, at in enumerate(order.tolist()) if counts[at] > 1}
    regions: dict[int, tuple[str, ...]] = {}
    for number, own in zip(admitted.tolist(), group.tolist(), strict=True):
        if own in row_of:
            regions[row_of[own]] = (*regions.get(row_of[own], ()), option_set.options[number].offer.region)
    return admitted[firsts[order]], regions


def _told_apart(profile: Profile, catalogue: Catalogue, offer: Offer) -> tuple[object, ...]:
    """What the region of an offer changes for the work: the way to its users, and whether its data lie there."""
    return route_of(profile, catalogue, offer), offer.region == profile.places.data_region.strip()


def _representatives(asked: _Asked, others: Index) -> tuple[Index, Index]:
    """The cheapest option of each group, whole servers before parts of them, and how many it stands for."""
    option_set = asked.option_set
    group = paired(option_set.seller_of[others], asked.first_codes()[others])
    rows, counts = first_of_groups(
        group, ~option_set.grows[others], option_set.usd_per_chip_hour[others], option_set.id_rank[others]
    )
    return others[rows], counts


def counted(reasons: Reasons, n_offers: int) -> Reasons:
    """Reasons whose first one says for how many offers it stands."""
    if n_offers == 1:
        return reasons
    text = Sentence(_COUNTED, without_stop(reasons[0].text), whole(n_offers))
    return (replace(reasons[0], text=text), *reasons[1:])


def of_one(reason: Reason) -> Reason:
    """A reason of a single option, without the number of offers for which :func:`counted` lets it stand."""
    text = reason.text
    if not isinstance(text, Sentence) or text.template != _COUNTED:
        return reason
    return replace(reason, text=Sentence("{}.", text.parts[0]))
