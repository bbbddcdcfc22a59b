"""Common advice: rules as data, fired by the profile, set beside the computed result and never mixed into it."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache

from core import paths
from core.catalogue.catalogue import Catalogue
from core.comparison.advice import about_code, about_money, about_run, about_work, checks
from core.comparison.advice.conditions import CHECKS, CONDITIONS, Facts
from core.comparison.result import AdviceRule, CandidateResult
from core.errors import InputError
from core.workload.profile import Profile

FILE = "advice/rules.json"
CONDITION_MODULES = (about_code, about_work, about_run, about_money, checks)
SIDES = ("gpu", "tpu", "mixed", "depends")


@dataclass(frozen=True, slots=True)
class Rule:
    """One line of advice; ``condition`` names a function of one of :data:`CONDITION_MODULES`.

    ``check``, where there is one, names the figure that tells whether the numbers agree; else the kind of the pick
    does. ``statements`` are the guides' that say so, ``newer`` what has been published since, with its date.
    """

    rule: str
    title: str
    favours: str
    condition: str
    statements: tuple[str, ...] = ()
    check: str = ""
    newer: str = ""


@dataclass(frozen=True, slots=True)
class RuleBook:
    """All rules with the thresholds that they use, what each id is called, the guides by id, when these were gathered,
    and pairs of rules that the guides are known to set against each other, the weightiest first."""

    rules: tuple[Rule, ...]
    thresholds: dict[str, float]
    names: dict[str, str]
    guides: dict[str, str]
    as_of: str
    opposed: tuple[tuple[str, str], ...]

    def source(self, rule: Rule) -> str:
        """The guides that say so: ``Qovery, Dataplugs``."""
        return ", ".join(dict.fromkeys(self.guides[one.partition("-")[0]] for one in rule.statements))


@lru_cache(maxsize=1)
def rule_book() -> RuleBook:
    """The shipped rules; InputError when one names no known condition, check, side, name or guide."""
    content = json.loads((paths.resources() / FILE).read_text(encoding="utf-8"))
    rows = [row | {"statements": tuple(row.get("statements", ()))} for row in content["rules"]]
    all_rules = tuple(Rule(**row) for row in rows)
    guides = content["guides"]
    for rule in all_rules:
        _known(rule, "condition", rule.condition, CONDITIONS)
        _known(rule, "favours", rule.favours, SIDES)
        _known(rule, "check", rule.check, ("", *CHECKS))
        _known(rule, "name", rule.rule, content["names"])
        for statement in rule.statements:
            _known(rule, "statement", statement.partition("-")[0], guides)
    opposed = tuple((one, other) for one, other in content["opposed"])
    return RuleBook(all_rules, content["thresholds"], content["names"], guides, content["as_of"], opposed)


def _known(rule: Rule, field: str, value: str, known: Collection[str]) -> None:
    if value not in known:
        raise InputError(f"{FILE}, rule {rule.rule}", f"{field} '{value}'", f"one of {', '.join(known)}")


def advise(
    profile: Profile,
    ranked: Sequence[CandidateResult],
    rejected: Sequence[CandidateResult],
    catalogue: Catalogue | None = None,
) -> tuple[AdviceRule, ...]:
    """Every rule that fires, why, and whether the numbers agree (None: they do not tell, or nothing is picked)."""
    book = rule_book()
    facts = Facts(profile, tuple(ranked), rejected, book.thresholds, catalogue)
    fired = []
    for rule in book.rules:
        because = CONDITIONS[rule.condition](facts)
        if because:
            fired.append(
                AdviceRule(
                    rule.rule, rule.title, rule.favours, because, _agrees(rule, facts), book.names[rule.rule],
                    book.source(rule), book.as_of, rule.newer,
                )
            )  # fmt: skip
    return tuple(fired)


def agreement(advice: Sequence[AdviceRule]) -> tuple[int, int]:
    """How many of the rules on which the numbers have a say agree with them, and how many those are."""
    sides = [rule.agrees for rule in advice if rule.agrees is not None]
    return sum(sides), len(sides)


def agreement_lines(advice: Sequence[AdviceRule], most: int = 3) -> tuple[str, ...]:
    """The rules with which the numbers agree and those with which they do not, in the rules' words:
    ``Agree: Runs of hours reward quick turns; ... and 2 more``."""
    sides = (("Agree", True), ("Disagree", False))
    titles = ((word, [rule.title for rule in advice if rule.agrees is side]) for word, side in sides)
    return tuple(f"{word}: {_listed(told, most)}" for word, told in titles if told)


def _listed(titles: Sequence[str], most: int) -> str:
    more = f"; and {len(titles) - most} more" if len(titles) > most else ""
    return "; ".join(titles[:most]) + more


def _agrees(rule: Rule, facts: Facts) -> bool | None:
    if rule.check:
        return CHECKS[rule.check](facts)
    if facts.pick is None or rule.favours not in ("gpu", "tpu"):
        return None
    return facts.pick.candidate.accelerator.kind == rule.favours
