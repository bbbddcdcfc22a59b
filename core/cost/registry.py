"""All cost components: every module of this package that offers a ``COMPONENT``, in the order of the bill."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache

import core.cost.parts
from core.cost.bill.line import Component
from core.cost.bill.types import PART_ORDER


@cache
def components() -> tuple[Component, ...]:
    """The components in the order of the bill's parts."""
    names = [module.name for module in pkgutil.iter_modules(core.cost.parts.__path__)]
    modules = [importlib.import_module(f"core.cost.parts.{name}") for name in names]
    found: list[Component] = [module.COMPONENT for module in modules if hasattr(module, "COMPONENT")]
    return tuple(sorted(found, key=lambda component: PART_ORDER.index(component.part)))
