"""A profile, and what is tilted beside it: one of the worlds that an answer is asked in."""

from __future__ import annotations

from dataclasses import dataclass

from core.comparison.what_if.tilts import Tilts
from core.workload.profile import Profile


@dataclass(frozen=True, slots=True)
class World:
    """A profile, and what is tilted beside it."""

    profile: Profile
    tilts: Tilts = ()
