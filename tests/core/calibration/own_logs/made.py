"""Records made up for tests."""

from __future__ import annotations

from typing import Any

import numpy as np

from core.logs.record import LogRecord, Subject, summarise_all


def machine(use_pct: Any, tick_s: float = 1.0, **others: Any) -> LogRecord:
    """A record of how busy chips were; 2-d readings are (ticks, chips). ``others`` are more quantities."""
    grids = {
        name: np.array(values, dtype=np.float64) for name, values in ({"utilization_pct": use_pct} | others).items()
    }
    series = {name: grid if grid.ndim == 1 else np.nanmean(grid, axis=1) for name, grid in grids.items()}
    by_chip = {name: grid.astype(np.float32) for name, grid in grids.items() if grid.ndim == 2}
    n_chips = max((grid.shape[1] for grid in by_chip.values()), default=1)
    time_s = tick_s * np.arange(len(series["utilization_pct"]), dtype=np.float64)
    return LogRecord(
        "node.csv", "nvidia-smi-csv", len(time_s) + 1, {}, "NVIDIA H100 80GB HBM3", "h100-sxm", n_chips, None, time_s,
        series, summarise_all({name: grid.ravel() for name, grid in grids.items()}),
        chips=tuple(str(chip) for chip in range(n_chips)), by_chip=by_chip,
    )  # fmt: skip


def training(step_s: Any, tokens_per_s_per_chip: Any = None, **facts: Any) -> LogRecord:
    """A record of a training run, a line a step."""
    series = {"step_time_s": np.array(step_s, dtype=np.float64)}
    if tokens_per_s_per_chip is not None:
        series["tokens_per_s_per_chip"] = np.array(tokens_per_s_per_chip, dtype=np.float64)
    return LogRecord(
        "train.log", "maxtext", len(step_s), {}, "TPU v5p", "tpu-v5p", 64, None, np.cumsum(series["step_time_s"]),
        series, summarise_all(series), subject=Subject.TRAINING, facts=facts,
    )  # fmt: skip


def serving(concurrency: float | None = 32.0, **figures: float) -> LogRecord:
    """A record of a server's test, totals only; ``n_requests`` and the like are facts, the others quantities."""
    facts = {name: value for name, value in figures.items() if name in ("n_requests", "duration_s", "input_tokens")}
    quantities = {name: np.array([value]) for name, value in figures.items() if name not in facts}
    stated = facts if concurrency is None else facts | {"concurrency": concurrency}
    return LogRecord(
        "bench.json", "vllm-serving", 30, {}, None, None, 8, None, np.array([]), {}, summarise_all(quantities),
        subject=Subject.SERVING, facts=stated,
    )  # fmt: skip
