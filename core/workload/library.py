"""Reads workload profiles: the shipped ones, and any file of the same kind."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from core import paths
from core.errors import InputError, MachineError
from core.workload.profile import Profile
from core.workload.validation_words import expectation, field_path

MORE = "more"
SAMPLE_PLAN = "sample-plan.json"
"""Lies among the profiles but is a whole plan."""


def load_profiles() -> dict[str, Profile]:
    """The shipped profiles that are shown first, by id, in order of their file names."""
    return _read_all(path for path in paths.profiles().glob("*.json") if path.name != SAMPLE_PLAN)


def more_profiles() -> dict[str, Profile]:
    """Further shipped profiles, of other kinds of users, likewise."""
    return _read_all((paths.profiles() / MORE).glob("*.json"))


def _read_all(files: Iterable[Path]) -> dict[str, Profile]:
    profiles = [read_profile(path) for path in sorted(files)]
    return {profile.id: profile for profile in profiles}


def read_profile(path: Path) -> Profile:
    """A profile from a JSON file.

    Raises InputError naming the file and the line (bad JSON) or the field, what was found and what is expected;
    MachineError when the file can't be read.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise InputError(str(path), "no such file", "a workload profile (JSON)") from None
    except UnicodeDecodeError:
        raise InputError(str(path), "bytes that are no text", "a workload profile (JSON)") from None
    except OSError as error:
        raise MachineError(f"Reading {path}", error.strerror or str(error)) from error
    return _checked(path, _parsed(path, text))


def _parsed(path: Path, text: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        where = f"{path}, line {error.lineno}, column {error.colno}"
        raise InputError(where, error.msg.lower(), "JSON such as the shipped profiles") from None


def _checked(path: Path, content: Any) -> Profile:
    if not isinstance(content, dict):
        raise InputError(str(path), f"a JSON {type(content).__name__}", "an object with the fields of a profile")
    try:
        return Profile.model_validate_json(json.dumps(content))
    except ValidationError as error:
        raise _refused(path, error) from None


def _refused(path: Path, error: ValidationError) -> InputError:
    first = error.errors(include_url=False)[0]
    field = field_path(first["loc"])
    given = "nothing" if first["type"] == "missing" else repr(first["input"])[:60]
    more = len(error.errors()) - 1
    expected = expectation(first["type"], first.get("ctx", {}), first["msg"])
    return InputError(
        f"{path}, field {field or 'profile'}", given, expected + (f" ({more} more like it)" if more else "")
    )
