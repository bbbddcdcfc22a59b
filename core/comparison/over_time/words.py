"""A plan over time in words: rows of the plan, the table of ways, and what stands behind one phase."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from core.amounts import USD, Amount, Counted, Sentence, Text, UsdSpan, days, lower_first, whole
from core.comparison.over_time.answer import OverTime
from core.comparison.over_time.gate import Gate, MeasureAnswer
from core.comparison.over_time.limits_words import (
    breaks_words,
    broken_shortly,
    failed_path_words,
    reasons_words,
    to_be_proved,
)
from core.comparison.over_time.runs import Run
from core.comparison.over_time.spread import range_of
from core.comparison.over_time.way import Failed, Way
from core.constants import DAYS_PER_WEEK, HOURS_PER_DAY
from core.cost.registry import component_by_part
from core.ranges import Range
from core.units import DASH, LONGEST_DAYS, date_text, day_after, days_span, plain, span
from core.workload.phases import AT_LEAST, QUANTITY_UNITS, QUANTITY_WORDS, STAGE_WORDS, Measure, Stage

NO_MEASURES = "no pass or fail set"
WASTE = component_by_part()["commitment_waste"].title
"""What committed chips cost while nothing runs on them is called as in the bill."""
RULES_OF: dict[Stage, tuple[str, ...]] = {
    "explore": ("R03", "R08", "R17", "R19"),
    "port": ("R01", "R04", "R05", "R16", "R18", "R36"),
    "pilot": ("R37", "R29", "R12", "R15"),
    "scale": ("R02", "R10", "R11", "R13", "R30", "R33"),
    "serve": ("R09", "R10", "R22", "R27", "R40"),
}
"""Which rules of the guides speak about which stage of a plan (our reading of what they are about)."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a story: a sign before it (``+``, ``−``, ``=``), words and a value; ``tone`` is ``""``, ``good``,
    ``warn``, ``err`` or ``total``."""

    words: Text
    value: Text = ""
    sign: str = ""
    tone: str = ""


@dataclass(frozen=True, slots=True)
class Chapter:
    """Lines under a title with a note at its right."""

    title: str
    note: Text
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Story:
    """What Why shows of something that is no candidate: a name, a place below it, and chapters."""

    key: str
    title: str
    place: Text
    chapters: tuple[Chapter, ...]


@dataclass(frozen=True, slots=True)
class Cell:
    """A figure of the table of ways: its likely value, its range or remark, and ``err`` where a limit is missed."""

    likely: Text
    beside: Text = ""
    tone: str = ""


def day_words(way: Way, day: float) -> str:
    """``6 Jan 2027``: a day of the plan."""
    return date_text(day_after(way.first_day, min(day, LONGEST_DAYS)) or date.max)


def days_words(way: Way, ends: Range) -> str:
    """``6 Jan–3 Feb 2027``; both years where they differ."""
    low, high = day_words(way, ends.low), day_words(way, ends.high)
    return span(low.removesuffix(high[-5:]), high)


def chips_words(run: Run) -> str:
    """``64 × TPU v6e``; of a port the people at work and the chip."""
    if run.phase.works_on_chips:
        return run.held.name
    people = Counted(run.phase.people or run.held.profile.team.engineers, "person", "people")
    return f"{people}, to {run.held.result.candidate.accelerator.short_name}"


def bar_words(way: Way, run: Run) -> str:
    """What stands beside a phase's bar: its gate, or when it ends and how long its work takes."""
    gate = next((one for one in way.gates if one.run is run), None)
    if gate is not None:
        return f"Gate {day_words(way, run.ends.likely)}: {chance_words(gate)}"
    length = days(float(run.working[0]))
    if run.phase.stage == "serve":
        return f"{length} counted"
    verb = "ready" if run is way.deciding else "ends"
    return f"{verb} {day_words(way, run.ends.likely)}, {length}"


def chance_words(gate: Gate) -> str:
    """``72 % to pass``; ``at most`` where some measures are open."""
    if not gate.measures:
        return NO_MEASURES
    if gate.chance is None:
        return "chance open"
    share = f"{percent(gate.chance)} to pass"
    return f"at most {share}, {Counted(len(gate.open), 'measure')} open" if gate.open else share


def percent(share: float) -> Amount:
    """A share of draws as whole per cent; never 0 or 100 for what happens now and then, or not always."""
    value = round(100 * share)
    return whole(max(1, value) if 0 < share < 1 and value < 1 else min(99, value) if share < 1 else value, "%")


