"""Every reader of training logs takes damaged lines: cut, doubled, swapped, with other bytes."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator

import pytest

from core.logs.record import LogRecord
from core.logs.registry import Document, LogFormat, formats
from core.logs.training.steps import Runs

_TRAINING = "core.logs.formats.training."
_LINES = (
    "completed step: 3, seconds: 2.0, TFLOP/s/device: 300.0, Tokens/s/device: 4,096, total_weights: 8, loss: 2",
    "step 3 | step_time=4.1s | TFLOPs/s/device: 210.5 (student=100.1) | loss=2.1",
    "INFO:tensorflow:global_step/sec: 181.33",
    "examples/sec: 23210",
    "| Training Device=xla:0/3 Epoch=1 Step=280 Loss=0.01 Rate=1760.91 GlobalRate=257.10 Time=07:29:39",
    "Metric: CompileTime",
    "  TotalSamples: 4",
    "  Percentiles: 1%=01ms; 50%=3s100ms",
    "Counter: aten::nonzero",
    "  Value: 33",
    ':::MLLOG {"time_ms": 1700000000000, "key": "run_start", "value": null, "metadata": {"samples_count": 3}}',
    ':::MLLOG {"time_ms": 1700000090000, "key": "block_start", "value": null, "metadata": {"epoch_count": 3}}',
    ':::MLLOG {"time_ms": 1700000099000, "key": "block_stop", "value": {"a": [1]}, "metadata": {}}',
    ":::MLL 1556733700.00 run_stop: {\"value\": null, \"metadata\": {\"status\": 3}}",
    "{'train_runtime': 80.0, 'train_samples_per_second': 12.5, 'train_steps_per_second': 0.1, 'epoch': 1.0}",
    "{'loss': 2.5, 'learning_rate': 5e-05, 'epoch': 0.5}",
    "using world size: 64, data-parallel-size: 1, tensor-model-parallel size: 4, pipeline-model-parallel size: 16",
    " iteration 10/ 1000 | elapsed time per iteration (ms): 13100.0/13240.9 | global batch size: 4 | "
    "hip mem usage/free/total/usage_ratio: 117.1GB/74.9GB/191.98GB/61.0% | lm loss: 1.2E+01 |",
    "[Rank 51] (after 20 iterations) memory (MB) | max allocated: 22106.0 | max reserved: 26716.0",
    "2025-10-15 10:37:01,390 - root - INFO - step:  1  loss: 12.2  memory: 33.21GiB(34.95%)  tps: 8,600  mfu: 0.50%",
    "Epoch 0: : 3%|x| 9000/301500 [1:42:42<55:37:46, 1.5s/it, reduced_train_loss=nan.0, global_step=9e+3, "
    "train_step_timing in s=0.615]",
    'DLLL {"timestamp": "1739210331.5", "step": 17, "data": {"train_step_timing in s": 92.0, "a": [1]}}',
    "-------------------------- DeepSpeed Flops Profiler --------------------------",
    "iter latency:                                                 184.73 ms",
    "[batch=2/10]:",
    " Train throughput/device/tokens_per_sec: 2048.0",
    "epoch,step,time,loss",
    "0,10,100.0,2.5",
    "[100] steps_per_sec=3.2, loss=2.1",
    "  seq_length .............................. 1024",
    "number parameters: 15.933 billion",
)  # fmt: skip
_ODD = ("nan", "inf", "-1", "0", "1e400", "9" * 400, "\u0663", "\x00", "{", "'", ",,", " " * 50, "1e-320", "\ufffd")


def _damaged(chance: random.Random) -> Iterator[str]:
    for _ in range(chance.randint(5, 40)):
        line = chance.choice(_LINES)
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
