"""Older files are brought up to date in memory, one step a format number; the file itself changes at the next save."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from core.errors import InputError
from core.plan.schema import USER_VERSION, Rows

Step = Callable[[Rows], Rows]


def _with_own_prices(rows: Rows) -> Rows:
    """Format 2 added rows to ``meta`` (own entries, price settings, currency); without them defaults hold."""
    return rows


STEPS: Mapping[int, Step] = {1: _with_own_prices}
"""Format number -> the step that turns rows of that format into rows of the next."""


def migrated(
    rows: Rows, version: int, where: str, steps: Mapping[int, Step] = STEPS, target: int = USER_VERSION
) -> Rows:
    """Rows of an older format as rows of the newest.

    Raises InputError for a format that is newer than ``target`` or that no step leads on from.
    """
    if version > target:
        raise InputError(where, f"format {version}, made by a newer Roofplan", f"format {target} or older")
    for number in range(version, target):
        if number not in steps:
            raise InputError(where, f"format {number}", f"a format from {min(steps, default=target)} to {target}")
        rows = steps[number](rows)
    return rows
