"""Fields of the document as data: forms, messages, the report and the docs are made from the same description."""

from __future__ import annotations

import types
import typing
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field, replace
from datetime import date
from functools import lru_cache
from typing import Any, Literal

from pydantic import BaseModel
from pydantic.fields import FieldInfo as PydanticField
from pydantic_core import PydanticUndefined

from core.units import rounded, scaled, unit_of
from core.workload.jobs.base import JobBase
from core.workload.jobs.in_samples import WITHOUT_MEANING, WORDING
from core.workload.jobs.kinds import JOB_WORDS
from core.workload.models.network import NetworkModel
from core.workload.profile import Profile
from core.workload.validation_words import number

FieldType = Literal["number", "whole", "text", "yes_no", "choice", "choices", "texts", "date"]

YEAR = "year"
"""Unit of a year, which is written without parting its thousands."""

OR_NOTHING = ", or nothing"
"""Ends what is expected of a field that may be empty."""

_DIGITS = 12
"""What is left of a number when its unit is changed: less than any is typed with, more than is lost."""
_PLACE_FIELDS = ("user_places", "region_places")
_BOUNDS = ("gt", "ge", "lt", "le", "min_length", "max_length", "pattern")
_PLAIN: dict[Any, FieldType] = {float: "number", int: "whole", str: "text", bool: "yes_no", date: "date"}


@dataclass(frozen=True, slots=True)
class Bounds:
    """Limits of a value: numbers for ``number`` and ``whole`` fields, lengths and a pattern for text."""

    gt: float | None = None
    ge: float | None = None
    lt: float | None = None
    le: float | None = None
    min_length: int | None = None
    max_length: int | None = None
    pattern: str | None = None


@dataclass(frozen=True, slots=True)
class FieldInfo:
    """One field as a form needs it. ``default`` is what a reset returns to; ``optional`` fields may be empty (None),
    which then means what ``empty`` says. ``relevant`` is False for a field without meaning beside the others' values.
    ``unit_size`` is one of ``unit`` in the stored value, whose ``bounds`` and ``default`` are.
    """

    path: str
    title: str
    unit: str
    help: str
    group: str
    essential: bool
    type: FieldType
    optional: bool
    bounds: Bounds
    choices: dict[str, str] = field(default_factory=dict)
    default: Any = None
    empty: str = "No limit"
    relevant: bool = True
    unit_size: float = 1.0

    def in_unit(self, stored: float) -> float:
        """A stored number in ``unit``, as people read it."""
        return stored if self.unit_size == 1.0 else rounded(stored / self.unit_size, _DIGITS)

    def as_stored(self, in_unit: float) -> float:
        """A number in ``unit`` as it is stored."""
        return in_unit if self.unit_size == 1.0 else rounded(in_unit * self.unit_size, _DIGITS)

    @property
    def expected(self) -> str:
        """What may be entered, in words: ``a whole number from 1 to 1 000``."""
        words = _expected(self)
        return f"{words}{OR_NOTHING}" if self.optional else words


def fields(model: type[BaseModel] | BaseModel, prefix: str = "") -> list[FieldInfo]:
    """Every described field of a document model and of the models inside it, in form order.

    Given a value, a union shows the fields of the kind that is chosen and tuples of models those of each item
    (``profiles.0.job.n_tokens``); given a class, the fields of its defaults.
    """
    return list(_walk(model, prefix))


def field_at(model: BaseModel, path: str) -> FieldInfo | None:
    """The description of the field at a path; None for one that has none."""
    return next((info for info in _walk(model, "", path) if info.path == path), None)


def value_words(info: FieldInfo, value: Any) -> str:
    """A value of the field as it is read: words of a choice, a number with its unit, ``none`` for an empty one."""
    if value is None or value == () or value == "":
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if info.unit == YEAR:
        return str(value)
    if isinstance(value, int | float):
        number = scaled(info.in_unit(value), 6)
        return f"{number} {unit_of(number, info.unit)}".strip()
    if isinstance(value, tuple):
        return ", ".join(info.choices.get(text) or _spoken(info, text) for text in map(str, value))
    return info.choices.get(str(value), str(value))


def _spoken(info: FieldInfo, text: str) -> str:
    """``Tokyo`` for the place ``asia/jp/tokyo``; other names as they stand."""
    if info.path.rsplit(".", 1)[-1] not in _PLACE_FIELDS:
        return text
    return text.rsplit("/", 1)[-1].replace("-", " ").title()


def _walk(model: type[BaseModel] | BaseModel, prefix: str, wanted: str = "") -> Iterator[FieldInfo]:
    """Every field below a model; no further than the way to a wanted path, if there is one."""
    cls = model if isinstance(model, type) else type(model)
    job = None if isinstance(model, type) else getattr(model, "job", None)
    for name, declared in cls.model_fields.items():
        path = f"{prefix}{name}"
        if wanted and wanted != path and not wanted.startswith(f"{path}."):
            continue
        value = _default(declared) if isinstance(model, type) else getattr(model, name)
        if isinstance(value, BaseModel):
            yield from _for_job(value, job, _in_samples(model, name, _walk(value, f"{path}.", wanted)))
        elif isinstance(value, tuple) and value and all(isinstance(item, BaseModel) for item in value):
            for index, item in enumerate(value):
                yield from _walk(item, f"{path}.{index}.", wanted)
        elif name == "kind" and cls is not NetworkModel:
            yield _kind_info(path, declared)
        elif isinstance(declared.json_schema_extra, dict):
            info, needs = _described(cls, name, path), declared.json_schema_extra["needs"]
            is_idle = needs and not isinstance(model, type) and not getattr(model, str(needs))
            yield replace(info, relevant=False) if is_idle else info


