"""A chain of lines that add up, each with its operator and its formula, and the line on speed that all share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from core.comparison.result import CandidateResult
from core.report.run_words import replica_words
from core.units import TIMES, counted, factor_text, plain, scaled, span

PLUS, EQUALS, OVER = "+", "=", "÷"


@dataclass(frozen=True, slots=True)
class ChainLine:
    """One line: operator, words, value as text and number, the formula behind it, and whether it is a total."""

    key: str
    operator: str
    words: str
    text: str
    number: float
    write: Callable[[float], str]
    formula: str = ""
    is_total: bool = False


@dataclass(frozen=True, slots=True)
class Chain:
    """A titled list of lines; ``note`` is the range beside the title."""

    title: str
    note: str
    lines: tuple[ChainLine, ...]


def speed_per_s(value: float) -> str:
    """``1.2 M/s``."""
    return f"{scaled(value)}/s"


_SHORT = {"tokens": "tok", "samples": "samples"}


def speed_line(result: CandidateResult) -> ChainLine:
    """Speed of all chips together, with its range and what it rests on."""
    speed, n_chips = result.throughput, result.candidate.n_chips
    total = speed.tokens_per_s.likely
    each = factor_text(total / max(n_chips, 1), n_chips, speed_per_s(total), speed_per_s)
    words = f"{counted(n_chips, 'chip')} {TIMES} {each} {_SHORT[speed.unit]}/s"
    ends = span(speed_per_s(speed.tokens_per_s.low), speed_per_s(speed.tokens_per_s.high))
    formula = (
        f"{speed.unit.capitalize()} of a step ÷ step time of {plain(speed.step_time_s)} s\n80 % range: {ends}\n"
        f"MFU {100 * speed.mfu:.0f} % in {speed.precision.upper()}, limited by {speed.bottleneck}\n"
        + "".join(f"{note}\n" for note in speed.notes if note.startswith("Waits for"))
        + (f"{replica_words(speed.layout)}\n" if speed.layout.shared > 1 else "")
        + f"Evidence: {result.evidence}"
    )
    return ChainLine("speed", OVER, words, speed_per_s(total), total, speed_per_s, formula)
