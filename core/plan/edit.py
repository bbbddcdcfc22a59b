"""Edits by path: a new plan with one value changed, checked; the old plan stays as it was."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from core.errors import InputError
from core.plan.fields import FieldInfo, field_at, value_words
from core.plan.plan import Plan
from core.workload.jobs.kinds import JOB_KINDS, JOB_WORDS
from core.workload.validation_words import expectation

_KIND_PATH = re.compile(r"profiles\.(\d+)\.job\.kind")

M = TypeVar("M", bound=BaseModel)


def get_value(plan: BaseModel, path: str) -> Any:
    """The value at a dotted path, such as ``profiles.0.job.n_tokens``. Raises InputError when there is none."""
    value: Any = plan
    for step in path.split("."):
        value = _child(value, step, path)
    return value


def set_value(plan: M, path: str, value: Any) -> M:
    """A new plan with the value at ``path`` changed; everything else is shared with the old one.

    Raises InputError naming the field by its title, what was found and what may be entered. Changing the kind of a
    job carries over what the kinds share (see :func:`set_job_kind`).
    """
    kind = _KIND_PATH.fullmatch(path)
    if kind and isinstance(plan, Plan):
        return set_job_kind(plan, int(kind[1]), value)
    try:
        new: M = _replaced(plan, path.split("."), value, path)
    except ValidationError as error:
        raise _refused(plan, path, value, error) from None
    return new


def set_job_kind(plan: M, profile_index: int, kind: str) -> M:
    """The plan with another kind of job in one profile.

    Fields that both kinds have keep what was entered; fields left at their default take the new kind's default.
    Raises InputError for an unknown kind.
    """
    path = f"profiles.{profile_index}.job"
    job = get_value(plan, path)
    if kind not in JOB_KINDS:
        raise InputError("Job", f"'{kind}'", f"one of {', '.join(JOB_WORDS.values())}")
    if job.kind == kind:
        return plan
    return set_value(plan, path, _carried_over(job, JOB_KINDS[kind]))


def _carried_over(job: BaseModel, new: type[M]) -> M:
    old = type(job).model_fields
    shared = [name for name in new.model_fields if name in old and name != "kind"]
    entered = {name: getattr(job, name) for name in shared if getattr(job, name) != old[name].default}
    return new.model_validate(entered)


def _replaced(owner: Any, steps: Sequence[str], value: Any, path: str) -> Any:
    """``owner`` with the value below ``steps`` changed, checked on every level."""
    step, *rest = steps
    child = _child(owner, step, path)
    new = _replaced(child, rest, value, path) if rest else value
    if isinstance(owner, tuple):
        index = int(step)
        return (*owner[:index], new, *owner[index + 1 :])
    # Only what was entered is handed on: a field left at its default stays "never entered" after an edit beside it.
    entered = {name: getattr(owner, name) for name in owner.model_fields_set}
    return type(owner).model_validate({**entered, step: new})


def _child(owner: Any, step: str, path: str) -> Any:
    if isinstance(owner, tuple):
        if step.isdecimal() and int(step) < len(owner):
            return owner[int(step)]
        raise InputError(path, f"item {step}", f"an item of the {len(owner)} there are, counted from 0")
    if isinstance(owner, BaseModel) and step in type(owner).model_fields:
        return getattr(owner, step)
    known = ", ".join(type(owner).model_fields) if isinstance(owner, BaseModel) else "nothing below it"
    raise InputError(path, f"no field '{step}'", f"one of {known}")


def _refused(plan: BaseModel, path: str, value: Any, error: ValidationError) -> InputError:
    info = field_at(plan, path)
    where = info.title if info else path
    first = error.errors(include_url=False)[0]
    message = expectation(first["type"], first.get("ctx", {}), first["msg"])
    if first["type"] == "value_error":
        own = path.split(".")[-1] in first["loc"]
        return InputError(where, _shown(value, info), message if own else f"a value that fits the rest: {message}")
    return InputError(where, _shown(value, info), info.expected if info else message)


def _shown(value: Any, info: FieldInfo | None) -> str:
    """The refused value as it was given: text in quotes, numbers with their unit."""
    if value is None or value == "":
        return "nothing"
    if isinstance(value, int | float) and not isinstance(value, bool) and info:
        return value_words(info, value)
    return f"'{value}'" if isinstance(value, str) else str(value)
