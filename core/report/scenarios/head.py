"""One sentence over all scenarios: how often the pick changes, and where there is no answer."""

from __future__ import annotations

from collections.abc import Sequence

from core.report.scenarios.answers import ScenarioAnswer

FEW = 2
"""So many scenarios are named."""
_NUMBERS = ("none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


def head_words(answers: Sequence[ScenarioAnswer]) -> str:
    """``The pick changes in two of three; nothing fits in "60 % use"``. The first answer is that of the base."""
    base, *others = answers
    if base.results is None or any(one.results is None and not one.problem for one in others):
        return "Working out the answers"
    if not base.results.results:
        return str(base.results.recommendation.headline)
    if not others:
        return "No scenarios yet: add one to see whether the pick survives a doubt"
    known = [one for one in others if one.results]
    nothing = [one.name for one in known if one.pick is None]
    changed = sum(_option(one) != _option(base) for one in known)
    told_all = base.pick is None and not changed
    return "; ".join([_changes(changed, len(known), base.pick is None), *_without([] if told_all else nothing)])


def _option(answer: ScenarioAnswer) -> str:
    return answer.pick.id if answer.pick else ""


def _changes(n_changed: int, n_others: int, base_is_empty: bool) -> str:
    if base_is_empty and n_changed == 0:
        return "Nothing fits as it stands, nor in any scenario"
    if base_is_empty:
        return f"Nothing fits as it stands; something does in {_number(n_changed)} of {_number(n_others)}"
    if n_changed == 0:
        return "The pick stays in every scenario" if n_others > 1 else "The pick stays"
    if n_others == 1:
        return "The pick changes"
    return f"The pick changes in {_number(n_changed)} of {_number(n_others)}"


def _without(names: Sequence[str]) -> list[str]:
    """A few scenarios by name."""
    if not names:
        return []
    quoted = " and ".join(f'"{name}"' for name in names)
    return [f"nothing fits in {quoted if len(names) <= FEW else _number(len(names))}"]


def _number(count: int) -> str:
    return _NUMBERS[count] if count < len(_NUMBERS) else str(count)