def headline(answer: OverTime) -> Text:
    """Which way fits best and by how much it is cheaper than the plan, or the next one that breaks no hard limit; which
    ones do, and what is still to be proved."""
    if answer.best is None:
        return _none_fits(answer)
    best = answer.ways[answer.best]
    ready = day_words(best, best.ready.likely)
    other = _beside(answer)
    if other is None:
        is_alone = len(answer.ways) == 1
        told = Sentence(
            "{}{}: {}, ready {}", best.title, "" if is_alone else " fits best", _usd(best.total.likely), ready
        )
    else:
        told = Sentence("{} fits best: {}, ready {}", best.title, _gap(best, other), ready)
    parts = (told, broken_shortly(answer.breaking))
    ends = Sentence("{}.", parts[0]) if not parts[1] else Sentence("{}; {}.", *parts)
    proof = to_be_proved(best)
    return Sentence("{} {}", ends, proof) if proof else ends


def _none_fits(answer: OverTime) -> Text:
    if len(answer.ways) == 1:
        return Sentence("{}.", breaks_words(answer.own))
    return Sentence("No way can be signed: {}.", broken_shortly(answer.ways))


def _beside(answer: OverTime) -> Way | None:
    """What the way that fits best is told against: the plan's own way, or the cheapest other one where it is that
    itself; of these only what breaks no hard limit."""
    if answer.best:
        return None if answer.own.broken else answer.own
    return min(answer.rivals, key=lambda way: way.total.likely, default=None)


def _gap(way: Way, other: Way) -> Text:
    """``$266 k below All-TPU``."""
    more = way.total.likely - other.total.likely
    return Sentence("{} {} {}", _usd(abs(more)), "above" if more > 0 else "below", other.title)


def as_planned(answer: OverTime) -> Text:
    """How the plan's own way stands beside the one that fits best, or the next one where it does so itself."""
    own = answer.own
    if own.broken:
        best = "" if answer.best is None else f"; {answer.ways[answer.best].title} keeps all"
        return Sentence("{}, as planned, breaks a hard limit: {}{}", own.title, reasons_words(own.broken[:1]), best)
    if len(answer.ways) == 1:
        return f"{own.title}, as planned"
    if answer.best:
        return Sentence("{}, as planned: {}, which fits best", own.title, _gap(own, answer.ways[answer.best]))
    other = _beside(answer)
    if other is None:
        return Sentence("{}, as planned, fits best: no other way keeps the hard limits", own.title)
    return Sentence("{}, as planned, fits best: {}", own.title, _gap(own, other))


OWN_HARDWARE = (
    "Hardware that is bought is paid in the first phase on it; what it is worth comes back in the last, whose cost may "
    "be below 0."
)


def owned_words(answer: OverTime) -> str:
    """How bought hardware is counted; empty where all is rented."""
    return OWN_HARDWARE if any(run.owned.bought[0] > 0 for way in answer.ways for run in way.runs) else ""


WHOLE_TERMS = "Committed chips are paid in whole terms; what is left of one counts in the last phase on it."


def committed_words(way: Way) -> tuple[Text, ...]:
    """How committed chips are counted, and what each phase owes after its end; empty where nothing is owed."""
    told = [
        Sentence("{}: {}, {}.", run.phase.name, lower_first(words), _usd(usd))
        for run in way.runs
        for words, usd in owed_after(way, run)
    ]
    return (WHOLE_TERMS, *told) if told else ()


def looked_at(answer: OverTime) -> OverTime:
    """The same with all that a window shows of its draws worked out, rather than while it paints."""
    table(answer)
    for way in answer.ways:
        str((way.cash, [bar_words(way, run) for run in way.runs], [run.cost for run in way.runs]))
        str(way.fallback and way.fallback.way.cash)
    return answer


def table(answer: OverTime) -> tuple[tuple[str, tuple[Cell, ...]], ...]:
    """The ways beside each other, row by row."""
    ways = answer.ways
    deadline = next((day_words(way, way.deadline) for way in ways if way.deadline is not None), "")
    moves = [Cell(_usd(way.moving_usd) if way.moving_usd else DASH) for way in ways]
    rows = [
        ("Total cost", [Cell(_usd(way.total.likely), _span(way.total)) for way in ways]),
        ("with a failed pilot priced in", [_priced_in(way) for way in ways]),
        ("Hard limits", [_limits(way) for way in ways]) if answer.breaking else None,
        ("Work done", [_ready(way) for way in ways]),
        (f"Keeps {deadline}", [_in_time(way) for way in ways]) if deadline else None,
        ("Porting", [_porting(way) for way in ways]),
        (WASTE, [_unused(way) for way in ways]) if any(way.owed_usd.likely for way in ways) else None,
        ("Moving data and weights", moves) if any(way.moving_usd for way in ways) else None,
        ("Waiting for capacity", [Cell(days(way.waiting_days.likely), _days(way.waiting_days)) for way in ways]),
        ("Flexibility", [_score(way.flexibility) for way in ways]),
        ("Exit bill", [_exit(way) for way in ways]),
    ]
    return tuple((row[0], tuple(row[1])) for row in rows if row is not None)


