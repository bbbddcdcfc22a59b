"""C13, exit bill: what it would cost to leave each option, in money and in weeks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.comparison.questions.leaving import ANYWHERE, EXIT_WORDS, EXPLAINS, ExitBill, exit_to, targets
from core.comparison.result import CandidateResult, ResultSet
from core.cost.registry import unused_parts
from core.units import counted, shown_money, usd
from gui.charts.figure.figure import Axis, Bar, Figure, LegendEntry, Row, left_room, right_room
from gui.charts.figure.kind import ChartKind, Stand
from gui.charts.figure.shown import colour_key, empty_sentence, shape_of, shown_results
from gui.charts.figure.texts import money_scale
from gui.charts.kinds.cost_bars import part_entry

TITLE = "Exit bill"
ESTIMATES = "porting and weeks are estimates"


@dataclass(frozen=True, slots=True)
class Leaving:
    """A candidate and what leaving it costs."""

    result: CandidateResult
    bill: ExitBill


def exit_bill(results: ResultSet, selected_id: str | None = None, target: str = ANYWHERE) -> Figure:
    """The bars as a figure, cheapest to leave first; only options that fit have something to leave.

    Where none costs anything to leave there is no axis, since it would measure nothing.
    """
    fitting = [r for r in shown_results(results, selected_id) if r.feasible]
    if not fitting:
        return Figure(TITLE, empty=empty_sentence(results) or "No option fits, so there is nothing to leave")
    shown = sorted((Leaving(r, exit_to(results, r, target)) for r in fitting), key=lambda one: one.bill.usd)
    largest = max(max(one.bill.usd for one in shown), 1.0)
    scale = money_scale(largest)
    rows = tuple(_row(one) for one in shown)
    bars = tuple(bar for n, one in enumerate(shown) for bar in _bars(one, n, target))
    return Figure(
        TITLE,
        _summary(shown),
        f"To {_words(results, target)}; {ESTIMATES}",
        x=Axis(f"Exit bill, {scale.words}", 0.0, largest * 1.03, scale=scale.divisor, shown=bool(bars)),
        rows=rows,
        bars=bars,
        legend=_legend(bars),
        table=_table(shown),
        left_px=left_room(rows),
        right_px=right_room(rows),
        row_px=26,
        bar_px=12,
    )


def _words(results: ResultSet, key: str) -> str:
    """Within a sentence: makers keep their capitals, "another seller or chip" has none."""
    choices = targets(results)
    target = next((one for one in choices if one.key == key), choices[0])
    return target.title[:1].lower() + target.title[1:] if target.key == ANYWHERE else target.title


def _bars(one: Leaving, number: int, target: str) -> list[Bar]:
    """A segment for each part that costs something."""
    at, bars = 0.0, []
    for part in EXIT_WORDS:
        amount = one.bill.parts[part]
        if amount > 0:
            tip = f"{EXIT_WORDS[part]} {usd(amount)}, leaving {one.result.candidate.name}\nClick for the formula"
            key = EXPLAINS.key(f"{part}@{target}")
            bars.append(Bar(number, at, at + amount, f"part:{part}", tip, part in unused_parts(), part, key))
            at += amount
    return bars


def _legend(bars: Sequence[Bar]) -> tuple[LegendEntry, ...]:
    used = {bar.part for bar in bars}
    return tuple(part_entry(part, words) for part, words in EXIT_WORDS.items() if part in used)


def exit_money(amount_usd: float) -> str:
    """Nothing to pay is a plain 0."""
    return usd(amount_usd) if amount_usd >= 1 else f"{shown_money().sign}0"


def _weeks(bill: ExitBill) -> str:
    return counted(bill.weeks, "week", digits=2)


def _row(one: Leaving) -> Row:
    candidate, bill = one.result.candidate, exit_money(one.bill.usd)
    tip = f"Leaving {candidate.name}, {candidate.place}: {bill} and {_weeks(one.bill)}"
    columns = ((bill, "ink"), (_weeks(one.bill), "ink3"))
    chip = candidate.accelerator
    return Row(one.result.id, candidate.name, shape_of(chip), colour_key(chip), right=columns, tip=tip)


def _summary(shown: Sequence[Leaving]) -> str:
    parts = [f"{one.result.candidate.name}: {usd(one.bill.usd)} and {_weeks(one.bill)}." for one in shown[:4]]
    return "Cheapest to leave first. " + " ".join(parts)


def _table(shown: Sequence[Leaving]) -> tuple[tuple[str, ...], ...]:
    header = ("candidate", "place", *(f"{part}_usd" for part in EXIT_WORDS), "exit_usd", "exit_weeks")
    rows: list[tuple[str, ...]] = [header]
    for one in shown:
        candidate, bill = one.result.candidate, one.bill
        amounts = (f"{bill.parts[part]:.2f}" for part in EXIT_WORDS)
        rows.append((candidate.name, candidate.place, *amounts, f"{bill.usd:.2f}", f"{bill.weeks:.2f}"))
    return tuple(rows)


CHART = ChartKind(
    "exit-bill", TITLE, exit_bill, (Stand("cost", "Exit", 70), Stand("flexibility", turn=20)), has_rows=True
)
