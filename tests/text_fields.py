"""Every field of a model, and of the models in it, that may hold a text of the user's: found, filled and told."""

from __future__ import annotations

import typing
from collections.abc import Callable, Iterator
from typing import Any

from pydantic import BaseModel

Field = str
"""``Profile.note``: the class and its field."""

_IDS = "an id that the program makes or looks up"
_LISTED = "one of a list, or of what the catalogue knows"
_STAMP = "a day, a code or a hash, refused or never shown where it is none"
NO_WORDS: dict[Field, str] = {
    **dict.fromkeys(
        (
            "Accelerator.id", "AcceptedCalibration.accelerator_id", "AcceptedCalibration.log_id",
            "AcceptedCalibration.profile_id", "AcceptedLesson.accelerator_id", "AcceptedLesson.log_id",
            "AcceptedLesson.profile_id", "Baseline.candidate", "Choice.candidate_id", "Choice.profile_id",
            "Discount.accelerator_id", "Discount.provider", "Entry.phase", "Host.accelerator_id",
            "ImportedLog.chips_log_id", "ImportedLog.id",
            "Member.workload", "Pin.workload", "Portfolio.chip", "Portfolio.provider", "Portfolio.region",
            "Offer.accelerator_id", "Offer.id", "Phase.candidate", "Phase.id", "Phase.workload", "Plan.id",
            "Profile.id", "Region.accelerator_ids", "Scenario.id", "ScoreOverride.accelerator_id",
            "ScoreOverride.criterion_id", "Server.accelerator_id", "Tracked.workload",
        ),
        _IDS,
    ),
    **dict.fromkeys(
        (
            "Accelerator.estimated_fields", "Accelerator.family", "Accelerator.memory_type", "Accelerator.vendor",
            "Accelerator.on_chip_memory", "Accelerator.scaleup_link", "AcceptedLesson.storage", "Baseline.unit",
            "Host.estimated_fields", "Host.scaleup", "MappedColumn.meaning", "MappedColumn.unit",
            "NetworkModel.sample", "Offer.quality", "Places.confirmed_sellers", "Places.data_provider",
            "Places.data_region", "Places.needed_places", "Places.providers", "Places.region_places",
            "Places.region_prefixes", "Places.user_places", "Plan.report_pages", "Region.country", "Region.place",
            "Stack.libraries", "ImportedLog.format",
        ),
        _LISTED,
    ),
    **dict.fromkeys(
        (
            "Accelerator.as_of", "Accelerator.release_date", "AcceptedCalibration.accepted_on",
            "AcceptedLesson.accepted_on", "AcceptedLesson.sha256", "Currency.as_of", "Currency.code", "Discount.as_of",
            "Entry.sha256", "Host.as_of", "ImportedLog.imported_at",
            "ImportedLog.start", "ImportedLog.sha256", "Offer.as_of",
            "Region.as_of", "Server.as_of",
        ),
        _STAMP,
    ),
    **dict.fromkeys(
        ("OnlineServing.load_by_hour", "Stack.rocm_port_weeks", "Stack.tpu_port_weeks"), "numbers, refused else"
    ),
    **dict.fromkeys(("KeptRow.table", "KeptRow.values"), "of a newer program: written back, never shown"),
    "NetworkModel.name": "the same label as TransformerModel.name",
    "Scenario.overrides": "paths of fields, and values that these check",
    **dict.fromkeys(
        ("ImportedLog.bands", "ImportedLog.by_chip", "ImportedLog.quantities"), "by names of quantities that are known"
    ),
}  # fmt: skip
"""Text fields of a plan that hold no words of a user's, each with why."""


def text_fields(kind: type[BaseModel]) -> set[Field]:
    """Fields whose type is text, or a list or table with texts in it; choices from a list (``Literal``) are none."""
    return {
        f"{own.__name__}.{name}" for own in _models(kind, set()) for name in own.model_fields if _is_text(own, name)
    }


def filled(value: Any, text_of: Callable[[Field], str], fields: set[Field]) -> Any:
    """The value with a text in each of these fields of every model in it, unchecked; a list gets one."""
    if isinstance(value, tuple):
        return tuple(filled(one, text_of, fields) for one in value)
    if not isinstance(value, BaseModel):
        return value
    update = {}
    for name in type(value).model_fields:
        now, field = getattr(value, name), f"{type(value).__name__}.{name}"
        update[name] = _text(now, text_of(field)) if field in fields else filled(now, text_of, fields)
    return value.model_copy(update=update)


def holding(value: Any, mark: str) -> set[Field]:
    """Fields of the models in a value whose text has a mark in it."""
    if isinstance(value, tuple):
        return set().union(*(holding(one, mark) for one in value))
    if not isinstance(value, BaseModel):
        return set()
    own = {f"{type(value).__name__}.{name}" for name in type(value).model_fields if _has(getattr(value, name), mark)}
    return own.union(*(holding(getattr(value, name), mark) for name in type(value).model_fields))


def _has(value: Any, mark: str) -> bool:
    if isinstance(value, dict):
        return any(_has(one, mark) for one in (*value, *value.values()))
    if isinstance(value, tuple):
        return any(_has(one, mark) for one in value)
    return isinstance(value, str) and mark in value


def _text(now: Any, text: str) -> Any:
    return (text,) if isinstance(now, tuple) else text


def _models(hint: Any, known: set[type[BaseModel]]) -> Iterator[type[BaseModel]]:
    if isinstance(hint, type) and issubclass(hint, BaseModel):
        if hint not in known:
            known.add(hint)
            yield hint
            for field in hint.model_fields.values():
                yield from _models(field.annotation, known)
        return
    for one in typing.get_args(getattr(hint, "__value__", hint)):
        yield from _models(one, known)


def _is_text(own: type[BaseModel], name: str) -> bool:
    hint = own.model_fields[name].annotation
    return any(one is str for one in _leaves(hint))


def _leaves(hint: Any) -> Iterator[Any]:
    inside = typing.get_args(getattr(hint, "__value__", hint))
    if not inside or typing.get_origin(hint) is typing.Literal:
        yield hint
    for one in inside:
        yield from _leaves(one)
