"""What a later decision and a failed run cost: from the same draws as the chance to keep the date."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

import numpy as np

from core.amounts import PRICE_PER_CHIP_HOUR, Amount
from core.comparison.questions.day_of_chips import further_usd, is_bought, term_h
from core.comparison.together.plan_answer import PlanAnswer
from core.comparison.together.ways import Picked
from core.constants import DAYS_PER_WEEK, HOURS_PER_DAY
from core.report.blocks import Block, Cell, Column, Paragraph, Table
from core.report.pages.context import day_text
from core.units import DASH, counted, date_text, day_after, duration, hundredth, plain, span, usd

WEEKS = (0, 1, 2)
MOST_RUNS = 2
"""In a plan of more workloads only the dearest run is told of."""


def delay_blocks(answer: PlanAnswer) -> tuple[Block, ...]:
    """A row for each week by which it is decided later, for the first run with a deadline, and what each run costs when
    it must be done again."""
    pairs = [(one, taken.drawn.days) for one, taken in zip(answer.picks, answer.way.taken, strict=True)]
    timed = [(one, days) for one, days in pairs if days is not None and one.profile.limits.deadline_days is not None]
    runs = [one for one in answer.picks if one.profile.job.months_in_service is None]
    tables = [block for one, days in timed[:1] for block in _table(one, days)]
    runs = sorted(runs, key=lambda one: -one.pick.cost.total.likely)[: 1 if len(answer.picks) > MOST_RUNS else None]
    sentences = [Paragraph(_failed(one), "body") for one in runs]
    if not tables and not sentences:
        return ()
    return Paragraph("Cost of delay and of a failed run", "heading"), *tables, *sentences


def _table(one: Picked, days: np.ndarray[tuple[int, ...], np.dtype[np.float32]]) -> Sequence[Block]:
    """Each week moves the finish by seven days; shares and means are those of the draws."""
    limits, ready, rate = one.profile.limits, one.pick.days_to_finish, one.profile.team.delay_usd_per_day
    assert ready is not None and limits.deadline_days is not None
    rows = []
    for week in WEEKS:
        late = days + np.float32(DAYS_PER_WEEK * week)
        kept = float(np.mean(late <= limits.deadline_days))
        over = float(np.mean(np.maximum(late - limits.deadline_days, 0.0)))
        by = day_after(limits.start_date, DAYS_PER_WEEK * week)
        ends = [day_text(one.profile, end + DAYS_PER_WEEK * week) for end in (ready.low, ready.high)]
        rows.append(
            (
                Cell(date_text(by) if by else DASH),
                Cell(day_text(one.profile, ready.likely + DAYS_PER_WEEK * week), span(*ends)),
                Cell(hundredth(kept), tone="" if kept >= 0.5 else "warn"),
                Cell(plain(over, 2)),
                *((Cell(usd(over * rate, 2)),) if rate else ()),
            )
        )
    columns = (
        Column("Decide by", weight=1.1),
        Column(f"{one.name} ready", weight=3),
        Column("Deadline held, of 100", "right", 1.6),
        Column("Mean days late", "right", 1.2),
        *((Column("Cost of delay", "right", 1.1),) if rate else ()),
    )
    last = limits.start_date + timedelta(days=int(limits.deadline_days))
    told = f"Deadline {date_text(last)}; the mean is over all draws, those on time counted as 0. "
    told += f"A day late costs {usd(rate)}, as entered." if rate else "No cost of a day late is entered."
    return Table(columns, tuple(rows)), Paragraph(told, "note")


def _failed(one: Picked) -> str:
    """``A run of Pre-training 70B that fails at its end and is done again costs $1.3 M and 28 days more.``"""
    candidate, run_days = one.pick.candidate, one.pick.time_terms_days.get("run", 0.0)
    a_day, more = (further_usd(one.profile, one.pick, days) for days in (1.0, run_days))
    again = f"{one.name} that fails at its very end and is done again takes {duration(run_days * HOURS_PER_DAY)} more"
    if more <= 0:
        return f"{again}, on chips that are paid already."
    if term_h(one.pick):
        return f"{again} and {usd(more)} of chips, which are paid by whole terms{_shared(one, a_day)}."
    if is_bought(one.pick):
        made = "what the servers lose in worth, capital, maintenance, rooms and power"
        return f"{again} and {usd(more)} of servers held. Each day of work lost costs {usd(a_day)}: {made}."
    price = Amount(candidate.usd_per_chip_hour, PRICE_PER_CHIP_HOUR)
    made = f"{counted(candidate.n_chips, 'chip')} × {HOURS_PER_DAY:g} h × {price}"
    chips_usd = one.pick.cost.part("compute")
    return f"{again} and {usd(chips_usd)} of chips. Each day of work lost costs {usd(a_day)}: {made}."


def _shared(one: Picked, a_day_usd: float) -> str:
    """What other work would take over of a term is lost by the day."""
    is_shared = one.profile.places.commitment_reuse_pct > 0
    return f"; other work would take part of the rest over, {usd(a_day_usd)} a day" if is_shared else ""
