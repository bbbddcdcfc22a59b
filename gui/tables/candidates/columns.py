"""Columns of the candidates table: title, width, and what each says, sorts by and copies."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date

import numpy as np
from numpy.typing import NDArray

from core.catalogue.places.distance import route_of
from core.catalogue.prices.age import price_age, price_badge
from core.catalogue.prices.dates import OLD_PRICE_DAYS, as_of_date, is_exact
from core.comparison.result import Candidate, CandidateResult, ResultSet
from core.comparison.time_measure import TimeMeasure, is_serving, time_measure
from core.ranges import ESTIMATE, Range
from core.units import DASH, days_text, grouped, hundredth, ms_unit, plain, shown_money, span
from gui.charts.figure.texts import MoneyScale, money_scale, reason_text
from gui.charts.kinds.decision_map import cost_measure
from gui.tables.copying import Grid


@dataclass(frozen=True, slots=True)
class Cell:
    """What a cell shows: the likely value in ink and, after it, its range or place in a lighter tone; ``is_warning``
    where it should be confirmed, ``is_strong`` where it is the pick's."""

    text: str
    detail: str = ""
    is_warning: bool = False
    is_strong: bool = False


@dataclass(frozen=True, slots=True)
class Column:
    """One column. ``detail_px`` is the right-hand part of its width kept for the range; narrower than ``width_px`` it
    says the value alone. ``meaning`` says in tips and copies what a short title stands for.

    ``sort_keys`` gives what all results are sorted by, in their order, without putting any of them together.
    """

    key: str
    title: str
    width_px: int
    is_number: bool
    detail_px: int
    cell: Callable[[CandidateResult], Cell]
    sort_keys: Callable[[ResultSet], Keys]
    narrow_px: int = 0
    meaning: str = ""

    @property
    def has_detail(self) -> bool:
        """True where cells say a range or a place after their value."""
        return self.detail_px > 0 or self.key == FIRST_KEY

    def texts(self, cell: Cell) -> tuple[str, ...]:
        """A cell as it is copied."""
        return (cell.text, cell.detail) if self.has_detail else (cell.text,)

    @property
    def titles(self) -> tuple[str, ...]:
        """The header of what is copied."""
        detail = "Where" if self.key == FIRST_KEY else f"{self.title}, 80 % range"
        return (self.title, detail) if self.has_detail else (self.meaning or self.title,)


Keys = Sequence[float] | Sequence[str]
FIRST_KEY = "candidate"
FIRST_SPANNED = 5
NAME_PX = 132
"""Room for the mark and the name of a chip."""
LETTER_PX = 8
"""Room for each further letter of a currency in a title."""
FIGURE_PX = 6
"""Room for each further figure of a range."""
GIVE_WAY = (
    ("bottleneck", False), ("unit", False), ("flexibility", True), ("evidence", True), ("flexibility", False),
    (FIRST_KEY, True), ("evidence", False), ("price", False), ("having", False),
)  # fmt: skip
"""What gives way, first to last, until the rest fits: columns, or, where True, all but their values."""


def columns_of(
    results: ResultSet, old_price_days: int = OLD_PRICE_DAYS, today: date | None = None
) -> tuple[Column, ...]:
    """The columns that suit the profile's kind of job; prices count as old after so many days on ``today``."""
    measure, monthly = time_measure(results.profile), is_serving(results)
    first = results.choice or next(iter(results.best_per_accelerator), None)
    scale = money_scale(cost_measure(first, monthly).likely if first else 1e6)
    return (
        Column(FIRST_KEY, "Candidate", 230, False, 0, _candidate, _name_keys, NAME_PX),
        Column("chips", "Chips", 52, True, 0, _chips, lambda r: r.columns.n_chips.tolist()),
        Column("having", "Can be had", 82, False, 0, _having, lambda r: (-r.columns.statuses).tolist()),
        _time_column(measure, first),
        _cost_column(results, scale, monthly),
        Column("limits", "Limits", 58, True, 0, _limits, _limits_keys, meaning="Keeps all limits, of 100 draws"),
        _best_column(results.recommendation.choice),
        _unit_column(results),
        *_way_columns(results),
        Column("flexibility", "Flexibility", 96, True, 54, _flexibility, lambda r: (-r.columns.score).tolist(), 80),
        Column("bottleneck", "Bottleneck", 82, False, 0, _bottleneck, _bottleneck_keys),
        Column("evidence", "Evidence", 148, False, 0, _evidence, _evidence_keys, 72),
        _price_column(today or date.today(), old_price_days),
    )


