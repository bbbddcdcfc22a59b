"""F6: what a person can do to look inside: six yes-or-no facts of the chip's family."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from functools import cache

from core import paths
from core.errors import InputError
from core.flexibility.criterion import Criterion, Finding, Subject
from core.flexibility.situation import Situation
from core.ranges import Range

FILE = "flexibility/debug_facts.csv"
FACT_WORDS = {
    "desk": "a card for the desk",
    "eager": "operators run one by one",
    "kernel_debugger": "a debugger for kernels",
    "profiler": "a profiler for kernels",
    "without_chip": "model code runs without the chip",
    "driver": "drivers and counters are open",
}
ANSWERS = {"yes": (1.0, 1.0, 1.0), "no": (0.0, 0.0, 0.0), "unknown": (0.0, 0.5, 1.0)}
NEED_FACTOR = {"low": 0.5, "normal": 1.0, "high": 2.0}
"""Factor on the criterion's weight by how much debugging the work takes (our proposal)."""


@dataclass(frozen=True, slots=True)
class DebugFact:
    """One fact about a family of chips, and where it comes from."""

    fact: str
    answer: str
    source: str
    as_of: str
    estimate: bool


@cache
def debug_facts() -> dict[str, tuple[DebugFact, ...]]:
    """The shipped facts by chip family. Raises InputError naming the row when the file is damaged."""
    facts: dict[str, tuple[DebugFact, ...]] = {}
    with (paths.resources() / FILE).open(encoding="utf-8", newline="") as file:
        for number, row in enumerate(csv.DictReader(file), start=2):
            if row["fact"] not in FACT_WORDS or row["answer"] not in ANSWERS:
                expected = f"one of {', '.join(FACT_WORDS)} with yes, no or unknown"
                raise InputError(f"{FILE}, row {number}", f"'{row['fact']}' with '{row['answer']}'", expected)
            fact = DebugFact(row["fact"], row["answer"], row["source"], row["as_of"], row["estimate"] == "yes")
            facts[row["chip_family"]] = (*facts.get(row["chip_family"], ()), fact)
    return facts


def facts_that_hold(subject: Subject) -> Range:
    """``facts that hold / 6``; a fact that nobody stated counts from 0 to 1."""
    columns = zip(*(ANSWERS[answer] for answer in _answers(subject).values()), strict=True)
    return Range(*(sum(column) / len(FACT_WORDS) for column in columns))


def _facts(subject: Subject) -> dict[str, DebugFact]:
    return {fact.fact: fact for fact in debug_facts().get(subject.accelerator.family, ())}


def _answers(subject: Subject) -> dict[str, str]:
    facts = _facts(subject)
    return {name: facts[name].answer if name in facts else "unknown" for name in FACT_WORDS}


def debug_and_local(subject: Subject) -> Finding:
    """See :func:`facts_that_hold`."""
    facts, answers = _facts(subject), _answers(subject)
    missing = [words for name, words in FACT_WORDS.items() if answers[name] != "yes"]
    rows = facts.values()
    return Finding(
        value=facts_that_hold(subject),
        inputs=tuple((words.capitalize(), answers[name]) for name, words in FACT_WORDS.items()),
        evidence=f"{len(FACT_WORDS) - len(missing)} of {len(FACT_WORDS)} facts hold"
        + (f"; no or unknown: {', '.join(missing)}" if missing else ""),
        source=", ".join(sorted({f"{row.source} {row.as_of}" for row in rows})) or "no entry",
        estimate=not facts or any(row.estimate for row in rows),
    )


def need_factor(profile: Situation) -> float:
    """How much heavier the criterion weighs for work that takes much debugging."""
    return NEED_FACTOR[profile.team.debug_need]


CRITERION = Criterion(
    "F6", "Debug and local", "facts that hold / 6", 14, 6, facts_that_hold, debug_and_local, weight_factor=need_factor
)
