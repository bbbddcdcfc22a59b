"""What a person says of a table's columns: kept in the plan, and used again for files with the same columns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Literal

from pydantic import Field

from core.errors import InputError
from core.logs.mapping.units import TIME_UNITS, units_of
from core.logs.quantities import SHARED
from core.workload.field_description import Described

TIME, CHIP, CHIP_NAME, IGNORED = "time", "chip", "chip name", "ignored"
ROLES: Mapping[str, str] = {
    TIME: "When it was read",
    CHIP: "Which chip (number or id)",
    CHIP_NAME: "Name of the chip",
    IGNORED: "Not used",
}
"""What a column may be beside a quantity, with the words for people."""

MOST_MAPPINGS = 100
"""That a plan keeps."""

SPEEDS = ("tokens_per_s_per_chip", "tokens_per_s", "output_tokens_per_s", "output_tokens_per_s_per_chip",
          "samples_per_s", "samples_per_s_per_chip", "step_time_s")  # fmt: skip


class MappedColumn(Described):
    """A column: ``meaning`` is a role or the name of a quantity, ``unit`` one of :func:`units_for` of it."""

    name: str = Field(max_length=300)
    meaning: str = Field(default=IGNORED, max_length=60)
    unit: str = Field(default="", max_length=40)


class TableMapping(Described):
    """What each column of a table means. ``seconds_a_row`` is asked where no column says when a row was read."""

    delimiter: Literal[",", ";", "\t", "|"] = ","
    decimal: Literal[".", ","] = "."
    columns: tuple[MappedColumn, ...] = Field(default=(), max_length=2000)
    seconds_a_row: float | None = Field(default=None, gt=0, le=1e6)

    def fits(self, names: Iterable[str]) -> bool:
        """True for a table with the same names of columns, in any order."""
        return Counter(names) == Counter(column.name for column in self.columns)

    def of(self, meaning: str) -> tuple[MappedColumn, ...]:
        """The columns that mean this."""
        return tuple(column for column in self.columns if column.meaning == meaning)

    @property
    def quantities(self) -> tuple[str, ...]:
        """The quantities that the columns measure, each once."""
        return tuple(dict.fromkeys(column.meaning for column in self.columns if column.meaning not in ROLES))


def meanings() -> dict[str, str]:
    """All that a column may mean with the words for people: roles first, then quantities by their titles."""
    titles = sorted(((name, kind.title) for name, kind in SHARED.items()), key=lambda pair: pair[1])
    return {**ROLES, **dict(titles)}


def units_for(meaning: str) -> tuple[str, ...]:
    """The units to choose from, ours first; none where a column has no unit. KeyError for an unknown meaning."""
    if meaning == TIME:
        return tuple(TIME_UNITS)
    return () if meaning in ROLES else tuple(unit for unit in units_of(meaning) if unit)


def faults(mapping: TableMapping) -> tuple[str, ...]:
    """What keeps a table from being read, in words; none where it can be."""
    told = [] if mapping.quantities else ["no column measures anything: choose what at least one of them is"]
    twice = [role for role in (TIME, CHIP, CHIP_NAME) if len(mapping.of(role)) > 1]
    told += [f"two columns are '{ROLES[role]}': keep one" for role in twice]
    told += [fault for column in mapping.columns if (fault := _fault(column))]
    wide = [name for name in mapping.quantities if len(mapping.of(name)) > 1]
    if wide and mapping.of(CHIP):
        told.append(
            f"several columns are '{SHARED[wide[0]].title}' and another names the chip: keep one way of the two"
        )
    return tuple(told)


def gaps(mapping: TableMapping) -> tuple[str, ...]:
    """What the table does not say and what that costs, in words; it can be read all the same."""
    told = []
    if not has_time(mapping):
        told.append("No column says when a row was read: no time chart, unless you give the seconds between rows.")
    if not any(name in SPEEDS for name in mapping.quantities):
        told.append("No column is a speed (tokens/s, samples/s or step time): it cannot calibrate by itself.")
    if not mapping.of(CHIP) and not any(len(mapping.of(name)) > 1 for name in mapping.quantities):
        told.append("No column names a chip: all rows count as one series, and the number of chips is asked.")
    if not mapping.of(CHIP_NAME):
        told.append("No column holds the chip's name: it is asked.")
    return tuple(told)


def has_time(mapping: TableMapping) -> bool:
    """True where rows have a time: stamps, steps of a known length, or a gap that was given."""
    return bool(mapping.of(TIME) or mapping.of("step_time_s") or mapping.seconds_a_row)


def checked(mapping: TableMapping, where: str) -> None:
    """Raises InputError, naming the file, when a table cannot be read by the mapping."""
    for fault in faults(mapping)[:1]:
        raise InputError(where, fault, "columns that say what was measured")


def remembered(mappings: Iterable[TableMapping], names: Iterable[str]) -> TableMapping | None:
    """The last of the kept mappings that fits a table with these columns; None where none does."""
    listed = tuple(names)
    return next((one for one in reversed(tuple(mappings)) if one.fits(listed)), None)


def _fault(column: MappedColumn) -> str:
    if column.meaning not in ROLES and column.meaning not in SHARED:
        return f"column '{column.name[:60]}' is '{column.meaning}', which is no quantity"
    known = units_for(column.meaning)
    if known and column.unit not in known:
        return f"column '{column.name[:60]}' has the unit '{column.unit}': choose {', '.join(known)}"
    return ""