def story(answer: OverTime, way: Way, run: Run) -> Story:
    """What stands behind one phase."""
    held = run.held
    number = way.runs.index(run) + 1
    place = Sentence("{}, {}", chips_words(run), held.result.candidate.place)
    gate = next((one for one in way.gates if one.run is run), None)
    chapters = [_time(way, run), _cost(way, run)]
    if gate is not None:
        chapters += [_gate(gate), *([_after(way, way.fallback)] if way.fallback else [])]
    advice = _advice(answer, run)
    notes = _notes(run) if run.phase.works_on_chips or held.note else ()
    return Story(
        f"phase:{run.phase.id}",
        f"{number} {run.phase.name}",
        place if run.phase.works_on_chips else chips_words(run),
        (*notes, *chapters, *([advice] if advice.lines else [])),
    )


def _notes(run: Run) -> tuple[Chapter, ...]:
    """What could not be taken as typed, and hard limits that the chips break, with what would help."""
    note = (Line(run.held.note, "", "!", "warn"),) if run.held.note else ()
    broken = [(Line(one.text, "", "!", "err"), Line(one.nearest_change, "", "", "small")) for one in run.held.broken]
    lines = (*note, *(line for pair in broken for line in pair if line.words))
    title = "Hard limits broken" if broken and not note else "Note"
    return (Chapter(title, "", lines),) if lines else ()


def advice_line(answer: OverTime, run: Run) -> Text:
    """The guides on a phase in one line; empty where no rule speaks of it."""
    lines = _advice(answer, run).lines
    if not lines:
        return ""
    told = Sentence("; ".join(["{} {}"] * len(lines)), *(part for one in lines for part in (one.sign, one.words)))
    return Sentence("Common advice on {}: {}", STAGE_WORDS[run.phase.stage].lower(), told)


def measure_words(measure: Measure) -> str:
    """``Speed over that predicted ≥ 85 %``."""
    sign = "\u2265" if measure.quantity in AT_LEAST else "\u2264"
    unit = QUANTITY_UNITS[measure.quantity]
    return f"{QUANTITY_WORDS[measure.quantity]} {sign} {Amount(measure.threshold, unit)}"


def _time(way: Way, run: Run) -> Chapter:
    parts = (("Waiting for capacity", run.waiting), ("Porting", run.porting), (_work_words(run), run.working))
    lengths = [(words, float(part[0])) for words, part in parts if part[0] > 0]
    lines = [Line(words, days(length), "+" if at else "") for at, (words, length) in enumerate(lengths)]
    begins = Line(Sentence("Begins {}", day_words(way, float(run.begin[0]))))
    last = Line(Sentence("Ends {}", day_words(way, run.ends.likely)), "", "=", "total")
    ends = Line(Sentence("{}, 80 % range", days_words(way, run.ends)), "", "", "small")
    whole_days = Sentence("{} days", _days(range_of(run.waiting + run.porting + run.working)))
    due = run.held.sized_for
    sized = () if due is None else (Line(Sentence("So many chips for {}", day_words(way, due)), "", "", "small"),)
    return Chapter("Time", whole_days, (begins, *sized, *lines, last, ends))


def _work_words(run: Run) -> str:
    if run.phase.stage == "port":
        return "Porting by people"
    if run.phase.end is not None:
        return "Up to the day typed"
    if run.phase.days is not None:
        return "Length as typed"
    if run.phase.stage == "serve":
        return "Months in service"
    share = plain(run.phase.share_pct)
    return "The whole work" if run.phase.share_pct == 100 else f"{share} % of the work"


def _cost(way: Way, run: Run) -> Chapter:
    held, by_day = run.held, float(run.by_day_usd[0])
    lines = _bought(run)
    if by_day > 0:
        lines.append(Line(_by_day(run), _usd(by_day), "+" if lines else ""))
    lines += [Line(words, _usd(value), "+" if lines else "") for words, value in owed_after(way, run)]
    if run.porting_usd[0] > 0:
        weeks = float(run.porting_usd[0]) / max(held.profile.team.engineer_usd_per_week, 1e-9)
        lines.append(
            Line(Sentence("Porting, {}", _weeks(weeks)), _usd(float(run.porting_usd[0])), "+" if lines else "")
        )
    if run.moving_usd > 0:
        lines.append(Line("Moving data and weights", _usd(run.moving_usd), "+" if lines else ""))
    if run.owned.worth[0] > 0:
        lines.append(Line("Worth of the servers, given up at the end", _usd(float(run.owned.worth[0])), "\u2212"))
    total = Line("This phase", _usd(run.cost.likely), "=", "total")
    return Chapter("Cost", _span(run.cost), (*lines, total))


