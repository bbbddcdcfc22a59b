"""Adds the components up: parts to the cent, total with its range, unit cost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.breath import breathe
from core.cost.bill.batch import LIKELY, Array, CostBatch
from core.cost.bill.line import Line
from core.cost.bill.types import Cost, CostPart
from core.cost.registry import component_by_part, components, rent_parts
from core.lazy_sequence import LazySequence
from core.ranges import Range
from core.rows import Rows
from core.workload.jobs.inference import FEWEST_ROUNDS
from core.workload.jobs.kinds import Job
from core.workload.profile import Profile

CENTS = 2
_Squares = tuple[Array, Array]


@dataclass(frozen=True)
class Swings(Rows):
    """What a bill swings with, in USD; spans have shape (n, 3): low, likely, high.

    ``rent`` follows speed, and the price of the chip hour by ``price_factor``; ``of_rent``, likely, shape (n,), are
    parts counted of the rent; ``porting`` follows the porting effort; ``rest`` holds all other parts, whose deviations
    are independent.
    """

    rent: Array
    price_factor: Array
    of_rent: Array
    porting: Array
    rest: Array


@dataclass(frozen=True)
class Bills:
    """The bills of all candidates side by side, shapes (n,); ``costs`` writes one out when somebody looks at it.

    ``cents`` are likely USD by part, rounded to cents, which add up to ``likely_usd``; ``once_usd`` of them is for work
    that is done once, however long the plan lasts.
    """

    likely_usd: Array
    once_usd: Array
    cents: dict[str, Array]
    per_month_usd: Array
    unit_usd: Array
    costs: Sequence[Cost]
    swings: Swings

    def part(self, *part_ids: str) -> Array:
        """Likely USD of one part, or of several together; 0 where no bill has such a line."""
        return sum((self.cents[part] for part in part_ids if part in self.cents), np.zeros(len(self.costs)))


def bills(batch: CostBatch) -> Bills:
    """The bills of a batch.

    Each part is rounded to cents first, so that the parts add up to the likely total to the cent. The range of the
    total combines deviations as independent ones: ``total +- sqrt(sum of squares)``, except those of chip time: a
    longer run uses more of a commitment and wastes less, so compute, waste and idle move together. How sure the
    price itself is counts as a deviation of its own.
    """
    lines = lines_of(batch)
    squares = {part: _squares(line.usd) for part, line in lines.items()}
    cents = {part: np.round(line.usd[:, LIKELY], CENTS) for part, line in lines.items()}
    likely = np.round(np.sum(list(cents.values()), axis=0), CENTS)
    totals = np.column_stack(_span(lines, squares, likely, batch.price_factor))
    job, unit = batch.profile.job, unit_of(batch.profile)
    millions = max(job.paid_tokens, 1.0) / 1e6
    unit_usd = likely / millions if job.paid_tokens > 0 else np.zeros(batch.n)
    per_month = likely / np.maximum(batch.months[:, LIKELY], 1.0 if job.months_in_service is None else FEWEST_ROUNDS)
    once = sum((cents[one.part] for one in components() if one.is_one_off), np.zeros(batch.n))

    def cost(row: int) -> Cost:
        return Cost(
            Range(*totals[row].tolist()),
            _parts(lines, cents, row),
            float(unit_usd[row]),
            unit,
            float(per_month[row]),
            float(likely[row]) / job.n_rounds,
            _per_epoch(job, float(likely[row])),
            _per_experiment(job, float(likely[row] - once[row])),
            float(batch.months[row, LIKELY]),
        )

    return Bills(likely, once, cents, per_month, unit_usd, LazySequence(batch.n, cost), _swings(lines, squares, batch))


def lines_of(batch: CostBatch) -> dict[str, Line]:
    """What each part comes to, in the order of the bill; those that depend on the rent are counted after it."""
    lines: dict[str, Line] = {}
    for one in components():
        if one.count:
            breathe()
            lines[one.part] = one.count(batch)
    rent_usd = _rent_usd(lines, batch.n)
    lines |= {one.part: one.count_of_rent(batch, rent_usd) for one in components() if one.count_of_rent}
    return {one.part: lines[one.part] for one in components()}


def _swings(lines: dict[str, Line], squares: dict[str, _Squares], batch: CostBatch) -> Swings:
    of_rent = [lines[one.part].usd[:, LIKELY] for one in components() if one.count_of_rent]
    apart = {"porting", *rent_parts(), *(one.part for one in components() if one.count_of_rent)}
    return Swings(
        rent=_rent_usd(lines, batch.n),
        price_factor=batch.price_factor,
        of_rent=sum(of_rent, np.zeros(batch.n)),
        porting=lines["porting"].usd,
        rest=_combined(lines, squares, [part for part in lines if part not in apart], batch.n),
    )


def _combined(lines: dict[str, Line], squares: dict[str, _Squares], parts: Sequence[str], n: int) -> Array:
    """The sum of parts whose deviations are independent, shape (n, 3)."""
    likely = sum((lines[part].usd[:, LIKELY] for part in parts), np.zeros(n))
    down = sum((squares[part][0] for part in parts), np.zeros(n))
    up = sum((squares[part][1] for part in parts), np.zeros(n))
    return np.column_stack((np.maximum(likely - np.sqrt(down), 0.0), likely, likely + np.sqrt(up)))


def _squares(span: Array) -> _Squares:
    """Squares of how far a span, shape (n, 3), reaches down and up from the likely value, shape (n,) each.

    Column by column: a reduction over three numbers a row takes ten times as long.
    """
    low, likely, high = span.T
    least, most = np.minimum(np.minimum(low, likely), high), np.maximum(np.maximum(low, likely), high)
    return np.square(likely - least), np.square(most - likely)


def _rent_usd(lines: dict[str, Line], n: int) -> Array:
    """All rent of n candidates, shape (n, 3)."""
    return sum((lines[part].usd for part in rent_parts()), np.zeros((n, 3)))


def unit_of(profile: Profile) -> str:
    """What the unit cost is for: trained tokens, or answered ones, which carry the cost of their prompts."""
    return "1M samples" if profile.is_in_samples else profile.job.words.unit


def _per_epoch(job: Job, usd: float) -> float | None:
    """The bill over all passes of all runs over the data; None where nothing is trained."""
    return None if job.n_epochs is None else usd / job.n_epochs


def _per_experiment(job: Job, lasting_usd: float) -> float | None:
    """What one more run would add: the bill without work done once, over the runs; None where nothing is trained."""
    return lasting_usd / job.n_rounds if job.trains else None


def _span(
    lines: dict[str, Line], squares: dict[str, _Squares], likely: Array, price_factor: Array
) -> tuple[Array, Array, Array]:
    """Low, likely and high total, shape (n,) each."""
    rented = _rent_usd(lines, len(likely))
    independent = [_squares(rented), _squares(rented[:, LIKELY : LIKELY + 1] * price_factor)]
    independent += [squares[one.part] for one in components() if not one.is_rent]
    down, up = (np.sum(each, axis=0) for each in zip(*independent, strict=True))
    return np.maximum(likely - np.sqrt(down), 0.0), likely, likely + np.sqrt(up)


def _parts(lines: dict[str, Line], cents: dict[str, Array], row: int) -> Sequence[CostPart]:
    """Lines of one candidate that are not zero, and those that are always listed, worded when somebody looks."""
    listed = [part for part in lines if cents[part][row] or component_by_part()[part].is_always_listed]

    def worded(number: int) -> CostPart:
        part = listed[number]
        usd, line = float(cents[part][row]), lines[part]
        inputs, source = line.inputs_of(row), line.sources[row]
        return CostPart(part, usd, line.formula, inputs, source, line.estimates[row], line.kinds)

    return LazySequence(len(listed), worded)
