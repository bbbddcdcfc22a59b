"""A fault as it is written down: what went wrong where, without anything private, and on which system."""

from __future__ import annotations

import platform
import traceback
from collections.abc import Iterator

import PySide6

from core.version import VERSION
from gui.crash.redaction import place_of, redacted

MOST_FRAMES = 60
MOST_LETTERS = 4000


def key_of(error: BaseException) -> tuple[str, str]:
    """Kind and line of code of an error: the same when it happens again."""
    frames = traceback.extract_tb(error.__traceback__)
    return type(error).__name__, f"{place_of(frames[-1].filename)}:{frames[-1].lineno}" if frames else "nowhere"


def story_of(error: BaseException, secrets: frozenset[str] = frozenset()) -> str:
    """How an error came about, fit to be shown: without words, numbers and paths of the user."""
    return "\n".join(_lines(error, secrets))


def system_line() -> str:
    """Versions that matter when somebody looks into a fault."""
    return (
        f"Roofplan {VERSION}, Python {platform.python_version()}, Qt {PySide6.__version__}, "
        f"{platform.system()} {platform.machine()}"
    )


def _lines(error: BaseException, secrets: frozenset[str]) -> Iterator[str]:
    """Each error of the chain with its calls, the first cause first."""
    for number, one in enumerate(_chain(error)):
        if number:
            yield "while this was dealt with:"
        frames = traceback.extract_tb(one.__traceback__)
        if len(frames) > MOST_FRAMES:
            yield f"  … {len(frames) - MOST_FRAMES} calls before"
        for frame in frames[-MOST_FRAMES:]:
            yield f"  {place_of(frame.filename)}:{frame.lineno} in {frame.name}"
        yield f"{type(one).__name__}: {redacted(_message(one), secrets)}"


def _message(error: BaseException) -> str:
    """What the error says; an error may fail at that too."""
    try:
        return str(error)[:MOST_LETTERS]
    except Exception as failure:
        return f"(its message raised {type(failure).__name__})"


def _chain(error: BaseException) -> list[BaseException]:
    chain: list[BaseException] = []
    now: BaseException | None = error
    while now is not None and now not in chain:
        chain.append(now)
        now = now.__cause__ or (None if now.__suppress_context__ else now.__context__)
    return chain[::-1]
