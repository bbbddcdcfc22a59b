"""C13, exit bill: what it would cost to leave each option, in money and in weeks."""

from __future__ import annotations

from collections.abc import Sequence

from core.comparison.result import CandidateResult, ResultSet
from core.units import plain, shown_money, usd
from gui.charts.figure import Axis, Bar, Figure, Row, left_room, right_room
from gui.charts.shown import colour_key, empty_sentence, money_scale, shape_of, shown_results
from gui.charts.view import ChartView

TITLE = "Exit bill"
SUBTITLE = "Porting away, moving the data and what is left of a commitment"


def exit_bill(results: ResultSet, selected_id: str | None = None) -> Figure:
    """The bars as a figure, cheapest to leave first; only options that fit have something to leave."""
    shown = sorted((r for r in shown_results(results, selected_id) if r.feasible), key=_order)
    if not shown:
        return Figure(TITLE, empty=empty_sentence(results) or "No option fits, so there is nothing to leave")
    largest = max(max(r.flexibility.exit_usd for r in shown), 1.0)
    scale = money_scale(largest)
    rows = tuple(_row(r) for r in shown)
    bars = tuple(
        Bar(n, 0.0, r.flexibility.exit_usd, colour_key(r.candidate.accelerator), rows[n].tip)
        for n, r in enumerate(shown)
    )
    return Figure(
        TITLE,
        _summary(shown),
        SUBTITLE,
        x=Axis(f"Exit bill, {scale.words}", 0.0, largest * 1.03, scale=scale.divisor),
        rows=rows,
        bars=bars,
        table=_table(shown),
        left_px=left_room(rows),
        right_px=right_room(rows),
        row_px=26,
        bar_px=12,
    )


def _order(result: CandidateResult) -> float:
    return result.flexibility.exit_usd


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


def _table(shown: Sequence[CandidateResult]) -> tuple[tuple[str, ...], ...]:
    rows: list[tuple[str, ...]] = [("candidate", "place", "exit_usd", "exit_weeks")]
    for r in shown:
        free = r.flexibility
        rows.append((r.candidate.name, r.candidate.place, f"{free.exit_usd:.2f}", f"{free.exit_weeks:.2f}"))
    return tuple(rows)


class ExitBill(ChartView):
    """The exit bills as a widget."""

    series_name = "exit-bill"

    def build(self, results: ResultSet, selected_id: str | None) -> Figure:
        """See :func:`exit_bill`."""
        return exit_bill(results, selected_id)
