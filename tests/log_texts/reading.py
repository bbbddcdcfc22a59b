"""A text read as a log file."""

from __future__ import annotations

from pathlib import Path

from core.logs.read import LogFile, read_logs
from core.logs.record import LogRecord, figures_of


def log_of(folder: Path, text: str) -> LogFile:
    """What the text holds."""
    path = folder / "any.txt"
    path.write_text(text, encoding="utf-8")
    return read_logs(path)


def only(folder: Path, text: str) -> LogRecord:
    """The one record of the text."""
    (record,) = log_of(folder, text).records
    return record


def figures(record: LogRecord) -> dict[str, dict[str, float]]:
    """Every figure that the record gives, by quantity."""
    return {name: figures_of(quantity) for name, quantity in record.quantities.items()}
