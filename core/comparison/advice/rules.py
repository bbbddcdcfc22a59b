"""Common advice: rules as data, fired by the profile, set beside the computed result and never mixed into it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from core import paths
from core.comparison.advice import about_code, about_work
from core.comparison.advice.conditions import CONDITIONS, Facts
from core.comparison.result import AdviceRule, CandidateResult
from core.errors import InputError
from core.workload.profile import Profile

FILE = "advice/rules.json"
CONDITION_MODULES = (about_code, about_work)


@dataclass(frozen=True, slots=True)
class Rule:
    """One line of advice; ``condition`` names a function of one of :data:`CONDITION_MODULES`."""

    rule: str
    title: str
    favours: str
    condition: str


@lru_cache(maxsize=1)
def rules() -> tuple[tuple[Rule, ...], dict[str, float]]:
    """The rules and the thresholds they use; InputError when a rule names no known condition or side."""
    content = json.loads((paths.resources() / FILE).read_text(encoding="utf-8"))
    all_rules = tuple(Rule(**row) for row in content["rules"])
    for rule in all_rules:
        if rule.condition not in CONDITIONS:
            raise InputError(
                f"{FILE}, rule {rule.rule}", f"condition '{rule.condition}'", f"one of {', '.join(CONDITIONS)}"
            )
        if rule.favours not in ("gpu", "tpu", "depends"):
            raise InputError(f"{FILE}, rule {rule.rule}", f"favours '{rule.favours}'", "gpu, tpu or depends")
    return all_rules, content["thresholds"]


def advise(
    profile: Profile, ranked: Sequence[CandidateResult], rejected: Sequence[CandidateResult]
) -> tuple[AdviceRule, ...]:
    """Every rule that fires, why, and whether the pick agrees (None: the rule takes no side, or nothing is picked)."""
    all_rules, thresholds = rules()
    facts = Facts(profile, tuple(ranked), tuple(rejected), thresholds)
    fired = []
    for rule in all_rules:
        because = CONDITIONS[rule.condition](facts)
        if because:
            fired.append(AdviceRule(rule.rule, rule.title, rule.favours, because, _agrees(rule, facts)))
    return tuple(fired)


def agreement(advice: Sequence[AdviceRule]) -> tuple[int, int]:
    """How many of the rules that take a side agree with the pick, and how many take a side."""
    sides = [rule.agrees for rule in advice if rule.agrees is not None]
    return sum(sides), len(sides)


def _agrees(rule: Rule, facts: Facts) -> bool | None:
    if rule.favours == "depends" or not facts.ranked:
        return None
    return facts.ranked[0].candidate.accelerator.kind == rule.favours
