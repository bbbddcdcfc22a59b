"""What the user's logs measured of a system beside its speed, and its words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from core.units import THIN, plain

Term = Literal["kept", "save", "memory", "power", "inner_link", "network", "storage"]
"""What a log may measure of a chip beside its speed: a field of :class:`Measured` each."""


@dataclass(frozen=True, slots=True)
class Measured:
    """What the user's logs measured of a system, as factors on what the engine takes; 1 where it is taken as it is.

    ``kept``: time of a run that is not lost to stalls; ``save``: seconds a saved state holds a run up; ``memory`` of a
    model; ``power`` of a busy chip, its range shrunk to the relative half width ``power_spread`` where that is known;
    ``inner_link`` and ``network``: byte/s inside the fast domain and beyond it; ``storage``: byte/s read by a host.
    """

    kept: float = 1.0
    save: float = 1.0
    memory: float = 1.0
    power: float = 1.0
    inner_link: float = 1.0
    network: float = 1.0
    storage: float = 1.0
    power_spread: float | None = None


AS_TAKEN = Measured()


@dataclass(frozen=True, slots=True)
class TermWords:
    """A term's title, its name in a list, its unit, and a sentence with the measured factor in it."""

    title: str
    name: str
    unit: str
    sentence: str

    def amount(self, value: float) -> str:
        """A measured or taken value with its unit; shares in percent."""
        return f"{self.number(value)}{THIN}{self.unit}"

    def number(self, value: float) -> str:
        """The value alone."""
        return plain(100.0 * value if self.unit == "%" else value)


TERM_WORDS: dict[Term, TermWords] = {
    "kept": TermWords("Time not lost to stalls", "stalls", "%", "Your logs lose time to stalls: {} of it is kept"),
    "save": TermWords(
        "Time to save a state", "saved states", "s", "A saved state takes {} times as long as taken, by your logs"
    ),
    "memory": TermWords("Memory of the model", "memory", "GiB", "Memory is {} times what was predicted, by your logs"),
    "power": TermWords("Power of a busy chip", "power", "W", "Power is {} times the usual, by your logs"),
    "inner_link": TermWords(
        "Links between chips", "links", "GB/s", "Links between chips give {} times the usual, by your logs"
    ),
    "network": TermWords("Network of a host", "network", "GB/s", "The network gives {} times the usual, by your logs"),
    "storage": TermWords("Reads of a host", "storage", "GB/s", "Storage gives {} times the usual, by your logs"),
}


def term_notes(measured: Measured) -> tuple[str, ...]:
    """A sentence for each term that was measured."""
    factors = {term: getattr(measured, term) for term in TERM_WORDS}
    return tuple(TERM_WORDS[term].sentence.format(plain(factor)) for term, factor in factors.items() if factor != 1.0)
