"""Hardware of one's own that a phase works on, and what its workload's bill holds beside it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import sqrt

import numpy as np

from core.catalogue.catalogue import Catalogue
from core.catalogue.entries import Accelerator, Server
from core.comparison.chance.causes import Causes
from core.comparison.result import CandidateResult
from core.cost.bill.batch import LIKELY, Array
from core.cost.owned.fleet import OwnedFleet, fleet_for
from core.cost.owned.terms import n_servers
from core.cost.parts.colocation import PART as ROOMS
from core.cost.parts.hardware import PART as HARDWARE
from core.cost.parts.hardware import bought_usd, months_held, upkeep_usd, worth_usd
from core.cost.registry import component_by_part
from core.ranges import Range
from core.workload.profile import Profile

PORTING, WAITING, EGRESS = "porting", "waiting", "egress"
APART = (HARDWARE, ROOMS, PORTING, WAITING, EGRESS)
"""Parts of a bill that follow what a whole way holds, ports, waits for and moves, not the days of one phase."""
SURE = Range(1.0, 1.0, 1.0)


@dataclass(frozen=True)
class Owned:
    """Servers of one's own, and likely USD of the bill beside them.

    ``hardware`` says which later phases may work on the same. ``months_per_day`` are those for which the bill holds
    servers in a day of work. ``once_usd`` is due when a workload first works on it, ``moved_usd`` is paid over that
    phase, ``usd_per_day`` with each day of work; ``factor`` is how far off these and the rooms may be, over the likely.
    """

    profile: Profile
    catalogue: Catalogue
    chip: Accelerator
    server: Server
    causes: Causes
    hardware: str
    servers: int
    months_per_day: float
    once_usd: float
    moved_usd: float
    usd_per_day: float
    factor: Range = SURE

    def fleet(self, servers: int, months: Array) -> OwnedFleet:
        """So many of these servers, held for some months, shape (k, 1) or (k, 3)."""
        return fleet_for(self.profile, self.catalogue, self.chip, self.server, servers, months)


def owned_of(
    profile: Profile,
    catalogue: Catalogue,
    point: CandidateResult,
    n_chips: int,
    run_days: Range,
    apart_usd: Sequence[Range],
) -> Owned | None:
    """What a phase owns in so many chips of a candidate; None where these are rented.

    ``run_days`` are those of its bill, of which ``apart_usd``, porting and waiting, are counted by themselves. Where
    ``n_chips`` are not the candidate's, what the bill holds beside servers goes in proportion.
    """
    offer, chip = point.candidate.offer, point.candidate.accelerator
    server = catalogue.server_by_instance.get(offer.instance) if offer.purchase_model == "owned" else None
    if server is None:
        return None
    share, days = n_chips / point.candidate.n_chips, max(run_days.likely, 1e-6)
    owned = Owned(
        profile,
        catalogue,
        chip,
        server,
        Causes.of(chip, offer),
        offer.id,
        n_servers(n_chips, server),
        months_held(point.cost.parts) / days,
        share * _usd(point, is_once=True),
        share * point.cost.part(EGRESS),
        share * _usd(point, is_once=False) / days,
    )
    return replace(owned, factor=_factor(owned, point, run_days, apart_usd))


def _usd(point: CandidateResult, is_once: bool) -> float:
    """What is done once, or goes on with the work, beside what is counted by itself."""
    known = component_by_part()
    return sum(one.usd for one in point.cost.parts if one.id not in APART and known[one.id].is_one_off is is_once)


def _factor(owned: Owned, point: CandidateResult, run_days: Range, apart_usd: Sequence[Range]) -> Range:
    """How far off is what the bill holds beside servers, over its likely value, where all of it errs together with
    these, as in the comparison's draws: so that at the ends of its range all of it is the bill's.

    The bill adds up independent deviations as squares: those of porting, waiting and the length of the work, which a
    way draws by themselves, are taken out first.
    """
    total, lasting = point.cost.total, _usd(point, is_once=False) + point.cost.part(ROOMS)
    rest = lasting + _usd(point, is_once=True) + point.cost.part(EGRESS)
    if rest <= 0:
        return SURE
    servers, length = _servers_usd(owned, point, run_days), run_days.scaled(lasting / max(run_days.likely, 1e-6))
    by_itself = (*apart_usd, Range(*(servers[:, LIKELY] + (length.low, length.likely, length.high)).tolist()))
    down = _left(total.likely - total.low, (one.likely - one.low for one in by_itself))
    up = _left(total.high - total.likely, (one.high - one.likely for one in by_itself))
    low, likely, high = servers[LIKELY].tolist()
    return Range(
        1.0 - min(max(down - (likely - low), 0.0) / rest, 1.0), 1.0, 1.0 + max(up - (high - likely), 0.0) / rest
    )


def _servers_usd(owned: Owned, point: CandidateResult, run_days: Range) -> Array:
    """Hardware in the candidate's bill: low, likely and high price across, length of the work down, shape (3, 3)."""
    months = owned.months_per_day * np.array([[run_days.low], [run_days.likely], [run_days.high]])
    fleet = owned.fleet(n_servers(point.candidate.n_chips, owned.server), months)
    return bought_usd(fleet) - worth_usd(fleet) + upkeep_usd(fleet)


def _left(whole: float, parts: Iterable[float]) -> float:
    return sqrt(max(whole**2 - sum(one**2 for one in parts), 0.0))
