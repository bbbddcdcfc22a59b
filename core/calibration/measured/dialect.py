"""Kinds of measured tables, told from their header, and what their columns are called in the main tables."""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from functools import cache

import core.calibration.measured.dialects
from core.catalogue.price_lists.chip_names import read_name

Cells = Mapping[str, str]
"""One row as text, by column."""


def _as_it_is(_: Cells) -> Cells:
    return {}


@dataclass(frozen=True, slots=True)
class Dialect:
    """A kind of table.

    ``marks``: columns that together no other kind has. ``renamed``: column of the main tables -> the one that holds it
    here. ``computed``: columns that follow from others, given after renaming. ``work_of``: what a row measured:
    "training", "inference" or another word of :data:`core.calibration.measured.table.METRICS`.
    """

    name: str
    marks: frozenset[str]
    work_of: Callable[[Cells], str]
    renamed: Mapping[str, str] = field(default_factory=dict)
    computed: Callable[[Cells], Cells] = _as_it_is

    def read(self, cells: Cells) -> dict[str, str]:
        """The cells beside what they are called in the main tables; chips by their id in the catalogue."""
        named = {**cells, **{ours: cells.get(theirs, "") for ours, theirs in self.renamed.items()}}
        named["hardware"] = catalogue_chip(named.get("hardware", ""))
        return {**named, **self.computed(named)}


@cache
def dialects() -> tuple[Dialect, ...]:
    """Every kind of table with columns of its own, in order of their names."""
    room = core.calibration.measured.dialects
    modules = [importlib.import_module(f"{room.__name__}.{one.name}") for one in pkgutil.iter_modules(room.__path__)]
    return tuple(sorted((module.DIALECT for module in modules), key=lambda dialect: dialect.name))


def dialect_of(header: Collection[str]) -> Dialect | None:
    """The kind of table with this header; None for a main one, or none that is known."""
    return next((dialect for dialect in dialects() if dialect.marks <= set(header)), None)


def catalogue_chip(name: str) -> str:
    """Id of the chip that a table calls so; the name itself where the catalogue has none."""
    first = name.split("/")[0].split(" (")[0].strip().lower()
    sized = re.sub(r"-(\d\d)(gb?)?$", r" \1GB", first)
    known = read_name(sized) if name else None
    return known.chip if known else name
