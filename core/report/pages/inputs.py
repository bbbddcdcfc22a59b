"""The annex: a workload as entered, with what was left at its default in grey."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any

from core.plan.edit import get_value
from core.plan.fields import YEAR, FieldInfo, fields
from core.plan.plan import Choice, Plan, Scenario
from core.report.blocks import Block, Pair, Pairs, Paragraph, Section
from core.report.choice_words import chosen_words
from core.report.pages.context import PlanContext
from core.units import THIN, plain, scaled, unit_of
from core.workload.freedom import AS_THE_SET
from core.workload.profile import Profile

STANDING_IN = " So are usual rates that stand in for private ones."


def inputs_page(context: PlanContext) -> list[Section]:
    """Notes, choices and scenarios whole, then every field of every workload in two columns."""
    if not context.workloads:
        return []
    standing_in = STANDING_IN if context.catalogue.is_masked else ""
    again = " A default that stands in a list above is not told again." if context.is_shared else ""
    in_usd = "" if context.plan.currency.money.is_usd else " Amounts are as entered, in USD."
    grey = Paragraph(f"Dark: entered or changed. Grey: left at the default.{again}{standing_in}{in_usd}", "note")
    return [Section("workload", "Notes and inputs", (*_notes(context), grey, *_inputs(context)))]


def _inputs(context: PlanContext) -> Iterator[Pairs]:
    """Every field of each workload, but for defaults that an earlier one has told."""
    told: set[Pair] = set()
    for one in context.workloads:
        pairs = tuple(_pair(one.profile, info) for info in _shown(one.profile))
        yield Pairs(one.profile.name, tuple(pair for pair in pairs if pair.tone != "muted" or pair not in told))
        told.update(pairs)


def _notes(context: PlanContext) -> Iterator[Block]:
    """What people wrote, never cut, and what each scenario changes."""
    notes = [
        (context.plan.name, context.plan.note),
        *((one.profile.name, one.profile.note) for one in context.workloads),
    ]
    yield from (Paragraph(f"{name}: {note}") for name, note in notes if note.strip())
    yield from (Paragraph(_choice_words(context, one)) for one in context.plan.choices)
    changed = [one for one in context.plan.scenarios if one.overrides]
    yield from (Paragraph(f"Scenario {one.name}: {scenario_changes(context.plan, one)}.") for one in changed)


def _choice_words(context: PlanContext, choice: Choice) -> str:
    """What was chosen for a workload and why; an option that is gone, or misses a limit, says so."""
    results = context.original.get(choice.profile_id)
    name = results.profile.name if results else choice.profile_id
    return f"Chosen for {name}: {chosen_words(choice, results)}"


def scenario_changes(plan: Plan, scenario: Scenario) -> str:
    """``Mean load 60 % (base 40 %, Chat serving 70B)``: each override in words."""
    infos = {info.path: info for info in fields(plan)}
    return "; ".join(_override_words(plan, infos, path, value) for path, value in scenario.overrides.items())


def _override_words(plan: Plan, infos: Mapping[str, FieldInfo], path: str, value: Any) -> str:
    """A field that is not of the base, such as one of another kind of job, is told by its path."""
    info = infos.get(path)
    if info is None:
        return f"{path} {value}"
    number = int(path.split(".")[1]) if path.startswith("profiles.") else None
    whose = plan.profiles[number].name if number is not None and len(plan.profiles) > 1 else ""
    value = tuple(value) if isinstance(value, list) else value
    base = get_value(plan, path)
    if isinstance(value, tuple) and value and base:
        return f"{info.title} {_list_change(value, base, info)}{f' ({whose})' if whose else ''}"
    return f"{info.title} {value_text(value, info)} (base {value_text(base, info)}{f', {whose}' if whose else ''})"


def _list_change(value: tuple[Any, ...], base: tuple[Any, ...], info: FieldInfo) -> str:
    """``with spot, without flex start``: what a list has more and less than in the base."""
    more, less = [one for one in value if one not in base], [one for one in base if one not in value]
    told = [f"{word} {value_text(tuple(ones), info)}" for word, ones in (("with", more), ("without", less)) if ones]
    return ", ".join(told) or "as in the base"


def _shown(profile: Profile) -> Iterator[FieldInfo]:
    """Fields that count for this workload, by group. Weights that are left to their set say no more than the set."""
    order: dict[str, int] = {}
    infos = [info for info in fields(profile) if info.path not in ("id", "name", "note") and info.relevant]
    infos = [info for info in infos if info.empty != AS_THE_SET or get_value(profile, info.path) is not None]
    for info in infos:
        order.setdefault(info.group, len(order))
    return iter(sorted(infos, key=lambda info: order[info.group]))


def _pair(profile: Profile, info: FieldInfo) -> Pair:
    value = get_value(profile, info.path)
    return Pair(info.title, value_text(value, info), "muted" if value == info.default else "")


def value_text(value: Any, info: FieldInfo) -> str:
    """A field's value as read: words for choices, scale and unit for numbers. A number or a list that is left
    empty says what that means, such as ``Usual``, ``All`` or ``None``."""
    if value is None or value == ():
        return info.empty or "not set"
    if value == "":
        return "not set"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return ", ".join(info.choices.get(one, str(one)) for one in value)
    if isinstance(value, date):
        return f"{value.day} {value:%b %Y}"
    if info.unit == YEAR:
        return str(value)
    if isinstance(value, int | float):
        value = info.in_unit(value)
        number = scaled(value) if abs(value) >= 1e6 else plain(value, 6)
        return f"{number}{THIN}{unit_of(number, info.unit)}" if info.unit else number
    return info.choices.get(value, str(value))
