"""All criteria: every module of this package that offers a ``CRITERION``."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache

import core.flexibility
from core.flexibility.criterion import Criterion


@cache
def criteria() -> tuple[Criterion, ...]:
    """The criteria in order of their ids."""
    names = [module.name for module in pkgutil.iter_modules(core.flexibility.__path__)]
    modules = [importlib.import_module(f"core.flexibility.{name}") for name in names]
    found: list[Criterion] = [module.CRITERION for module in modules if hasattr(module, "CRITERION")]
    return tuple(sorted(found, key=lambda criterion: criterion.id))
