"""Families of chips: names, colours, effort, and the architectures under which the engine looks up coefficients.

All is data, ``resources/catalogue/chip_families.json``: a new vendor is a row of it, and needs none to be answered.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any, Literal, get_args

from pydantic import ValidationError

from core import paths
from core.catalogue.entries import Accelerator, ChipKind, Entry
from core.errors import InputError

EngineTable = Literal["training", "serving", "samples"]
Colours = tuple[str, str]
"""Of marks and of the text beside them, as ``#RRGGBB``."""


class Architecture(Entry):
    """Chips that compute alike, or all others of a family where ``chips`` is empty.

    ``training``, ``serving`` and ``samples`` name the coefficients of those engine tables: its own or borrowed ones.
    ``generation``: a speed measured on one chip carries over, halfway, to the others of its generation; none where
    empty. ``best_product``: best measured 16-bit matrix product over the peak of the data sheet;
    ``best_narrow_product``: in eight bits, None for the same. ``measured_w_per_tflops``: power limit over 16-bit peak
    of the chips that this was measured on; ``full_w_per_tflops``: of the board that is limited least, for work in
    samples; None where power does not hold it back. ``superchips`` have their processor's memory joined to theirs.
    """

    id: str
    chips: tuple[str, ...]
    generation: str
    training: str
    serving: str
    samples: str
    best_product: float
    best_narrow_product: float | None = None
    measured_w_per_tflops: float | None = None
    full_w_per_tflops: float | None = None
    superchips: tuple[str, ...] = ()


class ChipFamily(Entry):
    """What one vendor makes of one kind of chip; an empty vendor stands for all without a row of their own.

    ``is_compiled``: code runs through a compiler of whole programs; ``is_sold``: can be had outside public clouds;
    ``kernel_share``: of a kernel's rewriting effort; ``learning_weeks``: of people who know CUDA, where nothing is
    compiled; ``unpublished_w``: power of a busy chip whose vendor publishes none; both low, likely, high. ``light`` and
    ``dark`` are None for the neutral colours of the theme.
    """

    id: str
    vendor: str
    kind: ChipKind
    name: str
    plural: str
    light: Colours | None
    dark: Colours | None
    is_compiled: bool
    is_sold: bool
    has_nvfp4: bool
    kernel_share: float
    learning_weeks: tuple[float, float, float]
    unpublished_w: tuple[float, float, float]
    architectures: tuple[Architecture, ...]

    def of_vendor(self, vendor: str) -> ChipFamily:
        """The row as that of a vendor that no row names: ``Huawei GPU``."""
        names = {word: f"{vendor} {getattr(self, word).removeprefix('Other ')}".strip() for word in ("name", "plural")}
        own_id = f"{vendor.lower().replace(' ', '_')}_{self.kind}"
        return self.model_copy(update={**names, "id": own_id, "vendor": vendor})


@dataclass(frozen=True, eq=False)
class ChipFamilies:
    """The rows of the table, in its order."""

    rows: tuple[ChipFamily, ...]

    @cached_property
    def by_id(self) -> dict[str, ChipFamily]:
        """Rows by their id, which is what catalogue tables call the family of a chip."""
        return {row.id: row for row in self.rows}

    @cached_property
    def by_maker(self) -> dict[tuple[str, str], ChipFamily]:
        """Rows by kind and vendor in small letters."""
        return {(row.kind, row.vendor.lower()): row for row in self.rows}

    @cached_property
    def by_chip(self) -> dict[tuple[str, str], Architecture]:
        """Architectures by kind and id of the chips that they list."""
        return {(row.kind, chip): one for row in self.rows for one in row.architectures for chip in one.chips}

    def of_maker(self, kind: str, vendor: str) -> ChipFamily:
        """The row of a vendor's chips of a kind; without one, that of the kind under the vendor's name."""
        row = self.by_maker.get((kind, vendor.strip().lower()))
        return row or self.by_maker[kind, ""].of_vendor(vendor.strip())

    def architecture(self, chip: Accelerator) -> Architecture:
        """That which lists a chip, else the one for all others of its family, else of its kind."""
        rows = (self.by_maker.get((chip.kind, vendor)) for vendor in (chip.vendor.strip().lower(), ""))
        others = (one for row in rows if row for one in row.architectures if not one.chips)
        return self.by_chip.get((chip.kind, chip.id)) or next(others)

    @cached_property
    def coefficients(self) -> dict[EngineTable, tuple[str, ...]]:
        """Names under which each engine table holds coefficients of architectures, each once."""
        listed = [one for row in self.rows for one in row.architectures]
        return {table: tuple(dict.fromkeys(getattr(one, table) for one in listed)) for table in get_args(EngineTable)}


@cache
def chip_families() -> ChipFamilies:
    """The shipped table, read once."""
    return read_chip_families(paths.resources() / "catalogue" / "chip_families.json")


def read_chip_families(path: Path) -> ChipFamilies:
    """The table of a file; what a row leaves out is that of the row of its kind without a vendor.

    Raises InputError naming the row and the field of the first bad value, or the kind without such a row.
    """
    listed = enumerate(json.loads(path.read_text(encoding="utf-8"))["families"], start=1)
    records = [(f"{path.name}, row {number}", record) for number, record in listed]
    rows = [_row(where, record) for where, record in records if not record.get("vendor")]
    of_kind = {row.kind: row for row in rows}
    for kind in get_args(ChipKind):
        if not any(not one.chips for row in rows if row.kind == kind for one in row.architectures):
            raise InputError(f"{path.name}, kind {kind}", "no row for all others", "one without a vendor and chips")
    named = (_named(where, record, of_kind) for where, record in records if record.get("vendor"))
    return ChipFamilies((*named, *rows))


def _named(where: str, record: dict[str, Any], of_kind: dict[ChipKind, ChipFamily]) -> ChipFamily:
    base = of_kind.get(record.get("kind", ""))
    left_out = base.of_vendor(record["vendor"]).model_dump(exclude={"architectures"}) if base else {}
    return _row(where, {**left_out, "architectures": (), **record})


def _row(where: str, record: dict[str, Any]) -> ChipFamily:
    try:
        return ChipFamily.model_validate(record)
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(str(step) for step in first["loc"])
        raise InputError(f"{where}, field {field}", repr(first.get("input")), first["msg"]) from None


def family_of(chip: Accelerator) -> ChipFamily:
    """The family that a chip is named and drawn as: of its own vendor, whatever software it shares with others."""
    return chip_families().of_maker(chip.kind, chip.vendor)


def software_family_of(chip: Accelerator) -> ChipFamily:
    """The family whose software runs on a chip, as its entry says; the row of all others where none is called so."""
    families = chip_families()
    return families.by_id.get(chip.family) or families.by_maker[chip.kind, ""]


def architecture_of(chip: Accelerator) -> Architecture:
    """The architecture under whose names the engine looks up a chip's coefficients."""
    return chip_families().architecture(chip)


def same_generation(chip_id: str) -> tuple[str, ...]:
    """The other chips of a chip's generation, to which a speed measured on it carries over."""
    listed = [one for row in chip_families().rows for one in row.architectures]
    own = {one.generation for one in listed if chip_id in one.chips and one.generation}
    return tuple(chip for one in listed if one.generation in own for chip in one.chips if chip != chip_id)
