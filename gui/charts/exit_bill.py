"""C13, exit bill: what it would cost to leave each option, in money and in weeks."""

from __future__ import annotations

from collections.abc import Sequence

from core.comparison.exit_parts import EXIT_WORDS, exit_parts
from core.comparison.result import CandidateResult, ResultSet
from core.units import plain, shown_money, usd
from gui.charts.cost_bars import UNUSED
from gui.charts.figure import Axis, Bar, Figure, LegendEntry, Row, left_room, right_room
from gui.charts.shown import colour_key, empty_sentence, money_scale, shape_of, shown_results
from gui.charts.view import ChartView

TITLE = "Exit bill"
SUBTITLE = "To another seller or chip; porting and weeks are estimates"


def exit_bill(results: ResultSet, selected_id: str | None = None) -> Figure:
    """The bars as a figure, cheapest to leave first; only options that fit have something to leave."""
    shown = sorted((r for r in shown_results(results, selected_id) if r.feasible), key=_order)
    if not shown:
        return Figure(TITLE, empty=empty_sentence(results) or "No option fits, so there is nothing to leave")
    largest = max(max(r.flexibility.exit_usd for r in shown), 1.0)
    scale = money_scale(largest)
    rows = tuple(_row(r) for r in shown)
    bars = tuple(bar for n, r in enumerate(shown) for bar in _bars(results, r, n))
    return Figure(
        TITLE,
        _summary(shown),
        SUBTITLE,
        x=Axis(f"Exit bill, {scale.words}", 0.0, largest * 1.03, scale=scale.divisor),
        rows=rows,
        bars=bars,
        legend=_legend(bars),
        table=_table(results, shown),
        left_px=left_room(rows),
        right_px=right_room(rows),
        row_px=26,
        bar_px=12,
    )


def _order(result: CandidateResult) -> float:
    return result.flexibility.exit_usd


def _bars(results: ResultSet, result: CandidateResult, number: int) -> list[Bar]:
    """A segment for each part that costs something."""
    at, bars = 0.0, []
    for part, amount in exit_parts(results.profile, result).items():
        if amount > 0:
            tip = f"{EXIT_WORDS[part]} {usd(amount)}, leaving {result.candidate.name}\nClick for the formula"
            bars.append(Bar(number, at, at + amount, f"part:{part}", tip, part in UNUSED, part))
            at += amount
    return bars


def _legend(bars: Sequence[Bar]) -> tuple[LegendEntry, ...]:
    used = {bar.part for bar in bars}
    return tuple(
        LegendEntry(words, f"part:{part}", "hatch" if part in UNUSED else "box")
        for part, words in EXIT_WORDS.items()
        if part in used
    )


def exit_money(result: CandidateResult) -> str:
    """The bill in money; nothing to pay is a plain 0."""
    amount = result.flexibility.exit_usd
    return usd(amount) if amount >= 1 else f"{shown_money().sign}0"


def _weeks(result: CandidateResult) -> str:
    return f"{plain(result.flexibility.exit_weeks, 2)} weeks"


def _row(result: CandidateResult) -> Row:
    candidate, bill = result.candidate, exit_money(result)
    tip = f"Leaving {candidate.name}, {candidate.place}: {bill} and {_weeks(result)}"
    columns = ((bill, "ink"), (_weeks(result), "ink3"))
    chip = candidate.accelerator
    return Row(result.id, candidate.name, shape_of(chip), colour_key(chip), right=columns, tip=tip)


def _summary(shown: Sequence[CandidateResult]) -> str:
    parts = [f"{r.candidate.name}: {usd(r.flexibility.exit_usd)} and {_weeks(r)}." for r in shown[:4]]
    return "Cheapest to leave first. " + " ".join(parts)


def _table(results: ResultSet, shown: Sequence[CandidateResult]) -> tuple[tuple[str, ...], ...]:
    header = ("candidate", "place", *(f"{part}_usd" for part in EXIT_WORDS), "exit_usd", "exit_weeks")
    rows: list[tuple[str, ...]] = [header]
    for r in shown:
        free, parts = r.flexibility, exit_parts(results.profile, r)
        amounts = (f"{parts[part]:.2f}" for part in EXIT_WORDS)
        told = (f"{free.exit_usd:.2f}", f"{free.exit_weeks:.2f}")
        rows.append((r.candidate.name, r.candidate.place, *amounts, *told))
    return tuple(rows)


class ExitBill(ChartView):
    """The exit bills as a widget."""

    series_name = "exit-bill"

    def build(self, results: ResultSet, selected_id: str | None) -> Figure:
        """See :func:`exit_bill`."""
        return exit_bill(results, selected_id)
