"""Logs written for a test and read as a file."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.errors import InputError
from core.logs.read import read_logs
from core.logs.record import LogRecord


def record_of(folder: Path, text: str) -> LogRecord:
    """The only record of a file with this text."""
    path = folder / "written.log"
    path.write_text(text, encoding="utf-8")
    (record,) = read_logs(path).records
    return record


def means_of(record: LogRecord) -> dict[str, float]:
    """Mean of each quantity."""
    return {name: quantity.mean for name, quantity in record.quantities.items()}


def assert_refused(folder: Path, text: str, words: str) -> None:
    """The file is not read, for a reason in these words."""
    path = folder / "written.log"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=words):
        read_logs(path)
