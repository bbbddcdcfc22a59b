"""Options that stand for others where none of them meets the limits: of those that only price and region tell apart."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from core.comparison.search.option_set import Index, OptionSet, first_of_groups, paired
from core.workload.profile import Profile


def represented(profile: Profile, option_set: OptionSet, taken: Index, group_of: Index, n_admitted: int) -> Index:
    """For how many each option stands where its group misses a limit at any price; 0: another one does, shape (n,).

    ``taken`` are the numbers of some options in the set, the first ``n_admitted`` of them within the hard limits, and
    ``group_of`` numbers those that only price and region tell apart. No bill falls while a price rises, and of equal
    bills the first by name is shown: so an option is never the nearest where another one is no dearer and comes before
    it by name. Whoever misses a hard limit stands for itself.
    """
    admitted = taken[:n_admitted]
    home = profile.places.data_region.strip()  # data that lie elsewhere are paid to be moved
    at_home = np.array([place.region == home for place in option_set.places], dtype=np.intp)[option_set.place_of]
    alike = paired(paired(group_of[:n_admitted], option_set.bill_of[admitted]), at_home[admitted])
    by_name = option_set.tail_rank[admitted]
    stands_for = np.ones(len(taken), dtype=np.intp)
    stands_for[:n_admitted] = _first_of_dearer(alike, option_set.usd_per_chip_hour[admitted], by_name)
    first, counts = first_of_groups(alike, by_name)
    stands_for[first] += counts - np.bincount(alike, stands_for[:n_admitted]).astype(np.intp)
    return stands_for


def _first_of_dearer(group: Index, usd: NDArray[np.float64], by_name: Index) -> Index:
    """1 for the members of each group that come before all cheaper ones by name, shape (n,)."""
    order = np.lexsort((by_name, usd, group))
    names = by_name[order] - group[order] * (int(by_name.max(initial=0)) + 1)  # below those of all groups before
    least_before = np.minimum.accumulate(np.append(names.max(initial=0) + 1, names))[:-1]
    marks = np.zeros(len(group), dtype=np.intp)
    marks[order] = names < least_before
    return marks