def grid_of(columns: Sequence[Column], rows: Sequence[CandidateResult]) -> Grid:
    """Header and cells to copy; a column with a range gives two, and the reason for rejection comes last."""
    grid = [[*(title for column in columns for title in column.titles), "Rejected because"]]
    for row in rows:
        cells = (text for column in columns for text in column.texts(column.cell(row)))
        grid.append([*cells, reason_text(row)])
    return grid


def span_of(low: str, high: str) -> str:
    """A range in words; nothing where rounding leaves none."""
    return span(low, high) if low != high else ""


def _candidate(result: CandidateResult) -> Cell:
    return Cell(result.candidate.accelerator.short_name, result.candidate.place)


def _name_keys(results: ResultSet) -> list[str]:
    columns = results.columns
    rows = zip(columns.ids, columns.accelerators, columns.offers, columns.n_chips.tolist(), strict=True)
    return [Candidate(name, chip, offer, n_chips, 1).name for name, chip, offer, n_chips in rows]


def _bottleneck_keys(results: ResultSet) -> list[str]:
    return [speed.bottleneck for speed in results.columns.throughputs]


def _evidence_keys(results: ResultSet) -> list[float]:
    return [-speed.evidence.strength for speed in results.columns.throughputs]


def _chips(result: CandidateResult) -> Cell:
    return Cell(grouped(result.candidate.n_chips))


def _having(result: CandidateResult) -> Cell:
    status = result.obtainable.status
    return Cell(status.capitalize(), is_warning=status == "on paper")


def _limits(result: CandidateResult) -> Cell:
    chance = result.chance
    return Cell(hundredth(chance.in_limits) if chance and chance.has_limits else DASH)


def _limits_keys(results: ResultSet) -> list[float]:
    return _falling(results.columns.in_limits)


def _falling(shares: NDArray[np.float64]) -> list[float]:
    """Sorts the largest first, those of which nothing is said last."""
    keys: list[float] = np.where(np.isnan(shares), np.inf, -shares).tolist()
    return keys


def _best_column(pick_id: str | None) -> Column:
    """How often each is the best of those among which the pick is taken."""

    def cell(result: CandidateResult) -> Cell:
        best = result.chance.best if result.chance else None
        return Cell(DASH if best is None else hundredth(best), is_strong=result.id == pick_id)

    def sort_keys(results: ResultSet) -> list[float]:
        return _falling(results.columns.best)

    return Column("best", "Best", 50, True, 0, cell, sort_keys, meaning="Best of all that can be had, of 100 draws")


def _flexibility(result: CandidateResult) -> Cell:
    score = result.flexibility.score
    return Cell(f"{score.likely:.0f}", span_of(f"{score.low:.0f}", f"{score.high:.0f}"))


def _bottleneck(result: CandidateResult) -> Cell:
    return Cell(result.throughput.bottleneck.capitalize())


def _evidence(result: CandidateResult) -> Cell:
    return Cell(result.evidence.value.capitalize())


def _way_columns(results: ResultSet) -> tuple[Column, ...]:
    """Round trip to users, in ms, where somebody said where they are; a question mark for a place nobody states."""
    job = results.profile.job
    if not job.answers_users or not results.profile.places.user_places:
        return ()
    percentile = job.time_limits.percentile

    def cell(result: CandidateResult) -> Cell:
        route = result.route.ms(percentile) if result.route else None
        if route is None:
            return Cell("?")
        return Cell(plain(route.likely, 2), span_of(plain(route.low, 2), plain(route.high, 2)))

    def sort_keys(results: ResultSet) -> list[float]:
        catalogue = results.basis.catalogue if results.basis else None
        if catalogue is None:
            return [one.route.ms(percentile).likely if one.route else math.inf for one in results.results]
        ways = (route_of(results.profile, catalogue, offer) for offer in results.columns.offers)
        return [route.ms(percentile).likely if route else math.inf for route in ways]

    return (Column("way", "ms to users (est.)", 116, True, 58, cell, sort_keys),)


