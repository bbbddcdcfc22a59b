"""What speaks for a plan's picks as a whole, and what against them."""

from __future__ import annotations

from collections.abc import Iterator

from core.amounts import USD, Amount, Sentence, Text, distinct
from core.comparison.together.plan_answer import PlanAnswer
from core.comparison.together.ways import Picked
from core.report.ledger import ledger_of
from core.units import counted, in_hundred, shown_money, whole_days

N_REASONS = 3
_NOTABLE_USD = 1.0
_SAFE = 0.9
"""A plan that keeps its limits less often has that against it."""


def plan_for(answer: PlanAnswer) -> tuple[Text, ...]:
    """Up to three things that speak for the picks as they are, strongest first."""
    dearer = [one for one in answer.others if one.call == "worse" and one.more_usd.likely >= _NOTABLE_USD]
    reasons: list[Text] = [
        *(f"{_days(spare)} to spare at the late end of {one.name}" for one, spare in _spare(answer) if spare > 0),
        *(Sentence("{} below {}", Amount(one.more_usd.likely, USD), _doing(one.way.title)) for one in dearer[:2]),
        *([] if _ported(answer) else ["No workload needs its code ported"]),
        *([] if answer.upkeep else ["One kind of software for all workloads"]),
    ]
    return distinct(reasons)[:N_REASONS]


def plan_against(answer: PlanAnswer) -> tuple[Text, ...]:
    """Up to three things that speak against them."""
    cheaper = [one for one in answer.others if one.way.is_proved and one.more_usd.likely <= -_NOTABLE_USD]
    reasons: list[Text] = [
        *(Sentence("{} above {}", Amount(-one.more_usd.likely, USD), _doing(one.way.title)) for one in cheaper),
        *_missed(answer),
        *(f"{one.name} is {_days(-spare)} late at the late end" for one, spare in _spare(answer) if spare < 0),
        *_owed(answer),
        *(
            Sentence("{} to keep up the software of {} too", Amount(one.usd, USD), one.software)
            for one in answer.upkeep
        ),
        *(f"{one.name} needs {_days(whole_days(days))} of porting first" for one, days in _ported(answer)),
        _sellers(answer),
    ]
    return distinct(reasons)[:N_REASONS]


def _missed(answer: PlanAnswer) -> Iterator[Text]:
    kept = answer.chance_in_limits
    if kept is not None and kept < _SAFE:
        yield f"Some limit is missed in {in_hundred(1 - kept)} draws"


def _owed(answer: PlanAnswer) -> Iterator[Text]:
    """What committed terms owe whatever becomes of the work, as the pages of finance add it up."""
    ledger = ledger_of(answer)
    usd = sum(map(ledger.owed, range(len(ledger.picks)))) * ledger.scale / shown_money().per_usd
    if usd >= _NOTABLE_USD:
        yield Sentence("{} is committed: owed in any case", Amount(usd, USD))


def _sellers(answer: PlanAnswer) -> Text:
    sellers = {one.pick.candidate.offer.provider for one in answer.picks}
    number = counted(len(sellers), "seller")
    return "One seller holds all workloads" if len(sellers) == 1 else f"{number}, each with its own contract and tools"


def _ported(answer: PlanAnswer) -> list[tuple[Picked, float]]:
    """Workloads whose code is ported first, and for how many days."""
    days = [(one, one.pick.time_terms_days.get("porting", 0.0)) for one in answer.picks]
    return [(one, own) for one, own in days if own > 0]


def _spare(answer: PlanAnswer) -> list[tuple[Picked, int]]:
    """Runs with a deadline, and whole days between the late end of their range and it."""
    spare = [(one, _spare_days(one)) for one in answer.picks]
    return [(one, days) for one, days in spare if days is not None]


def _spare_days(one: Picked) -> int | None:
    """Whole days between the late end of a run's range and its deadline; None without either."""
    deadline, ready = one.profile.limits.deadline_days, one.pick.days_to_finish
    return None if deadline is None or ready is None else int(deadline) - whole_days(ready.high)


def _days(number: int) -> str:
    return counted(number, "day")


def _doing(title: str) -> str:
    """A way as what is done: ``training on GPU and serving on TPU``, ``all on GPU``."""
    words = f"{title[:1].lower()}{title[1:]}".replace("train on", "training on").replace(", ", " and ")
    return words.replace("serve on", "serving on").replace("run the rest", "running the rest")
