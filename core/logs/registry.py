"""All log formats: every module below :mod:`core.logs.formats` that offers a ``FORMAT``."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Protocol

import core.logs.formats
from core.logs.quantities import SHARED, QuantityKind
from core.logs.record import LogRecord, Refused

Finding = LogRecord | Refused


class LogReader(Protocol):
    """Takes the lines of one file in turn. One is made for each file that has a line of the format."""

    def take(self, number: int, line: str) -> bool:
        """Looks at a line (numbers count from 1; prefixes of launchers are off). True where it is of this format."""
        ...

    def finish(self) -> list[Finding]:
        """All records, each on its own, and what is of the format but gives none, with the reason."""
        ...


@dataclass(frozen=True, slots=True)
class Document:
    """One JSON value of a file, the line that it begins on, and the stamp on a line of its own before it.

    ``whole`` is the text of a value whose lists were left out, as it is far too long.
    """

    line: int
    value: Any
    stamp: str = ""
    whole: str = ""


@dataclass(frozen=True)
class LogFormat:
    """One kind of log: an id, a title and a shorter name for people, how to tell it, how to read it.

    A line of a file that contains one of ``marks`` and that ``begins`` agrees to makes a ``reader`` of the file's name;
    it is given the lines before that one too (the last :data:`core.logs.read.LINES_BEFORE`), and all that follow.
    A JSON value that ``fits`` goes to ``documents`` with the others of the file that fit.
    ``bulk`` reads a whole file faster, where one of its first lines already begins the format.
    ``quantities`` are those that no other format has, beside :data:`core.logs.quantities.SHARED`.
    """

    id: str
    title: str
    name: str
    marks: tuple[str, ...] = ()
    begins: Callable[[str], bool] = lambda line: True
    reader: Callable[[str], LogReader] | None = None
    fits: Callable[[Any], bool] = lambda value: False
    documents: Callable[[str, Sequence[Document]], list[Finding]] | None = None
    bulk: Callable[[Path], list[Finding]] | None = None
    quantities: Mapping[str, QuantityKind] = field(default_factory=dict)

    def begins_with(self, line: str) -> bool:
        """True where a line can only be of this format."""
        for mark in self.marks:  # a plain loop: every line of a log is asked, by every format
            if mark in line:
                return self.begins(line)
        return False


@cache
def formats_of_chips() -> frozenset[str]:
    """Ids of the formats that tell how busy the chips of one host are."""
    return frozenset(one.id for module, one in _modules().items() if ".machine." in module)


@cache
def formats() -> tuple[LogFormat, ...]:
    """The formats in order of their ids."""
    return tuple(sorted(_modules().values(), key=lambda log_format: log_format.id))


def _modules() -> Mapping[str, LogFormat]:
    """The format of each module that has one, by the module's name."""
    package = core.logs.formats
    names = [one.name for one in pkgutil.walk_packages(package.__path__, f"{package.__name__}.") if not one.ispkg]
    modules = [importlib.import_module(name) for name in names]
    return {module.__name__: module.FORMAT for module in modules if hasattr(module, "FORMAT")}


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
