"""What would change a pick, as every page words it."""

from __future__ import annotations

from collections.abc import Sequence

from core.amounts import PRICE_PER_CHIP_HOUR, USD, Amount
from core.comparison.questions.whom_to_ask import is_own
from core.comparison.result import CandidateResult, FlipPoint, ResultSet
from core.comparison.what_if.inputs import SERVER_PRICE
from core.cost.bill.batch import LIKELY
from core.cost.bill.figures import Span
from core.cost.owned.terms import own_terms
from core.report.blocks import Cell, Column, Table
from core.report.pages.context import PageContext, brief, mark_of

NEVER = "Never"
STAYS = "The pick stays first"
NOTHING_FITS = "Nothing would fit"


def flip_table(told: Sequence[tuple[PageContext, FlipPoint]], of_several: bool) -> Table:
    """A row for each input; ``of_several`` workloads each row names its own."""
    columns = (
        Column("What would change it", weight=3),
        *([Column("Workload", weight=2.2)] if of_several else []),
        Column("Now", weight=1.6),
        Column("Changes at", weight=2.3),
        Column("New pick", weight=2.8),
    )
    return Table(columns, tuple(_row(context, point, of_several) for context, point in told), is_small=True)


def _row(context: PageContext, point: FlipPoint, of_several: bool) -> tuple[Cell, ...]:
    whose = [Cell(brief(context.profile.name), tone="muted")] if of_several else []
    first = Cell(point.input_name), *whose, Cell(str(point.now))
    if point.flips_at is None:
        return *first, Cell(NEVER), Cell(STAYS, tone="muted")
    return *first, Cell(str(point.flips_at), tone="strong"), _new_pick(context.results, point)


def _new_pick(results: ResultSet, point: FlipPoint) -> Cell:
    """Its name with its mark; of a number of chips that the answer has not, the mark of its chip."""
    winner = results.by_id.get(point.new_winner_id or "")
    if winner is not None:
        return Cell(winner.candidate.name, mark=mark_of(winner))
    if point.new_winner_id is None:
        return Cell(NOTHING_FITS, tone="muted")
    chip = next((one for one in results.columns.accelerators if one.id == point.new_chip), None)
    return Cell(point.new_name, mark=f"{chip.kind}:{chip.vendor}" if chip else "")


def changes_at(results: ResultSet, input_id: str) -> str | None:
    """Where an input changes the pick; None where it was not asked."""
    point = next((one for one in results.recommendation.would_change_it if one.input_id == input_id), None)
    return None if point is None else str(point.flips_at or NEVER)


def stop_price(results: ResultSet) -> str | None:
    """The price, per chip hour or of a server that is bought, above which another chip than the pick's is better; None
    where there is none."""
    pick = results.choice
    if pick is not None and (server_usd := server_price_usd(results, pick)):
        now = results.profile.owning.server_price_pct or 100.0
        dearer = _above(results, SERVER_PRICE, now)
        return None if dearer is None else str(Amount(dearer / now * server_usd[LIKELY], USD))
    dearer = _above(results, "price ", 0.0 if pick is None else pick.candidate.usd_per_chip_hour)
    return None if dearer is None else str(Amount(dearer, PRICE_PER_CHIP_HOUR))


def _above(results: ResultSet, input_id: str, now: float) -> float | None:
    """The value above now at which an input, by how its id begins, changes the pick."""
    points = (one for one in results.recommendation.would_change_it if one.input_id.startswith(input_id))
    return next((one.value for one in points if one.value is not None and one.value > now), None)


def server_price_usd(results: ResultSet, pick: CandidateResult) -> Span | None:
    """What a server that is bought for the pick costs: low, likely, high USD; None for what is rented or there."""
    catalogue = results.basis.catalogue if results.basis else None
    server = catalogue.server_by_instance.get(pick.candidate.offer.instance) if catalogue and is_own(pick) else None
    if catalogue is None or server is None or server.in_house:
        return None
    return own_terms(results.profile, catalogue, pick.candidate.accelerator, server).server_usd
