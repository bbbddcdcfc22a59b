"""One place in the code, and what it means."""

from __future__ import annotations

from dataclasses import dataclass

from core.readiness.kinds import KINDS, Kind, Side


@dataclass(frozen=True, slots=True)
class Finding:
    """A kind at a place: ``file`` relative to the folder that was read, ``line`` from 1, ``code`` as it stands there.

    ``name`` is that of the library, where the kind is one; ``spared`` are sides on which nothing needs to be done.
    """

    kind_id: str
    file: str
    line: int
    code: str
    name: str = ""
    spared: tuple[Side, ...] = ()

    @property
    def kind(self) -> Kind:
        """What it is."""
        return KINDS[self.kind_id]

    def matters_on(self, side: Side) -> bool:
        """True where something has to be done for a side."""
        return side not in self.spared and self.kind.effort(side) is not None
