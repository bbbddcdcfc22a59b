"""A fault as it is written down: what went wrong where, without anything private, and on which system."""

from __future__ import annotations

import platform
import traceback
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from core import paths
from core.crash.redaction import chain_of, place_of, redacted, secrets_in
from core.version import VERSION

MOST_REPORTS = 20
MOST_FRAMES = 60
MOST_LETTERS = 4000


def key_of(error: BaseException) -> tuple[str, str]:
    """Kind and line of code of an error: the same when it happens again."""
    frames = traceback.extract_tb(error.__traceback__)
    return type(error).__name__, f"{place_of(frames[-1].filename)}:{frames[-1].lineno}" if frames else "nowhere"


def story_of(error: BaseException, secrets: frozenset[str] = frozenset()) -> str:
    """How an error came about, fit to be shown: without words, numbers and paths of the user.

    ``secrets`` are words that no call which led to it held.
    """
    return "\n".join(_lines(error, secrets | secrets_in(error)))


def system_line(*others: str) -> str:
    """Versions that matter when somebody looks into a fault, those of others than Python too."""
    versions = (f"Roofplan {VERSION}", f"Python {platform.python_version()}", *others)
    return f"{', '.join(versions)}, {platform.system()} {platform.machine()}"


def report_of(story: str, *versions: str) -> str:
    """A story with the system and the minute, as it lies in a file."""
    return f"{system_line(*versions)}\n{datetime.now():%Y-%m-%d %H:%M}\n\n{story}"


def log_folder() -> Path:
    """Where logs and reports lie, made when missing. Raises OSError where nothing can be written."""
    folder = paths.user_data() / paths.LOGS
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def new_report() -> Path:
    """A name for one more report; the oldest of many go. Raises OSError where nothing can be written."""
    folder = log_folder()
    for old in sorted(folder.glob("fault-*.txt"))[: -MOST_REPORTS + 1]:
        old.unlink(missing_ok=True)
    return folder / f"fault-{datetime.now():%Y%m%d-%H%M%S-%f}.txt"


def _lines(error: BaseException, secrets: frozenset[str]) -> Iterator[str]:
    """Each error of the chain with its calls, the first cause first."""
    for number, one in enumerate(chain_of(error)):
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