def _price_column(today: date, old_price_days: int) -> Column:
    """When the price was read, flagged when old or undated, and whether it is an estimate."""

    def cell(result: CandidateResult) -> Cell:
        offer = result.candidate.offer
        age = price_age(offer, today, old_price_days)
        marks = [mark for mark in (price_badge(offer), ESTIMATE if offer.estimate else "") if mark]
        sign, mark = "\u26a0 " if age.needs_confirming else "", "".join(f", {mark}" for mark in marks)
        is_short = age.read is not None and bool(marks) and is_exact(offer.as_of)  # else the mark has no room
        day = f"{age.read:%b %Y}" if is_short else age.day_words
        return Cell(f"{sign}{day}{mark}", is_warning=age.needs_confirming)

    def sort_keys(results: ResultSet) -> list[float]:
        days = {offer.as_of: as_of_date(offer) for offer in results.columns.offers}
        reads = (days[offer.as_of] for offer in results.columns.offers)
        return [-read.toordinal() if read else 0.0 for read in reads]

    return Column("price", "Price of", 144, False, 0, cell, sort_keys)


def _time_column(measure: TimeMeasure, first: CandidateResult | None) -> Column:
    """Answers that take long stand in seconds: milliseconds of minutes have no room beside their range."""
    titles = {"days": "Days to finish", "hours": "Hours per batch", "latency": "ms per token"}
    shown = measure.value(first) if first and measure.kind == "answer" else None
    unit, divisor = ms_unit(shown.likely) if shown else ("ms", 1.0)

    def cell(result: CandidateResult) -> Cell:
        value = measure.value(result)
        return _time_cell(measure, value and value.scaled(1 / divisor))

    def sort_keys(results: ResultSet) -> list[float]:
        return list(measure.likely_of_all(results.columns).tolist())

    if measure.kind == "answer":
        return Column("time", f"{unit} to an answer", 140, True, 92, cell, sort_keys)
    return Column("time", titles[measure.kind], 112, True, 60, cell, sort_keys)


def _time_cell(measure: TimeMeasure, value: Range | None) -> Cell:
    if value is None:
        return Cell(DASH)
    texts = [_time_number(measure, number) for number in (value.likely, value.low, value.high)]
    return Cell(texts[0], span_of(texts[1], texts[2]))


def _time_number(measure: TimeMeasure, value: float) -> str:
    return days_text(value) if measure.kind == "days" else grouped(value, 1 if value < 9.95 else 0)


def _cost_column(results: ResultSet, scale: MoneyScale, monthly: bool) -> Column:
    """Wider where a cost has more letters than ``1.48``: its range has them twice."""

    def cell(result: CandidateResult) -> Cell:
        cost = cost_measure(result, monthly)
        return Cell(scale.text(cost.likely), scale.range_text(cost)) if result.throughput.runs else Cell(DASH)

    def of_all(asked: ResultSet) -> list[float]:
        return list((asked.columns.per_month_usd if monthly else asked.columns.cost_usd).tolist())

    title = f"{'Per month' if monthly else 'Total cost'}, {scale.short}"
    dearest = scale.text(max(of_all(results)[: results.n_feasible], default=0.0))
    more_px = 2 * FIGURE_PX * max(len(dearest) - len("1.48"), 0)
    width_px = 128 + LETTER_PX * (len(shown_money().unit) - 1) + more_px
    return Column("cost", title, width_px, True, 74 + more_px, cell, lambda r: _of_runs(r, of_all(r)))


def _unit_column(results: ResultSet) -> Column:
    unit, money = next((r.cost.unit for r in results.results if r.cost.unit), "1M tokens"), shown_money()

    def cell(result: CandidateResult) -> Cell:
        value = result.cost.unit_usd * money.per_usd
        return Cell(grouped(value, 2 if value < 100 else 0)) if result.throughput.runs else Cell(DASH)

    return Column(
        "unit",
        f"{money.unit} / {unit.replace('output ', '').replace('tokens', 'tok')}",
        (100 if unit.endswith("samples") else 78) + LETTER_PX * (len(money.unit) - 1),
        True,
        0,
        cell,
        lambda r: _of_runs(r, r.columns.unit_usd.tolist()),
    )


def _of_runs(results: ResultSet, amounts_usd: Sequence[float]) -> list[float]:
    """Sorts last what runs nothing: a few hours of people are left of its bill, which is no price of the work."""
    speeds = results.columns.throughputs
    return [usd if speed.runs else math.inf for usd, speed in zip(amounts_usd, speeds, strict=True)]
