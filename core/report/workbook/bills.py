"""Inputs and parts of the bills of the few candidates that a reviewer looks at, as formulas that follow each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import ROUND_HALF_UP, Decimal

from core.amounts import USD as USD_UNIT
from core.amounts import Amount
from core.comparison.result import CandidateResult, ResultSet
from core.comparison.together.due import CAPITAL, MAINTENANCE, PURCHASE, RESALE
from core.cost.bill.types import CostPart
from core.cost.parts.hardware import PART as HARDWARE
from core.cost.parts.hardware import hardware_split
from core.cost.registry import rent_parts, title_of
from core.report.workbook.recipes import RECIPES, Key, hardware_items, product
from core.report.workbook.sheet import NUMBER, USD, Formula, Head, Sheet, Shown, sum_of
from core.report.workbook.terms import Term, term

_NEARLY = 1e-5
MOST = 12
"""Candidates of a workload whose bills are written out."""

_INPUT_HEADS = (
    Head("Workload"), Head("Candidate"), Head("Where and how it is paid"), Head("Input"),
    Head("Value", "in the unit beside it", NUMBER, is_input=True), Head("Unit"), Head("First used by"), Head("Source"),
    Head("Estimate"),
)  # fmt: skip
_VALUE = 4
_PART_HEADS = (
    Head("Workload"), Head("Candidate"), Head("Where and how it is paid"), Head("Part"), Head("Amount", "USD", USD),
    Head("Formula in words"), Head("Follows its inputs"), Head("Source"), Head("Estimate"),
)  # fmt: skip
_AMOUNT = 4
_CHANGE = "Change a value in the blue column: the parts of the bill, the candidates, the cash and the verdict follow."


@dataclass
class Bills:
    """Two sheets, and where they hold the amounts of each candidate by (workload, candidate, part).

    ``items`` are formulas of what hardware is made of, by (workload, candidate, item).
    """

    inputs: Sheet = field(default_factory=lambda: Sheet("Bill inputs", _INPUT_HEADS, [], frozen=4, above=(_CHANGE,)))
    parts: Sheet = field(default_factory=lambda: Sheet("Cost parts", _PART_HEADS, [], frozen=4))
    part_cells: dict[tuple[str, str, str], Term] = field(default_factory=dict)
    totals: dict[tuple[str, str], Formula] = field(default_factory=dict)
    items: dict[tuple[str, str, str], Term] = field(default_factory=dict)

    def total(self, workload: str, result: CandidateResult) -> Shown:
        """The sum of a candidate's parts, live where its bill is written out; its likely total else."""
        return self.totals.get((workload, result.id)) or round(result.cost.total.likely, 2)

    def part(self, workload: str, result: CandidateResult, part: str) -> Shown:
        """One part likewise; 0 for one that the bill does not have."""
        where = self.part_cells.get((workload, result.id, part))
        return Formula(where.text, where.value) if where else round(result.cost.part(part), 2)

    def payment(self, workload: str, result: CandidateResult, part: str, item: str) -> Term:
        """The formula of a part of a written bill, or of an item of it where it is paid in several."""
        where = self.items if item else self.part_cells
        return where[workload, result.id, item or part]


def bills_of(result_sets: Sequence[ResultSet]) -> Bills:
    """The bills of the pick, of its runner-up and of the best of each chip."""
    bills = Bills()
    for results in result_sets:
        for result in billed(results):
            add_bill(bills, results, result)
    return bills


def add_bill(bills: Bills, results: ResultSet, result: CandidateResult) -> None:
    """Writes one candidate's bill behind those that are there."""
    _Bill(bills, results, result).write()


def billed(results: ResultSet) -> list[CandidateResult]:
    """Candidates whose bills are written out, the pick first."""
    runner_up = results.runner_up
    first = [one for one in (results.choice, runner_up) if one is not None]
    best = results.best_feasible or tuple(results.results[:1])
    return list({one.id: one for one in (*first, *best)}.values())[:MOST]


