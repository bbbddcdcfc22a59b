"""Training logs that tests write themselves."""

from __future__ import annotations

from pathlib import Path

from core.logs.read import LogFile, read_logs
from core.logs.record import LogRecord

TRAINING_LINES = (
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
"""Sound lines of every reader of training logs."""


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
