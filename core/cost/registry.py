"""The parts of the bill: every module of ``core.cost.parts`` that offers a ``COMPONENT``, in the order of the bill."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterable
from functools import cache
from itertools import pairwise

import core.cost.parts
from core.cost.bill.component import Component


@cache
def component_by_part() -> dict[str, Component]:
    """The components by their parts, in the order of the bill.

    Raises ValueError where two of them have the same part or order.
    """
    names = [module.name for module in pkgutil.iter_modules(core.cost.parts.__path__)]
    modules = [importlib.import_module(f"core.cost.parts.{name}") for name in names]
    return by_part([module.COMPONENT for module in modules if hasattr(module, "COMPONENT")])


def by_part(declared: Iterable[Component]) -> dict[str, Component]:
    """Components by their parts, in the order of the bill. Raises ValueError where two have the same part or order."""
    in_order = sorted(declared, key=lambda component: component.order)
    for before, after in pairwise(in_order):
        if before.order == after.order:
            raise ValueError(f"Both '{before.title}' and '{after.title}' have the order {after.order} in the bill")
    made: dict[str, Component] = {}
    for one in in_order:
        if made.setdefault(one.part, one) is not one:
            raise ValueError(f"Both '{made[one.part].title}' and '{one.title}' are the part '{one.part}' of the bill")
    return made


def components() -> tuple[Component, ...]:
    """The components in the order of the bill."""
    return tuple(component_by_part().values())


def part_ids() -> tuple[str, ...]:
    """All parts in the order of the bill."""
    return tuple(component_by_part())


def title_of(part: str) -> str:
    """What people call a part. Raises KeyError for none of the bill."""
    return component_by_part()[part].title


def rent_parts() -> tuple[str, ...]:
    """Parts that are hours of the same rented chips."""
    return tuple(one.part for one in components() if one.is_rent)


def unused_parts() -> tuple[str, ...]:
    """Parts that are paid for without work done."""
    return tuple(one.part for one in components() if one.is_unused)