@dataclass
class _Bill:
    """Writes one candidate's bill. An input that several parts share stands once."""

    bills: Bills
    results: ResultSet
    result: CandidateResult
    known: dict[tuple[str, float], Term] = field(default_factory=dict)

    def write(self) -> None:
        """Appends inputs and parts; rent goes first, since support is counted of it."""
        cost_parts = sorted(self.result.cost.parts, key=lambda one: one.id not in rent_parts())
        first = len(self.bills.parts.rows)
        rent = Term(0.0, "0")
        for part in cost_parts:
            amount = self._amount(part, rent)
            self._append(part, amount)
            if part.id == HARDWARE and part.usd:
                self._keep_items(part, isinstance(amount, Formula))
            if part.id in rent_parts():
                rent = rent + Term(part.usd, self._cell(part.id).text)
        last = len(self.bills.parts.rows) - 1
        cells = [self.bills.parts.at(_AMOUNT, row) for row in (first, last)]
        usd = sum_of(row[_AMOUNT] for row in self.bills.parts.rows[first:])
        if cost_parts:
            span = f"{cells[0]}:{cells[1].rpartition('!')[2]}"
            self.bills.totals[self.results.profile.id, self.result.id] = Formula(f"SUM({span})", usd)

    @property
    def _where(self) -> tuple[str, str, str]:
        candidate = self.result.candidate
        return self.results.profile.name, candidate.name, candidate.place

    def _cell(self, part: str) -> Term:
        return self.bills.part_cells[self.results.profile.id, self.result.id, part]

    def _append(self, part: CostPart, amount: Formula | float) -> None:
        rows = self.bills.parts.rows
        key = (self.results.profile.id, self.result.id, part.id)
        self.bills.part_cells[key] = Term(sum_of([amount]), self.bills.parts.at(_AMOUNT, len(rows)))
        lives = "yes" if isinstance(amount, Formula) else "no: as evaluated"
        marks = (part.formula, lives, part.source, _yes(part.estimate))
        rows.append((*self._where, title_of(part.id), amount, *marks))

    def _amount(self, part: CostPart, rent: Term) -> Formula | float:
        """The live formula where it comes to what the bill says, to the cent; else the amount itself."""
        given = _given(part)
        recipe = RECIPES.get(part.id) or product([key for key in given if isinstance(key, int)])
        before = len(self.bills.inputs.rows), dict(self.known)
        try:
            made = recipe(lambda key: self._input(part, *given[key]), rent)
        except (KeyError, TypeError):
            made = None
        if made is not None and (text := in_cents(made, part.usd)):
            return Formula(text, float(_cents(part.usd)))
        del self.bills.inputs.rows[before[0] :]
        self.known = before[1]
        return part.usd

    def _keep_items(self, part: CostPart, is_live: bool) -> None:
        """Formulas of what hardware is made of; the amounts themselves where the part does not follow its inputs."""
        given, split = _given(part), hardware_split([part])
        if is_live:
            made = hardware_items(lambda key: self._input(part, *given[key]))
        else:
            usd = (split.bought_usd, split.worth_usd, split.capital_usd, split.maintenance_usd)
            made = {item: term(one) for item, one in zip((PURCHASE, RESALE, CAPITAL, MAINTENANCE), usd, strict=True)}
        for item, one in made.items():
            self.bills.items[self.results.profile.id, self.result.id, item] = one

    def _input(self, part: CostPart, name: str, amount: Amount) -> Term:
        """The cell of an input, which is made when it is first asked for."""
        key = (name, amount.value)
        if key not in self.known:
            sheet = self.bills.inputs
            value = _kept(amount.value)
            self.known[key] = Term(value, sheet.at(_VALUE, len(sheet.rows)))
            unit = USD_UNIT if amount.unit.startswith(f"{USD_UNIT} ") else amount.unit
            source = (title_of(part.id), part.source, _yes(part.estimate))
            sheet.rows.append((*self._where, name, value, unit, *source))
        return self.known[key]


def _given(part: CostPart) -> dict[Key, tuple[str, Amount]]:
    """Names and amounts of a part's inputs by their places, and by what they are where others work with them."""
    listed = [(place, name, told) for place, (name, told) in enumerate(part.inputs) if isinstance(told, Amount)]
    by_place: dict[Key, tuple[str, Amount]] = {place: (name, told) for place, name, told in listed}
    kinds = part.kinds or (None,) * len(part.inputs)
    return by_place | {kind: by_place[place] for place, kind in enumerate(kinds) if kind and place in by_place}


def in_cents(made: Term, usd: float) -> str:
    """The term in whole cents, where these are those of the bill; else nothing.

    Half a cent goes up in a spreadsheet, and up or down in the bill: there a millionth of a dollar says which way.
    """
    is_half = abs(made.value * 100.0 % 1.0 - 0.5) < _NEARLY
    for nudge in ("-0.000001", "+0.000001") if is_half else ("",):
        if _cents(made.value + float(nudge or 0.0)) == _cents(usd):
            return f"ROUND({made.text}{nudge},2)"
    return ""


def _cents(usd: float) -> Decimal:
    """As spreadsheets round: halves go up."""
    return Decimal(repr(float(usd))).quantize(Decimal("0.01"), ROUND_HALF_UP)


def _kept(value: float) -> float:
    """The 15 digits that a spreadsheet keeps of a number."""
    return float(f"{value:.15g}")


def _yes(is_so: bool) -> str:
    return "yes" if is_so else "no"
