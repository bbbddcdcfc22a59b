"""A search for candidates in a world where some chips are faster, dearer, later or harder to port to than thought."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from core.catalogue.entries import Accelerator
from core.catalogue.sellers.waits import Waits
from core.comparison.judge.calendar import calendar_days, days_before
from core.comparison.judge.durations import room_depth
from core.comparison.search.options import Option
from core.comparison.search.pool import Kinds
from core.comparison.search.predictions import Predict
from core.comparison.shortlisting import Ground, Prepare, Search, search
from core.ranges import Evidence, Range
from core.throughput.correction import Corrections, SpeedFactor
from core.throughput.types import System, Throughput
from core.workload.profile import Profile

Quantity = Literal["speed", "price", "wait", "porting"]
WORKS = ("training", "inference")
OptionKey = tuple[str, str]
"""What names an option from one search to the next: its chip, and seller, place and way to pay."""


@dataclass(frozen=True, slots=True)
class Tilt:
    """What a chip's speed, price, wait or porting effort is multiplied with; porting is tilted for a ``kind`` of chip
    (``tpu``), everything else for one chip by its id."""

    quantity: Quantity
    of: str
    factor: float

    def touches(self, chip: Accelerator) -> bool:
        """True for the chips that it is about."""
        return self.of == (chip.kind if self.quantity == "porting" else chip.id)


Tilts = tuple[Tilt, ...]


def option_key(option: Option) -> OptionKey:
    """The name of an option."""
    return option.accelerator.id, option.id_tail


def factor_of(tilts: Tilts, quantity: Quantity, chip: Accelerator) -> float:
    """What a quantity of a chip is multiplied with; 1 where nothing is tilted."""
    factor = 1.0
    for one in tilts:
        if one.quantity == quantity and one.touches(chip):
            factor *= one.factor
    return factor


def tilted_search(tilts: Tilts, predict: Predict, prepare: Prepare, low_ends_stay: bool = False) -> Search:
    """The search of :func:`core.comparison.shortlisting.search` in a tilted world; see :func:`tilted_predict`."""
    return lambda profile, catalogue, corrections: search(
        profile,
        catalogue,
        corrections,
        tilted_predict(tilts, predict, low_ends_stay),
        lambda own, of_catalogue: tilted_ground(prepare(own, of_catalogue), own, tilts),
    )


def tilted_ground(ground: Ground, profile: Profile, tilts: Tilts) -> Ground:
    """The ground with its prices, waits and porting efforts tilted."""
    asked = {one.quantity for one in tilts} - {"speed"}
    if not asked:
        return ground
    chips = {option.accelerator.id: option.accelerator for option in ground.screened.options}
    efforts = {chip: _scaled(weeks, factor_of(tilts, "porting", chips[chip])) for chip, weeks in ground.efforts.items()}
    porting = {chip: calendar_days(weeks, profile.team.engineers) for chip, weeks in efforts.items()}
    kinds = _with_waits(ground.kinds, tilts) if "wait" in asked else ground.kinds
    options = priced(ground.screened.options, tilts)
    return replace(
        ground,
        screened=replace(ground.screened, options=options),
        kinds=kinds,
        efforts=efforts,
        porting=porting,
        before_days=tuple(days_before(kinds, porting).tolist()),
    )


def _scaled(span: Range, factor: float) -> Range:
    return span if factor == 1.0 else Range(span.low * factor, span.likely * factor, span.high * factor)


def priced(options: Sequence[Option], tilts: Tilts) -> tuple[Option, ...]:
    """Options at tilted prices."""
    return tuple(_priced(option, factor_of(tilts, "price", option.accelerator)) for option in options)


def _priced(option: Option, factor: float) -> Option:
    if factor == 1.0:
        return option
    offer = option.offer
    usd = {"usd_per_chip_hour": offer.usd_per_chip_hour * factor, "usd_per_host_hour": offer.usd_per_host_hour * factor}
    return replace(option, offer=offer.model_copy(update=usd))


def _with_waits(kinds: Kinds, tilts: Tilts) -> Kinds:
    """Each option with waits of its own, tilted."""
    factors = [factor_of(tilts, "wait", option.accelerator) for option in kinds.options]
    lists = [
        _waits(kinds.waits[number], factor) for number, factor in zip(kinds.waits_of.tolist(), factors, strict=True)
    ]
    return replace(kinds, waits=tuple(lists), waits_of=np.arange(len(lists), dtype=np.intp))


def _waits(waits: Waits, factor: float) -> Waits:
    if factor == 1.0:
        return waits
    return tuple((start, replace(wait, days=_scaled(wait.days, factor))) for start, wait in waits)


def tilted_predict(tilts: Tilts, predict: Predict, low_ends_stay: bool = False) -> Predict:
    """The engine with the speed of some chips multiplied, their evidence and the width of their ranges kept; with
    ``low_ends_stay`` a slower chip is no slower at the low end than before, so that no room is made twice for it."""
    of_speed = [one for one in tilts if one.quantity == "speed"]
    if not of_speed:
        return predict

    def tilted(profile: Profile, systems: Sequence[System], corrections: Corrections) -> Sequence[Throughput]:
        speeds = list(predict(profile, systems, corrections))
        rows = [row for row, system in enumerate(systems) if any(one.touches(system.accelerator) for one in of_speed)]
        if not rows:
            return speeds
        asked = [systems[row] for row in rows]
        faster = predict(profile, asked, _tilted(corrections, of_speed))
        for row, one in zip(rows, faster, strict=True):
            speeds[row] = replace(one, evidence=speeds[row].evidence)
            if low_ends_stay:
                speeds[row] = _no_lower(profile, speeds[row], factor_of(tilts, "speed", systems[row].accelerator))
        return speeds

    return tilted


def _no_lower(profile: Profile, slower: Throughput, factor: float) -> Throughput:
    """A speed that a factor below 1 brought nearer to the low end that it had, so that room reaches as far down as
    before."""
    speed, of_range = slower.tokens_per_s, min(factor, 1.0) ** (1.0 / room_depth(profile.job.service))
    return replace(slower, tokens_per_s=replace(speed, low=min(speed.likely, speed.low / of_range)))


def _tilted(corrections: Corrections, tilts: Sequence[Tilt]) -> Corrections:
    """Corrections with the factors of some chips multiplied; a chip without any has one that changes nothing else."""
    factors, of_models = dict(corrections.factors), dict(corrections.of_models)
    for tilt in tilts:
        for work in WORKS:
            own = factors.get((tilt.of, work)) or _neutral(tilt.of, work)
            factors[tilt.of, work] = replace(own, factor=own.factor * tilt.factor)
        for key in [key for key in of_models if key[0] == tilt.of]:
            of_models[key] = replace(of_models[key], factor=of_models[key].factor * tilt.factor)
    return replace(corrections, factors=factors, of_models=of_models)


def _neutral(chip: str, work: str) -> SpeedFactor:
    return SpeedFactor(chip, work, 1.0, 0.0, 0, Evidence.MODELLED, is_of_others=True)
