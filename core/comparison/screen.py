"""Hard limits first: which offers may be compared, and one of each kind that may not, so that it stays visible."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.catalogue.catalogue import Catalogue
from core.comparison.options import Option
from core.flexibility.limits import hard_limits
from core.throughput.types import Reason
from core.units import grouped
from core.workload.profile import Profile


@dataclass(frozen=True)
class Screened:
    """Options to look at, and the hard limits that each misses; ``reasons`` is empty for those admitted."""

    options: tuple[Option, ...]
    reasons: tuple[tuple[Reason, ...], ...]

    @property
    def n_admitted(self) -> int:
        """Options that miss no hard limit; they come first."""
        return sum(not reasons for reasons in self.reasons)


def screen(profile: Profile, catalogue: Catalogue, options: Sequence[Option]) -> Screened:
    """Admitted options, then the cheapest of the others per chip, seller, purchase model and first reason.

    The reason of such a representative says how many offers it stands for.
    """
    admitted: list[Option] = []
    turned_down: dict[tuple[str, str, str, str], list[tuple[Option, tuple[Reason, ...]]]] = {}
    for option in options:
        reasons = hard_limits(profile, catalogue, option.offer, option.accelerator)
        if not reasons:
            admitted.append(option)
            continue
        offer = option.offer
        key = (offer.accelerator_id, offer.provider, offer.purchase_model, reasons[0].code)
        turned_down.setdefault(key, []).append((option, reasons))
    shown = [_representative(group) for group in turned_down.values()]
    return Screened(
        (*admitted, *(option for option, _ in shown)), (*(() for _ in admitted), *(reasons for _, reasons in shown))
    )


def _representative(group: list[tuple[Option, tuple[Reason, ...]]]) -> tuple[Option, tuple[Reason, ...]]:
    """The cheapest offer of a group, whole servers before parts of them."""
    option, reasons = min(
        group, key=lambda pair: (not pair[0].grows, pair[0].offer.usd_per_chip_hour, pair[0].offer.id)
    )
    if len(group) == 1:
        return option, reasons
    counted = f"{reasons[0].text.rstrip('.')} ({grouped(len(group))} offers)."
    return option, (replace(reasons[0], text=counted), *reasons[1:])
