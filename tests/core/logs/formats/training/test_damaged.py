"""Every reader of training logs takes damaged lines: cut, doubled, swapped, with other bytes."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator

import pytest

from core.logs.record import LogRecord
from core.logs.registry import Document, LogFormat, formats
from core.logs.training.steps import Runs
from tests.core.logs.training_logs import TRAINING_LINES

_TRAINING = "core.logs.formats.training."
_ODD = ("nan", "inf", "-1", "0", "1e400", "9" * 400, "\u0663", "\x00", "{", "'", ",,", " " * 50, "1e-320", "\ufffd")


def _damaged(chance: random.Random) -> Iterator[str]:
    for _ in range(chance.randint(5, 40)):
        line = chance.choice(TRAINING_LINES)
        at = chance.randrange(len(line))
        kind = chance.randrange(5)
        if kind == 0:
            line = line[:at]
        elif kind == 1:
            line = line[:at] + chance.choice(_ODD) + line[at + chance.randint(0, 4) :]
        elif kind == 2:
            line = line[:at] + chr(ord(line[at]) ^ (1 << chance.randrange(7))) + line[at + 1 :]
        elif kind == 3:
            yield line
        yield line


def _training() -> list[LogFormat]:
    return [one for one in formats() if (one.reader or one.documents or one.begins).__module__.startswith(_TRAINING)]


@pytest.mark.parametrize("log_format", [one for one in _training() if one.reader], ids=lambda one: str(one.id))
def test_no_damage_escapes_a_reader(log_format: LogFormat) -> None:
    chance = random.Random(14)  # noqa: S311
    for _ in range(40):
        assert log_format.reader is not None
        reader = log_format.reader("run.log")
        for number, line in enumerate(_damaged(chance), 1):
            log_format.begins_with(line)
            reader.take(number, line)
        for one in reader.finish():
            if isinstance(one, LogRecord):
                assert all(len(values) == len(one.time_s) for values in one.series.values())
                json.dumps(dict(one.facts), allow_nan=False)


_ODD_VALUES = (None, True, -1, 0, 10**250, float("nan"), "x", [], {}, [{}], {"loss": []}, 4.5)


@pytest.mark.parametrize("log_format", [one for one in _training() if one.documents], ids=lambda one: str(one.id))
def test_no_document_escapes_a_reader(log_format: LogFormat) -> None:
    chance = random.Random(14)  # noqa: S311
    names = ("train_runtime", "train_samples_per_second", "total_flos", "loss", "step", "num_tokens",
             "perf/step_time_seconds", "learning/loss", "train_batch_size", "global_step")  # fmt: skip
    for _ in range(200):
        value: dict[str, object] = {name: chance.choice(_ODD_VALUES) for name in names}
        value["log_history"] = chance.choice((*_ODD_VALUES, [dict(value)], [dict(value), 3]))
        if log_format.fits(value):
            assert log_format.documents is not None
            log_format.documents("state.json", [Document(1, value), Document(2, dict(value))])


def test_a_run_without_a_number_is_refused() -> None:
    runs = Runs("run.log", "maxtext", "MaxText")
    runs.add(3, 1.0, {"step_time_s": float("inf"), "loss": float("nan")})
    (refused,) = runs.finish("steps")
    assert not isinstance(refused, LogRecord) and refused.line == 3
