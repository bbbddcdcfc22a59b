"""Reads workload profiles: the shipped ones, and any file of the same kind."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from pydantic import ValidationError

from core import paths
from core.errors import InputError
from core.reading.json_text import kind_words, read_json
from core.reading.shown import shown
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
    content = read_json(path, "a workload profile (JSON)")
    if not isinstance(content, dict):
        raise InputError(str(path), kind_words(content), "an object with the fields of a profile")
    try:
        return Profile.model_validate_json(json.dumps(content))
    except ValidationError as error:
        raise _refused(path, error) from None


def _refused(path: Path, error: ValidationError) -> InputError:
    first = error.errors(include_url=False)[0]
    field = field_path(first["loc"])
    given = "nothing" if first["type"] == "missing" else shown(first["input"])
    more = len(error.errors()) - 1
    expected = expectation(first["type"], first.get("ctx", {}), first["msg"])
    return InputError(
        f"{path}, field {field or 'profile'}", given, expected + (f" ({more} more like it)" if more else "")
    )
