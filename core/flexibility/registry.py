"""All criteria: every module of this package that offers a ``CRITERION``."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterable
from functools import cache
from itertools import pairwise

import core.flexibility
from core.catalogue.catalogue import Catalogue
from core.flexibility.criterion import Criterion
from core.flexibility.taken_range import TAKEN, is_taken
from core.workload.freedom import Freedom


@cache
def criteria() -> tuple[Criterion, ...]:
    """The criteria in order of their ids. Raises ValueError where two of them have the same."""
    names = [module.name for module in pkgutil.iter_modules(core.flexibility.__path__)]
    modules = [importlib.import_module(f"core.flexibility.{name}") for name in names]
    return in_order([module.CRITERION for module in modules if hasattr(module, "CRITERION")])


def criteria_in(freedom: Freedom, catalogue: Catalogue) -> tuple[Criterion, ...]:
    """Those that take part: the workload range too, where the user took it."""
    return in_order([*criteria(), TAKEN]) if is_taken(freedom, catalogue) else criteria()


def in_order(declared: Iterable[Criterion]) -> tuple[Criterion, ...]:
    """Criteria in order of their ids, F9 before F10. Raises ValueError where two have the same."""
    ordered = sorted(declared, key=lambda criterion: (len(criterion.id), criterion.id))
    for before, after in pairwise(ordered):
        if before.id == after.id:
            raise ValueError(f"Both '{before.title}' and '{after.title}' are the criterion {after.id}")
    return tuple(ordered)
