"""The rows of the Inputs page as plain data: the gap between A and B at both ends, and where the pick changes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.amounts import lower_first
from core.comparison.result import CandidateResult, ResultSet
from core.comparison.time_measure import time_measure
from core.comparison.what_if.flips import Flip, FlipEnd, in_ranges
from core.comparison.what_if.heat_map import Winner
from core.comparison.what_if.inputs import Input
from core.comparison.what_if.study import Verdict
from core.comparison.what_if.tornado import GapIn, amount
from core.comparison.what_if.words import flip_words, now_words, range_text, title_of
from core.units import MINUS
from core.workload.profile import Profile
from gui.charts.figure.shown import colour_key, shape_of
from gui.charts.figure.texts import money_scale
from gui.charts.figure.ticks import linear_ticks, tick_text
from gui.tabs.what_if.studies import Told

SEEN_RANGES = 2.2
"""How many lengths of an input's range a strip shows on each side."""


@dataclass(frozen=True, slots=True)
class Picked:
    """Who would be picked: name, shape and colour; nobody where nothing fits."""

    name: str
    shape: str = ""
    colour: str = ""

    @property
    def fits(self) -> bool:
        """False where nothing fits."""
        return bool(self.shape)


@dataclass(frozen=True, slots=True)
class Mark:
    """A place on a strip at which the pick changes: ``at`` in lengths of the range, below 0 on the way down."""

    at: float
    value: float
    new: Picked

    @property
    def is_beyond(self) -> bool:
        """True where the strip ends before."""
        return abs(self.at) > SEEN_RANGES


@dataclass(frozen=True, slots=True)
class GapRow:
    """One input. ``low``, ``high``: the gap at the ends of its range, None while unknown; ``marks`` None likewise."""

    input: Input
    title: str
    now: str
    reach: str
    low: float | None
    high: float | None
    marks: tuple[Mark, ...] | None
    flip_words: str
    new: Picked | None

    @property
    def spoken(self) -> str:
        """The row in words."""
        reach = f", likely {self.reach}" if self.reach else ""
        new = f", then {self.new.name}" if self.new else ""
        return f"{self.title}: now {self.now}{reach}. Pick changes at: {self.flip_words or 'not known yet'}{new}"


@dataclass(frozen=True, slots=True)
class GapTable:
    """All rows on one scale of the gap, A less B, in ``unit`` of which one is ``divisor``; ``title`` says what it is a
    gap in. ``stays`` names the pick of now where nothing changes it."""

    rows: tuple[GapRow, ...]
    now: float | None
    low: float
    high: float
    divisor: float
    unit: str
    title: str
    a: Picked
    b: Picked | None
    stays: str

    @property
    def ticks(self) -> list[tuple[float, str]]:
        """Places on the axis with their words."""
        places = linear_ticks(self.low / self.divisor, self.high / self.divisor, 4)
        step = places[1] - places[0] if len(places) > 1 else 0.0
        return [(one * self.divisor, self.text(one * self.divisor, step)) for one in places]

    def text(self, gap: float, step: float = 0.0) -> str:
        """A gap on the axis: ``−120``, ``+50``."""
        words = tick_text(abs(gap) / self.divisor, step)
        return words if words.strip("0.") == "" else f"{MINUS if gap < 0 else '+'}{words}"

    def share(self, gap: float) -> float:
        """Where a gap lies, 0 at the left end and 1 at the right one."""
        return min(max((gap - self.low) / (self.high - self.low), 0.0), 1.0)


def gap_table(told: Told, gap_in: GapIn) -> GapTable:
    """The widest first; inputs of which nothing is known yet come last."""
    inputs = told.widest(gap_in)
    rows = tuple(_row(told, one, gap_in) for one in inputs)
    now = next((amount(row.now, gap_in) for row in told.rows.values()), None)
    low, high = _ends([row.low for row in rows] + [row.high for row in rows] + [now, 0.0])
    divisor, unit, title = _scale(max(abs(low), abs(high)), gap_in, told.results.profile)
    sides = told.results.by_id[told.a], told.results.by_id[told.b] if told.b else None
    a, b = picked_of(sides[0]), picked_of(sides[1]) if sides[1] else None
    choice = told.results.choice
    stays = f"{choice.candidate.accelerator.short_name} stays" if choice else "nothing fits"
    return GapTable(rows, now, low, high, divisor, unit, title, a, b, stays)


def picked_of(result: CandidateResult) -> Picked:
    """A candidate as it is marked."""
    chip = result.candidate.accelerator
    return Picked(result.candidate.name, shape_of(chip), colour_key(chip))


def picked_in(results: ResultSet, told: Verdict | Winner) -> Picked:
    """The pick of another world, or of a region of worlds: its chip may be one that the results name."""
    if told.chip is None:
        return Picked(told.name)
    chips = results.columns.accelerators
    chip = next((one for one in chips if one.id == told.chip), None)
    return Picked(told.name, shape_of(chip), colour_key(chip)) if chip else Picked(told.name, "circle", "ctl")


def _row(told: Told, one: Input, gap_in: GapIn) -> GapRow:
    """A first look that found no flip tells nothing yet: a closer one may."""
    row, flip = told.rows.get(one.id), told.flips.get(one.id)
    flip = flip if flip and (flip.is_checked or flip.nearest) else None
    low, high = row.ends(gap_in) if row else (None, None)
    return GapRow(
        one, title_of(one), str(now_words(one)), range_text(one), low, high,
        None if flip is None else _marks(told.results, one, flip), str(flip_words(one, flip)) if flip else "",
        _new(told, flip),
    )  # fmt: skip


def _marks(results: ResultSet, one: Input, flip: Flip) -> tuple[Mark, ...]:
    ends: Sequence[FlipEnd | None] = (flip.down, flip.up)
    return tuple(
        Mark(in_ranges(one, end.value), end.value, picked_in(results, end.new)) for end in ends if end is not None
    )


def _new(told: Told, flip: Flip | None) -> Picked | None:
    if flip is None:
        return None
    end = flip.nearest
    return picked_in(told.results, end.new) if end else None


def _ends(values: Sequence[float | None]) -> tuple[float, float]:
    """The span of what is known, with some room."""
    known = [one for one in values if one is not None]
    low, high = min(known), max(known)
    pad = 0.06 * (high - low) or 1.0
    return low - (pad if low < 0 else 0.0), high + (pad if high > 0 else 0.35 * pad)


def _scale(largest: float, gap_in: GapIn, profile: Profile) -> tuple[float, str, str]:
    """How many US dollars, or units of the job's time, are one of the unit; the unit, and what is told in it."""
    if gap_in != "time":
        money = money_scale(largest)
        return money.divisor, money.short, f"{gap_in}, {money.short}"
    measure = time_measure(profile)
    unit, divisor = measure.unit_up_to(largest)
    return divisor, unit, str(lower_first(measure.on_axis(largest)[0]))
