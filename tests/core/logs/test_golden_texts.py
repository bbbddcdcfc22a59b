"""What every text of a log in ``tests/log_texts`` says, whole and damaged: no reading drifts unseen."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from core.errors import InputError
from core.logs.read import LogFile, read_logs
from core.logs.record import LogRecord, figures_of
from tests.golden import assert_kept
from tests.log_texts import machine, serving, tables, training


def _texts(module: ModuleType) -> Iterator[tuple[str, str]]:
    for name, value in vars(module).items():
        if name.isupper() and isinstance(value, str):
            yield name, value


def _damaged(text: str) -> dict[str, str]:
    """The text itself, twice, its first two thirds, and with a foreign line after every third."""
    lines = text.splitlines(keepends=True)
    strewn = [line + ("something else entirely\n" if number % 3 == 2 else "") for number, line in enumerate(lines)]
    return {"": text, "twice": text + text, "cut": "".join(lines[: 2 * len(lines) // 3]), "strewn": "".join(strewn)}


def _record(record: LogRecord) -> dict[str, Any]:
    return {
        "format": record.format,
        "subject": str(record.subject),
        "lines": [record.first_line, record.n_lines, dict(record.skipped)],
        "chips": [record.accelerator, record.accelerator_id, record.n_accelerators, *record.chips],
        "time": [record.start, len(record.time_s), record.duration_s, float(np.sum(record.time_s))],
        "facts": dict(record.facts),
        "series": {name: float(np.nansum(values)) for name, values in record.series.items()},
        "by_chip": {name: np.nansum(values, axis=0).tolist() for name, values in record.by_chip.items()},
        "quantities": {
            name: [one.unit, one.n, *figures_of(one).items()] for name, one in record.quantities.items()
        },
    }  # fmt: skip


def _file(log: LogFile) -> dict[str, Any]:
    return {
        "records": [_record(one) for one in log.records],
        "refused": [[one.format, one.line, one.found, one.expected] for one in log.refused],
        "other": log.n_other,
    }


def _told(path: Path, text: str) -> Any:
    path.write_text(text, encoding="utf-8")
    try:
        return _file(read_logs(path))
    except InputError as error:
        return str(error).replace(str(path), path.name)


@pytest.mark.parametrize("module", [machine, serving, tables, training], ids=lambda one: one.__name__.split(".")[-1])
def test_readings_are_kept(module: ModuleType, tmp_path: Path) -> None:
    path = tmp_path / "some.log"
    told = {
        f"{name} {how}".strip(): _told(path, damaged)
        for name, text in _texts(module)
        for how, damaged in _damaged(text).items()
    }
    assert len(told) > 3
    assert_kept(f"logs_{module.__name__.split('.')[-1]}", told)
