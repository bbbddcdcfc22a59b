"""What every text of a log in ``tests/log_texts`` says, whole and damaged: no reading drifts unseen."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from core.errors import InputError
from core.logs.read import LogFile, read_logs
from core.logs.record import LogRecord, figures_of
from tests.golden import as_plain, assert_kept
from tests.log_texts import machine, scripts, serving, tables, training


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


def _odd(text: str) -> dict[str, str]:
    """All digits 0; every fourth number huge, absent or small with a sign; every line without its last letters."""
    return {
        "zeros": re.sub(r"\d", "0", text),
        "huge": _replaced(text, "9" * 25),
        "absent": _replaced(text, "N/A"),
        "negative": _replaced(text, "-0.25"),
        "shorn": "\n".join(line[:-2] for line in text.splitlines()),
        "ended": text.rstrip()[:-1],
    }


def _replaced(text: str, word: str) -> str:
    """Every fourth number of a text in other words; the first line, which may have names, stays."""
    first, end, rest = text.partition("\n")
    count = itertools.count()
    return first + end + re.sub(r"\d+(\.\d+)?", lambda match: word if next(count) % 4 == 3 else match[0], rest)


def _in_one_line(told: Any) -> str:
    """As JSON with five digits, without what is empty; a refusal without the list of what is read."""

    def short(one: Any) -> Any:
        match one:
            case float():
                return float(f"{one:.5g}")
            case dict():
                return {name: short(value) for name, value in one.items() if value not in (None, [], {}, "")}
            case list():
                return [short(value) for value in one]
        return one

    plain = short(as_plain(told))
    return plain.split(", expected")[0] if isinstance(plain, str) else json.dumps(plain, ensure_ascii=False)


@pytest.mark.parametrize(
    "module", [machine, scripts, serving, tables, training], ids=lambda one: one.__name__.split(".")[-1]
)
def test_readings_of_odd_figures_are_kept(module: ModuleType, tmp_path: Path) -> None:
    path = tmp_path / "some.log"
    told = {
        f"{name} {how}".strip(): _in_one_line(_told(path, changed))
        for name, text in _texts(module)
        for how, changed in {**(_damaged(text) if module is scripts else {}), **_odd(text)}.items()
    }
    assert_kept(f"odd_logs_{module.__name__.split('.')[-1]}", told)