def _in_samples(owner: Any, name: str, infos: Iterator[FieldInfo]) -> Iterator[FieldInfo]:
    """Fields of the job in words of samples, without those of text, where the model of the profile is a network."""
    if name != "job" or not isinstance(owner, Profile) or not owner.is_in_samples:
        yield from infos
        return
    for info in infos:
        last = info.path.rsplit(".", 1)[-1]
        if last in WORDING:
            words = {key: word for key, word in asdict(WORDING[last]).items() if word is not None}
            yield replace(info, **words)
        elif last not in WITHOUT_MEANING:
            yield info


def _for_job(value: BaseModel, job: JobBase | None, infos: Iterator[FieldInfo]) -> Iterator[FieldInfo]:
    """Fields of a part of the profile; those without meaning for its job are marked as such."""
    known = type(value).model_fields
    for info in infos:
        declared = known.get(info.path.rsplit(".", 1)[-1])
        extra = declared.json_schema_extra if declared else None
        trait = str(extra["job_trait"]) if isinstance(extra, dict) and "job_trait" in extra else ""
        unfit = bool(job and trait and not getattr(job, trait))
        yield replace(info, relevant=False) if unfit else info


def _default(declared: PydanticField) -> Any:
    default = declared.get_default(call_default_factory=True)
    return None if default is PydanticUndefined else default


def _kind_info(path: str, declared: PydanticField) -> FieldInfo:
    """The discriminator of the job is chosen like any other field."""
    return FieldInfo(
        path,
        "Job",
        "",
        "What the chips are to do",
        "What runs",
        True,
        "choice",
        False,
        Bounds(),
        JOB_WORDS,
        declared.default,
    )


@lru_cache(maxsize=1024)
def _described(owner: type[BaseModel], name: str, path: str) -> FieldInfo:
    """What a class declares of a field; asked at each edit for every field of the form, so that it is kept."""
    declared = owner.model_fields[name]
    extra: Any = declared.json_schema_extra
    hint, optional = _without_none(declared.annotation)
    return FieldInfo(
        path=path,
        title=declared.title or path,
        unit=str(extra["unit"]),
        help=declared.description or "",
        group=str(extra["group"]),
        essential=bool(extra["essential"]),
        type=_type(hint, extra["choices"]),
        optional=optional,
        bounds=_bounds(declared),
        choices=extra["choices"] or _literals(hint),
        default=_default(declared),
        empty=str(extra["empty"]),
        unit_size=float(extra.get("unit_size", 1.0)),
    )


def _without_none(hint: Any) -> tuple[Any, bool]:
    if typing.get_origin(hint) not in (types.UnionType, typing.Union):
        return hint, False
    kept = [arg for arg in typing.get_args(hint) if arg is not type(None)]
    return kept[0], len(kept) < len(typing.get_args(hint))


def _type(hint: Any, choices: dict[str, str]) -> FieldType:
    origin = typing.get_origin(hint)
    if origin is tuple:
        return "choices" if choices else "texts"
    return "choice" if origin is Literal else _PLAIN[hint]


def _literals(hint: Any) -> dict[str, str]:
    return {value: value for value in typing.get_args(hint)} if typing.get_origin(hint) is Literal else {}


def _bounds(declared: PydanticField) -> Bounds:
    bounds = {name: getattr(rule, name, None) for rule in declared.metadata for name in _BOUNDS if hasattr(rule, name)}
    return Bounds(**bounds)


def _expected(info: FieldInfo) -> str:
    match info.type:
        case "choice":
            return f"one of {', '.join(info.choices.values())}"
        case "choices":
            return f"any of {', '.join(info.choices.values())}"
        case "yes_no":
            return "yes or no"
        case "date":
            return "a date such as 2026-12-01"
        case "texts":
            return "a list of names"
        case "text":
            return _text_words(info.bounds)
    return f"a {'whole ' if info.type == 'whole' else ''}number{_span_words(info)}"


def _text_words(bounds: Bounds) -> str:
    words = "text" if bounds.pattern is None else f"text of the form {bounds.pattern}"
    if bounds.min_length:
        words += " that is not empty"
    return words if bounds.max_length is None else f"{words}, at most {number(bounds.max_length)} characters"


def _span_words(info: FieldInfo) -> str:
    """Bounds in words, in the unit that people read."""
    gt, ge, lt, le = (
        None if end is None else number(info.in_unit(end))
        for end in (info.bounds.gt, info.bounds.ge, info.bounds.lt, info.bounds.le)
    )
    low = f" above {gt}" if gt is not None else ""
    low = f" from {ge}" if ge is not None else low
    high = f" below {lt}" if lt is not None else ""
    high = f" to {le}" if le is not None else high
    return f"{low} up{high}" if gt is not None and le is not None else f"{low}{high}"
