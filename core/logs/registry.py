"""All log formats: every module of :mod:`core.logs.formats` that offers a ``FORMAT``."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Protocol

import core.logs.formats
from core.logs.quantities import SHARED, QuantityKind
from core.logs.record import LogRecord


class Reader(Protocol):
    """Reads all lines of a file into a record; raises InputError when nothing in it can be used."""

    def __call__(self, file_name: str, lines: Iterable[str]) -> LogRecord:
        """The record of all lines."""
        ...


class Detector(Protocol):
    """Says from the first lines of a file whether the format is this one."""

    def __call__(self, head: Sequence[str]) -> bool:
        """True when the first lines are of this format."""
        ...


@dataclass(frozen=True)
class LogFormat:
    """One kind of log: an id, a title and a shorter name for people, how to tell it, how to read it.

    ``quantities`` are those that no other format has, beside :data:`core.logs.quantities.SHARED`.
    """

    id: str
    title: str
    name: str
    matches: Detector
    read: Reader
    quantities: Mapping[str, QuantityKind] = field(default_factory=dict)


@cache
def formats() -> tuple[LogFormat, ...]:
    """The formats in order of their ids."""
    names = [module.name for module in pkgutil.iter_modules(core.logs.formats.__path__)]
    modules = [importlib.import_module(f"core.logs.formats.{name}") for name in names]
    known = [module.FORMAT for module in modules if hasattr(module, "FORMAT")]
    return tuple(sorted(known, key=lambda log_format: log_format.id))


def format_name(format_id: str) -> str:
    """The short name of a format; its id where a plan holds a log of a format that this version does not know."""
    return next((one.name for one in formats() if one.id == format_id), format_id)


@cache
def quantity_kinds() -> Mapping[str, QuantityKind]:
    """Every quantity of every format by its name. Raises ValueError where two mean different things by one name."""
    kinds = dict(SHARED)
    for log_format in formats():
        for name, kind in log_format.quantities.items():
            if kinds.setdefault(name, kind) != kind:
                raise ValueError(f"the log format {log_format.id} means something else by '{name}' than others")
    return kinds