def _bought(run: Run) -> list[Line]:
    """What is paid once for hardware of one's own, as far as this phase is the first on it."""
    once, bought = float(run.owned.once[0]), float(run.owned.bought[0])
    lines = [Line("Servers, paid when they come", _usd(bought))] if bought > 0 else []
    return [*lines, *([Line("Setting up, waiting", _usd(once), "+" if lines else "")] if once > 0 else [])]


def owed_after(way: Way, run: Run) -> tuple[tuple[Text, float], ...]:
    """What committed chips cost after a phase, in words, with likely USD: up to the end of the term, or to the next
    phase on them."""
    usd: dict[tuple[bool, str], float] = {}
    for one in (one for one in run.owed if one.usd[0] > 0):
        key = one.waits, day_words(way, float(one.until[0]))
        usd[key] = usd.get(key, 0.0) + float(one.usd[0])
    told = {True: "Kept for the next phase on them, to {}", False: "Owed to the end of the term, {}"}
    return tuple((Sentence(told[waits], day), value) for (waits, day), value in usd.items())


def _by_day(run: Run) -> Text:
    held, hours = run.held, whole(float(run.working[0]) * HOURS_PER_DAY)
    if held.owned is not None:
        return Sentence("{} × {} h: capital, maintenance, rooms, power, people", held.name, hours)
    return Sentence(
        "{} × {} h × {}, {}",
        held.name,
        hours,
        Amount(_usd_per_chip_h(run), "USD each"),
        "the rent" if held.is_rent_alone else _BILL[bool(run.owed_usd[0] > 0)],
    )


_BILL = {False: "the bill without porting", True: "the bill of these hours without porting"}


def _usd_per_chip_h(run: Run) -> float:
    held = run.held
    a_day = held.usd_per_day
    if held.committed is not None:
        a_day = float(run.by_day_usd[0]) / max(float(run.working[0]), 1e-9)
    return a_day / HOURS_PER_DAY / held.n_chips


def _gate(gate: Gate) -> Chapter:
    lines = [line for one in gate.measures for line in _measured(one)]
    together = Line(Sentence("All measures: {}", chance_words(gate)), "", "=", "total")
    note = "" if gate.measures else NO_MEASURES
    return Chapter("Pass or fail", note, (*lines, together) if gate.measures else ())


def _measured(one: MeasureAnswer) -> tuple[Line, Line]:
    chance: Text = "open" if one.chance is None else percent(one.chance)
    if one.predicted is None:
        told: Text = "not predicted"
    elif one.predicted.low == one.predicted.high:
        told = Sentence("predicted {}, without a range", plain(one.predicted.likely))
    else:
        low, high = plain(one.predicted.low), plain(one.predicted.high)
        told = Sentence("predicted {}, {}", plain(one.predicted.likely), span(low, high))
    if not one.measure.is_drawn:
        told = Sentence("{}; chance {}", told, "not typed" if one.measure.is_open else "as typed")
    return Line(measure_words(one.measure), chance, "", "warn" if one.chance is None else ""), Line(
        told, "", "", "small"
    )


def _after(way: Way, failed: Failed) -> Chapter:
    scale = way.deciding
    other = failed.way.deciding
    more = failed.way.total.likely - way.total.likely
    passed = Sentence(
        "Pass: {}, done {}, {} in all", scale.held.name, day_words(way, way.ready.likely), _usd(way.total.likely)
    )
    fails = Sentence(
        "Fail: {}, done {}, {} {}",
        other.held.name,
        day_words(failed.way, failed.way.ready.likely),
        _usd(abs(more)),
        "more" if more >= 0 else "less",
    )
    lines = [Line(passed, "", "+", "good"), Line(fails, "", "\u2212", "err")]
    if failed.way.broken:
        lines.append(Line(failed_path_words(failed.way), "", "\u26a0", "warn"))
    if failed.ask_by is not None and failed.have_by is not None:
        lines.append(Line(_order_by(way, failed), "", "\u26a0", "warn"))
    return Chapter("After the gate", "", tuple(lines))


