"""What flexibility and porting may look at of a profile."""

from __future__ import annotations

from typing import Protocol

from core.workload.freedom import Freedom
from core.workload.profile import Places, Stack


class Experience(Protocol):
    """What a team brings and needs."""

    @property
    def xla_experience(self) -> str:
        """With compiled platforms: none, some, expert."""

    @property
    def debug_need(self) -> str:
        """How much debugging the work takes: low, normal, high."""


class Situation(Protocol):
    """The code, the team and the places of a workload: no judgement may rest on anything else, as they are kept."""

    @property
    def stack(self) -> Stack:
        """What the code is written with."""

    @property
    def team(self) -> Experience:
        """Who works on it."""

    @property
    def places(self) -> Places:
        """Where it may run."""

    @property
    def freedom(self) -> Freedom:
        """Weights of the criteria, and scores set by hand."""
