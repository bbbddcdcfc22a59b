"""Logs that tests write themselves."""

from __future__ import annotations

from pathlib import Path

from core.logs.read import LogFile, read_logs
from core.logs.record import LogRecord


def log_of(folder: Path, text: str, name: str = "run.log") -> LogFile:
    """What is read of a file with that text."""
    path = folder / name
    path.write_bytes(text.encode())
    return read_logs(path)


def record_of(folder: Path, text: str) -> LogRecord:
    """The only record of a file with that text."""
    (record,) = log_of(folder, text).records
    return record


def means(record: LogRecord) -> dict[str, float]:
    """The mean of each quantity, to five digits."""
    return {name: float(f"{quantity.mean:.5g}") for name, quantity in record.quantities.items()}