def _order_by(way: Way, failed: Failed) -> Text:
    if late := too_late_words(way, failed):
        return late
    ask, have = (day_words(way, day) for day in (failed.ask_by or 0.0, failed.have_by or 0.0))
    return Sentence("Order {} by {}; had after {}, it misses the deadline", failed.way.deciding.held.name, ask, have)


def too_late_words(way: Way, failed: Failed) -> Text:
    """That an order after the gate misses the deadline, and what would keep the chance; empty where it does not."""
    if not failed.is_too_late:
        return ""
    chip, day = failed.way.deciding.held.name, failed.ask_by or 0.0
    ordered, order = ("An order", "order") if failed.ask_by != failed.have_by else ("A start", "begin on")
    if day < 0:
        return Sentence("{} of {} is too late for the deadline even on {}", ordered, chip, day_words(way, 0.0))
    told = "{} after the gate is too late for the deadline: to keep that chance, {} {} by {}, before the pilot ends"
    return Sentence(told, ordered, order, chip, day_words(way, day))


def _advice(answer: OverTime, run: Run) -> Chapter:
    """The rules of the guides about this stage that fire for its workload, beside the chips that the phase holds."""
    asked = RULES_OF[run.phase.stage]
    rules = [one for one in answer.advice.get(run.held.profile.id, ()) if one.rule in asked]
    lines = []
    for rule in rules:
        is_for = None if rule.favours in ("mixed", "depends") else rule.favours == run.held.kind
        sign, tone = {None: ("\u00b7", ""), True: ("+", "good"), False: ("\u2212", "err")}[is_for]
        lines.append(Line(rule.title, "", sign, tone))
    n_for = sum(line.sign == "+" for line in lines)
    n_sided = n_for + sum(line.sign == "\u2212" for line in lines)
    note = Sentence("{} of {} for these chips", whole(n_for), whole(n_sided)) if n_sided else ""
    return Chapter("Common advice", note, tuple(lines))


def _priced_in(way: Way) -> Cell:
    gate = way.gate
    if gate is None:
        return Cell(DASH, "no pilot")
    if way.priced_in_usd is None:
        return Cell(DASH, _why_not_priced_in(way, gate))
    sign = "\u2264 " if gate.open else ""
    return Cell(_usd(way.priced_in_usd), Sentence("{}{} to pass", sign, percent(gate.chance or 0.0)))


def _why_not_priced_in(way: Way, gate: Gate) -> Text:
    if way.fallback is not None and way.fallback.way.broken:
        return "a hard limit is broken"
    return NO_MEASURES if not gate.measures else "chance open" if gate.chance is None else "no other path"


def _unused(way: Way) -> Cell:
    return Cell(_usd(way.owed_usd.likely), _span(way.owed_usd)) if way.owed_usd.likely > 0 else Cell(DASH)


def _limits(way: Way) -> Cell:
    return Cell("broken", reasons_words(way.broken), "err") if way.broken else Cell("kept")


def _ready(way: Way) -> Cell:
    is_late = way.deadline is not None and way.ready.likely > way.deadline
    return Cell(day_words(way, way.ready.likely), days_words(way, way.ready), "err" if is_late else "")


def _in_time(way: Way) -> Cell:
    if way.deadline is None or way.chance_in_time is None:
        return Cell(DASH)
    spare = way.deadline - way.ready.likely
    told = Sentence("{} {}", days(abs(round(spare)), 0), "to spare" if spare >= 0 else "late")
    return Cell(percent(way.chance_in_time), told, "err" if spare < 0 else "")


def _porting(way: Way) -> Cell:
    if way.porting_usd.high == 0:
        return Cell(DASH, "nothing to port")
    weeks = way.porting_days.scaled(1.0 / DAYS_PER_WEEK)
    told = Sentence("{}, {}", _weeks(weeks.likely), span(plain(weeks.low, 2), plain(weeks.high, 2)))
    return Cell(_usd(way.porting_usd.likely), told)


def _exit(way: Way) -> Cell:
    bill = way.exit
    return Cell(_usd(bill.usd), _weeks(bill.weeks)) if bill.usd > 0 or bill.weeks > 0 else Cell(DASH, "nothing to port")


def _score(score: Range) -> Cell:
    return Cell(plain(score.likely, 2), span(plain(score.low, 2), plain(score.high, 2)))


def _usd(value: float) -> Amount:
    return Amount(value, USD)


def _span(amount: Range) -> UsdSpan:
    return UsdSpan(amount.low, amount.high)


def _days(length: Range) -> str:
    return days_span(length.low, length.high)


def _weeks(weeks: float) -> Counted:
    return Counted(weeks, "week", digits=2)
