"""All log formats: every module of this package that offers a ``FORMAT``."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Protocol

import core.logs
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
    """One kind of log: an id, a title for people, how to tell it, how to read it."""

    id: str
    title: str
    matches: Detector
    read: Reader


@cache
def formats() -> tuple[LogFormat, ...]:
    """The formats in order of their ids."""
    names = [module.name for module in pkgutil.iter_modules(core.logs.__path__)]
    modules = [importlib.import_module(f"core.logs.{name}") for name in names]
    known = [module.FORMAT for module in modules if hasattr(module, "FORMAT")]
    return tuple(sorted(known, key=lambda log_format: log_format.id))
