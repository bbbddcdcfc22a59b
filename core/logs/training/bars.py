"""Progress bars of training programs, as tqdm draws them: ``120/1000 [02:00<14:40,  1.00s/it, loss=2.1]``."""

from __future__ import annotations

import math
import re
from array import array
from collections import Counter
from dataclasses import dataclass, field

from core.logs.quantities import reading

BAR = re.compile(
    r"(?P<row>\d{1,12})/(?P<total>\d{1,12}|\?) \[(?P<elapsed>[\d:]{4,12})<[^,\]]{0,20}"
    r"(?:, {1,4}(?P<pace>[\d.]{1,12})(?P<unit>s/it|it/s))?"
)


def pace_s(match: re.Match[str]) -> float:
    """Seconds an iteration as the bar prints them; NaN where it does not."""
    pace = reading(match["pace"] or "")
    return pace if match["unit"] != "it/s" else (1.0 / pace if pace > 0 else math.nan)


def clock_s(text: str) -> float:
    """``1:42:42`` -> 6162; NaN for any other text."""
    seconds = 0.0
    for part in text[:20].split(":"):
        seconds = 60.0 * seconds + reading(part)
    return seconds


_MOST_TOTALS, _MOST_ROWS = 50, 200_000


@dataclass(frozen=True, slots=True)
class BarRow:
    """A bar as it stood on a line: steps done, seconds since it began."""

    line: int
    step: float
    at_s: float


@dataclass
class LossBars:
    """The bars of one program, of which that one trains below or above which losses are printed.

    A program draws others too, while it loads, tokenises or evaluates: they count to other totals.
    """

    _rows: dict[str, tuple[array[int], array[float], array[float]]] = field(default_factory=dict)
    _votes: Counter[str] = field(default_factory=Counter)
    _last: str = ""

    def take(self, number: int, line: str) -> bool:
        """True for a bar with a total and an elapsed time."""
        match = BAR.search(line) if "it]" in line or "it/s]" in line else None
        if match is None or match["total"] == "?":
            return False
        self._last = match["total"]
        if self._last in self._rows or len(self._rows) < _MOST_TOTALS:
            lines, steps, seconds = self._rows.setdefault(self._last, (array("q"), array("d"), array("d")))
            if len(lines) < _MOST_ROWS:
                lines.append(number)
                steps.append(reading(match["row"]))
                seconds.append(clock_s(match["elapsed"]))
        return True

    def vote(self) -> None:
        """A loss was printed here."""
        if self._last:
            self._votes[self._last] += 1

    def rows(self) -> list[BarRow]:
        """The rows of the bar that trains; none where no loss stood at a bar."""
        if not self._votes:
            return []
        (total, _), *_ = self._votes.most_common(1)
        kept = self._rows.get(total)
        return [BarRow(*row) for row in zip(*kept, strict=True)] if kept else []
