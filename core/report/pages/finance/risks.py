"""Risks with what is done about each, next steps, and room for owners and names: what a meeting writes on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from core.amounts import PRICE_PER_CHIP_HOUR, Amount
from core.catalogue.providers import provider_name
from core.comparison.questions.whom_to_ask import asked_of, is_own, is_there
from core.comparison.recommendation.leads import questions
from core.comparison.result import CandidateResult
from core.comparison.together.due import is_committed, is_prepaid
from core.comparison.together.plan_answer import PlanAnswer
from core.comparison.together.ways import Picked
from core.comparison.what_if.inputs import SERVER_PRICE
from core.comparison.what_if.tornado import CostSwing
from core.cost.bill.batch import HIGH
from core.report.blocks import Block, Cell, Column, Paragraph, SignOff, Table
from core.report.having_words import QUESTION_WORDS
from core.report.ledger import BOUGHT, CHIPS, SOLD, Ledger, units_text
from core.report.pages.context import PageContext
from core.report.pages.finance.sensitivity import Swings
from core.report.pages.flip_rows import server_price_usd, stop_price
from core.units import DASH, NO_BREAK, counted, date_text, grouped, plain, usd
from core.workload.profile import PURCHASE_WORDS

ROLES = ("Prepared by", "Checked by", "Approved by")
TAIL = "10"
"""Draws of 100 that lie beyond either end of an 80 % range."""
_Row = tuple[Cell, ...]
_MORE_DIGITS_BELOW = 10.0
"""Units a month below this would be 0 or 1 where they are told whole."""


def risk_blocks(contexts: list[PageContext], ledger: Ledger, swings: Swings) -> tuple[Block, ...]:
    """Supplier, price, speed, capacity and people, each of the dearest pick that has such a risk; owner and date are
    left to the pen. ``swings`` are those of the sensitivity."""
    columns = (
        Column("Risk", weight=0.9),
        Column("What may happen", weight=2.7),
        Column(f"Chance of{NO_BREAK}100", "right", 0.8),
        Column(f"Cost, {ledger.unit.replace(' ', NO_BREAK)}", "right", 1.1),
        Column("What we do", weight=2.7),
        Column("Owner", weight=1.3, keeps_width=True),
        Column("By", weight=0.9, keeps_width=True),
    )
    dearest = sorted(contexts, key=lambda one: -one.pick.cost.total.likely if one.pick else 0.0)
    told = [[row for one in dearest for row in kind(one, ledger, swings[one.profile.id])] for kind in _KINDS]
    rows = [row for listed in told for row in listed[:1]]
    note = f"Chance: beyond an end of an 80 % range in {TAIL} of 100 draws; a dash: nobody knows it."
    return Paragraph("Risks", "heading"), Table(columns, tuple(rows), is_small=True), Paragraph(note, "note")


def _row(kind: str, what: str, chance: str, cost: str, doing: str) -> _Row:
    return Cell(kind, tone="strong"), Cell(what), Cell(chance), Cell(cost), Cell(doing), Cell(""), Cell("")


def _of(context: PageContext, ledger: Ledger) -> str:
    """Whose risk it is, in a plan of several workloads."""
    return f", {context.profile.name}" if len(ledger.picks) > 1 else ""


def _supplier(context: PageContext, ledger: Ledger, _: Sequence[CostSwing]) -> Iterator[_Row]:
    """What the runner-up at another seller costs more; many sell the servers of one chip."""
    pick = context.pick
    if pick is None:
        return
    seller = pick.candidate.offer.provider
    other = next((one for one in context.results.trusted if one.candidate.offer.provider != seller), None)
    what = f"{_fails(pick)}{_of(context, ledger)}"
    if other is None:
        yield _row("Supplier", what, DASH, DASH, _without_another(pick))
        return
    more = ledger.in_units(other.cost.total.likely - pick.cost.total.likely)
    doing = f"Keep an offer for {other.candidate.name} at {provider_name(other.candidate.offer.provider)}"
    yield _row("Supplier", what, DASH, units_text(more) if more >= 0 else f"saves {units_text(-more)}", doing)


def _fails(pick: CandidateResult) -> str:
    if is_there(pick):
        return "Your servers are not free when they are needed"
    seller = f"The {asked_of(pick).removeprefix('a ')}" if is_own(pick) else asked_of(pick)
    return f"{seller} fails or withdraws"


def _without_another(pick: CandidateResult) -> str:
    if is_there(pick):
        return "Have them reserved in writing"
    return "Ask two sellers of such servers for offers" if is_own(pick) else "No other proved seller fits: ask for one"


def _price(context: PageContext, ledger: Ledger, swings: Sequence[CostSwing]) -> Iterator[_Row]:
    pick = context.pick
    if pick is None:
        return
    if server_usd := server_price_usd(context.results, pick):
        what = (
            f"A server with {pick.candidate.accelerator.short_name} above {usd(server_usd[HIGH])}{_of(context, ledger)}"
        )
        yield _row("Price", what, TAIL, _more(swings, SERVER_PRICE, ledger), _offer_first(context))
        return
    price = pick.candidate.price.of(pick.candidate.offer)
    if price.likely <= 0 or price.high <= price.likely:
        return
    most, more = Amount(price.high, PRICE_PER_CHIP_HOUR), _more(swings, "price ", ledger)
    what = f"{pick.candidate.accelerator.short_name} above {most} per chip hour{_of(context, ledger)}"
    yield _row("Price", what, TAIL, more, _offer_first(context))


def _offer_first(context: PageContext) -> str:
    stop = stop_price(context.results)
    return f"Get a written offer before deciding{f'; stop above {stop}' if stop else ''}"


def _speed(context: PageContext, ledger: Ledger, swings: Sequence[CostSwing]) -> Iterator[_Row]:
    pick = context.pick
    if pick is None:
        return
    speed, n_chips = pick.throughput.tokens_per_s, pick.candidate.n_chips
    unit, needed = f"{context.profile.unit_word}/s a chip", context.profile.job.needed_tokens_per_s
    what = f"Below {plain(speed.low / n_chips)} {unit}{_of(context, ledger)}"
    of_load = f", {plain(needed / n_chips)} needed" if needed else ""
    doing = f"Measure on a few chips first: {plain(speed.likely / n_chips)} {unit} planned{of_load}"
    yield _row("Speed", what, TAIL, _more(swings, "speed ", ledger), doing)


def _more(swings: Sequence[CostSwing], quantity: str, ledger: Ledger) -> str:
    """What the worse end of a range costs more, as the sensitivity has it."""
    most = max((max(one.at_low_usd, one.at_high_usd) for one in swings if one.input.id.startswith(quantity)), default=0)
    units = ledger.in_units(most)
    return f"over {units_text(units)}" if units > 0 else "0"


def _capacity(context: PageContext, ledger: Ledger, _: Sequence[CostSwing]) -> Iterator[_Row]:
    pick = context.pick
    if pick is None or not pick.obtainable.wait.source:
        return
    days = counted(pick.obtainable.wait.days.high, "day", digits=2)
    what = f"{grouped(pick.candidate.n_chips)} chips come more than {days} after the order{_of(context, ledger)}"
    yield _row("Capacity", what, TAIL, DASH, "Start date and refund into the contract")


def _people(context: PageContext, ledger: Ledger, _: Sequence[CostSwing]) -> Iterator[_Row]:
    pick = context.pick
    days = pick.time_terms_days.get("porting", 0.0) if pick else 0.0
    if pick is None:
        return
    if days > 0:
        what = f"The port to {pick.candidate.accelerator.short_name} takes more than {counted(days, 'day', digits=2)}"
        yield _row("People", f"{what}{_of(context, ledger)}", DASH, DASH, "Port a small part first, before signing")
        return
    team = context.profile.team
    hours = sum(ledger.in_units(pick.cost.part(part)) for part in ("operations", "setting_up"))
    what = f"Too few of {counted(team.engineers, 'engineer')} know this work{_of(context, ledger)}"
    yield _row("People", what, DASH, f"{units_text(hours)} planned", "Name two who can each run it alone")


_KINDS = (_supplier, _price, _speed, _capacity, _people)


def step_blocks(contexts: list[PageContext], answer: PlanAnswer, ledger: Ledger) -> tuple[Block, ...]:
    """What is done when, what is due with it, and what would stop it."""
    columns = (
        Column("When", weight=1.5),
        Column("Next step", weight=3.6),
        Column(f"Due, {ledger.unit}", "right", 1),
        Column("Stop if", weight=2.8),
    )
    first = min(one.profile.limits.start_date for one in answer.picks)
    pairs = zip(contexts, answer.picks, strict=True)
    asks = [_ask_row(context, one.pick, f"Before {date_text(first)}") for context, one in pairs]
    decide = (Cell(date_text(first)), Cell("Decide"), Cell(DASH), Cell("An answer above is missing"))
    runs = [one for one in answer.picks if one.profile.job.months_in_service is None]
    dated = [(one.begins, _begin_row(ledger, number, one)) for number, one in enumerate(answer.picks)]
    dated += [(one.ready, _done_row(ledger, number, one)) for number, one in enumerate(answer.picks) if one in runs]
    rows = (*asks, decide, *(row for _, row in sorted(dated, key=lambda pair: pair[0])))
    return Paragraph("Next steps", "heading"), Table(columns, rows, is_small=True)


def _done_row(ledger: Ledger, number: int, one: Picked) -> _Row:
    """The end of a run: chips paid as used have come to their sum by then; what servers are worth comes back."""
    if is_own(one.pick):
        worth, what = ledger.of(number, SOLD), f"{one.name} is done: servers to other work, or sold"
        return Cell(date_text(one.ready)), Cell(what), Cell(units_text(worth) if worth else DASH), Cell(DASH)
    is_owed = is_committed(one)
    what = f"{one.name} is done{'' if is_owed else ': chips paid as used'}"
    due = DASH if is_owed else units_text(ledger.of(number, CHIPS))
    return Cell(date_text(one.ready)), Cell(what), Cell(due), Cell(DASH)


def _ask_row(context: PageContext, pick: CandidateResult, when: str) -> _Row:
    """What is asked of a seller before anything is signed."""
    if is_there(pick):
        what = f"Ask {asked_of(pick)} whether they are free: {pick.candidate.name}"
        return Cell(when), Cell(what), Cell(DASH), Cell("They are not")
    asked = ["a written offer", *(QUESTION_WORDS[one] for one in questions(pick) if one in ("size", "speed"))]
    what = f"Ask {asked_of(pick)} for {', '.join(asked)}: {pick.candidate.name}"
    return Cell(when), Cell(what), Cell(DASH), Cell(_stop(context))


def _begin_row(ledger: Ledger, number: int, one: Picked) -> _Row:
    """The day on which chips are taken, and what is owed from then on."""
    what = _taken(one.pick)
    return (
        Cell(date_text(one.begins)),
        Cell(f"{what}{_owed_words(one)}"),
        Cell(_due_at_begin(ledger, number, one)),
        Cell(_missing(one.pick)),
    )


def _missing(pick: CandidateResult) -> str:
    """What would be there in place of what was taken; a network counts where machines work as one."""
    if pick.candidate.n_chips == 1:
        return "The chip is not there"
    return "Fewer chips, or not on one network" if pick.obtainable.is_joined else "Fewer chips"


def _taken(pick: CandidateResult) -> str:
    name = pick.candidate.name
    if is_own(pick):
        return f"Take {name} in the house" if is_there(pick) else f"Take delivery of {name}, bought"
    return f"Take {name} at {asked_of(pick)}, {PURCHASE_WORDS[pick.candidate.offer.purchase_model]}"


def _due_at_begin(ledger: Ledger, number: int, one: Picked) -> str:
    """The price of hardware, all that a term owes, or so much a month."""
    if bought := ledger.of(number, BOUGHT):
        return units_text(bought)
    return units_text(ledger.of(number, CHIPS)) if is_committed(one) else _by_the_month(ledger, number, one)


def _by_the_month(ledger: Ledger, number: int, one: Picked) -> str:
    """``16 a month``, small ones ``1.1``: what a service on chips that are paid as used takes; a dash for a run, told
    at its end."""
    months = one.profile.job.months_in_service
    if months is None:
        return DASH
    units = ledger.of(number, CHIPS) / months
    told = units_text(round(units)) if units >= _MORE_DIGITS_BELOW else plain(units, 2 if units >= 1 else 1)
    return f"{told} a month"


def _owed_words(one: Picked) -> str:
    if is_prepaid(one):
        return f": paid ahead, on {date_text(one.profile.limits.start_date)}"
    return ": owed from here on" if is_committed(one) else ""


def _stop(context: PageContext) -> str:
    stop = stop_price(context.results)
    unit = "a server" if context.pick and is_own(context.pick) else "per chip hour"
    return f"More than {stop} {unit}" if stop else "No offer in writing"


def sign_off() -> SignOff:
    """Lines for those who answer for it."""
    return SignOff(ROLES)
