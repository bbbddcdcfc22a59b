"""Ways that break hard limits, and ways that lack proof, in words."""

from __future__ import annotations

from collections.abc import Sequence

from core.amounts import Counted, Sentence, Text, without_stop
from core.comparison.over_time.answer import OverTime
from core.comparison.over_time.way import Way
from core.throughput.types import Reason


def reasons_words(reasons: Sequence[Reason]) -> Text:
    """``A cloud offer, and the work must stay on premises; Paid as spot, which is not allowed``."""
    return Sentence("; ".join(["{}"] * len(reasons)), *(without_stop(one.text) for one in reasons))


def breaks_words(way: Way) -> Text:
    """``All-TPU breaks 2 hard limits: …``, each of them told; empty where it keeps all."""
    if not way.broken:
        return ""
    return Sentence("{} breaks {}: {}", way.title, _counted(way.broken), reasons_words(way.broken))


def failed_path_words(way: Way) -> Text:
    """The same of the path that follows a failed pilot."""
    return Sentence(
        "Where the pilot fails, what follows breaks {}: {}", _counted(way.broken), reasons_words(way.broken)
    )


def limits_lines(answer: OverTime) -> tuple[Text, ...]:
    """That of each way that breaks one, and of the path that follows the plan's own pilot where it fails."""
    own, ways = answer.own, tuple(breaks_words(way) for way in answer.breaking)
    failed = own.fallback.way if own.fallback is not None and not own.broken else None
    return (*ways, failed_path_words(failed)) if failed is not None and failed.broken else ways


def broken_shortly(ways: Sequence[Way]) -> Text:
    """``All-TPU breaks 2 hard limits``, of all that do; empty where none does."""
    told = [Sentence("{} breaks {}", way.title, _counted(way.broken)) for way in ways if way.broken]
    return Sentence(", ".join(["{}"] * len(told)), *told) if told else ""


def to_be_proved(way: Way) -> Text:
    """What a seller must still confirm before anybody signs; empty where nothing."""
    names = " and ".join(way.unproved)
    return f"To be proved before signing: {names}." if names else ""


def _counted(reasons: Sequence[Reason]) -> Text:
    return "a hard limit" if len(reasons) == 1 else Counted(len(reasons), "hard limit")
