"""Whether a change that is said to admit a candidate does: tried against all limits, naming those still missed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from core.amounts import Sentence, Text, lower_first
from core.throughput.types import Reason

CLAIM = "Fits "
"""How a change begins that is said to be enough."""
_STILL = ", and still misses "

_WORDS = {
    "spot_no_checkpoints": "saved states on spot",
    "term": "the end of its term",
    "max_chips": "the number of chips",
    "max_wait": "the longest wait",
    "min_sellers": "the number of sellers",
    "ttft": "the time to the first token",
    "tpot": "the time of each next token",
    "purchase": "the ways to pay",
}
"""Limits as a sentence names them; any other by the words of its code."""


def tried(reasons: Sequence[Reason]) -> tuple[Reason, ...]:
    """The reasons, each change that would not be enough alone told with the limits that would still be missed."""
    codes = tuple(dict.fromkeys(reason.code for reason in reasons))
    return tuple(_with_the_others(reason, [code for code in codes if code != reason.code]) for reason in reasons)


def _with_the_others(reason: Reason, others: Sequence[str]) -> Reason:
    change, still = reason.nearest_change, limits_listed(others)
    if not others or not _template(change).startswith(CLAIM):
        return reason
    first = _template(change).removeprefix(CLAIM)
    words = f"{first[:1].upper()}{first[1:]}{_STILL}{{}}"
    parts = change.parts if isinstance(change, Sentence) else ()
    return replace(reason, nearest_change=Sentence(words, *parts, still))


def together(reasons: Sequence[Reason]) -> str:
    """What makes up for all reasons at once: ``Fits with a deadline of 124 d and with a budget of $2 M``; with the
    limits that nothing makes up for, and empty where nothing is known for any."""
    changes = {reason.code: str(reason.nearest_change) for reason in reasons}
    still = limits_listed([code for code, text in changes.items() if not text])
    texts = [text for text in changes.values() if text]
    whats = [str(lower_first(text.removeprefix(CLAIM).partition(_STILL)[0])).rstrip(".") for text in texts]
    if not whats:
        return ""
    is_enough = not still and all(text.startswith(CLAIM) or _STILL in text for text in texts)
    told = f"{CLAIM if is_enough else ''}{' and '.join(whats)}{_STILL if still else ''}{still}"
    return f"{told[:1].upper()}{told[1:]}"


def _template(change: Text) -> str:
    return change.template if isinstance(change, Sentence) else str(change)


def limit_words(code: str) -> str:
    """A limit as a sentence names it: ``the budget``."""
    return _WORDS.get(code, f"the {code.replace('_', ' ')}")


def limits_listed(codes: Sequence[str]) -> str:
    """Limits in a row: ``the place, the deadline and the budget``; empty without any."""
    *most, last = [limit_words(code) for code in codes] or [""]
    return f"{', '.join(most)} and {last}" if most else last
