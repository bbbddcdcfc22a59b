"""MLPerf training logs: ``:::MLLOG {json}`` lines among other output; ``:::MLL <seconds> key: {json}`` in v0.6.

Seen in results of v0.6 to v5.0. The time of the run is that from ``run_start`` to ``run_stop``; its speed is that of
the blocks between evaluations and of ``tracked_stats``. How many accelerators there were is not in the log. Logs of
the power of a node have lines of their own.
"""

from __future__ import annotations

import math
import re
from array import array
from collections import Counter
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import numpy as np

from core.errors import InputError
from core.logs.accelerator_names import recognise
from core.logs.quantities import SHARED, QuantityKind, reading
from core.logs.record import LogRecord, Quantity, Refused, Subject, summarise_all
from core.logs.registry import Finding, LogFormat
from core.logs.training.run_settings import Ranks
from core.logs.training.steps import Facts, chip_count, size, stated_of
from core.reading.json_text import parsed

OWN = {
    "node_power_w": QuantityKind("W", "Power of a node"),
    "evaluation_s": QuantityKind("s", "An evaluation"),
    "initialization_s": QuantityKind("s", "Before the run"),
    "eval_accuracy": QuantityKind("", "Score of an evaluation"),
}
_OLD = re.compile(r":::MLL (?P<at_s>[\d.]{1,20}) (?P<key>\w{1,80}): (?P<json>\{.{1,4000})")
_BERT_RATE = re.compile(r"'training_sequences_per_second': ([\d.]{1,30})")
_FACTS = {
    "global_batch_size": "global_batch",
    "d_batch_size": "micro_batch",
    "max_sequence_length": "sequence_length",
    "sequence_length": "sequence_length",
    "train_samples": "train_samples",
    "samples_per_epoch": "samples_per_epoch",
}
_OF_TRAINING = ("submission_", "init_", "cache_clear", "opt_", "eval_", "power_measurement_", "weights_initialization")
_MODEL, _PLATFORM, _PLACEHOLDER = "submission_benchmark", "submission_platform", "PLACEHOLDER"
_SPEEDS = ("throughput", "train_throughput", "samples_per_second")
_MOST_EPOCHS = 100_000
_MS = 1e-3
_MOST_TIME_MS = 1e14


class _Event:
    """One line: its key, value, metadata, and seconds since 1970 (NaN where the stamp is 0)."""

    __slots__ = ("at_s", "key", "metadata", "value")

    def __init__(self, at_s: float, key: str, value: Any, metadata: Any) -> None:
        self.at_s = at_s if 0 < at_s < _MOST_TIME_MS * _MS else math.nan
        self.key, self.value = key, value
        self.metadata: Mapping[str, Any] = metadata if isinstance(metadata, dict) else {}

    def number(self, name: str) -> float:
        """A number of the metadata; NaN where there is none."""
        return reading(str(self.metadata.get(name, "")))


class _Run:
    """What the lines from one start to the next one say."""

    def __init__(self, line: int, facts: Facts) -> None:
        self.first_line, self.last_line, self.n_lines = line, line, 0
        self.facts = facts
        self.start_s = self.stop_s = self.init_s = self.block_s = self.block_samples = self.eval_s = math.nan
        self.status = ""
        self.is_tracked = False
        self.at_s = array("d")
        self.columns = {name: array("d") for name in ("samples_per_s", "tokens_per_s", "loss", "node_power_w")}
        self.scores, self.evaluations_s = array("d"), array("d")
        self.totals: dict[str, float] = {}

    def add(self, at_s: float, **values: float) -> None:
        """A row of readings."""
        if any(value > 0 for value in values.values()) and not math.isnan(at_s):
            self.at_s.append(at_s)
            for name, column in self.columns.items():
                column.append(values.get(name, math.nan))


class _Reader:
    """Lines of all processes: the first of each kind counts."""

    def __init__(self, file_name: str) -> None:
        self._file_name = file_name
        self._runs: list[_Run] = []
        self._skipped: Counter[str] = Counter()
        self._ranks = Ranks()

    def take(self, number: int, line: str) -> bool:
        """True for a line of the log."""
        if ":::ML" not in line:
            return self._other(line)
        event = _event(line)
        if event is None:
            self._skipped["line that is no JSON"] += 1
            return True
        if not self._runs or (
            event.key == "run_start" and self._runs[-1].stop_s > 0 and event.at_s > self._runs[-1].stop_s
        ):
            self._runs.append(_Run(number, dict(self._runs[-1].facts) if self._runs else {}))
        run = self._runs[-1]
        run.last_line = number
        run.n_lines += 1
        _keep(event, run)
        return True

    def finish(self) -> list[Finding]:
        """A record a run."""
        for run in self._runs:
            run.facts = self._ranks.facts | run.facts
        return [_finding(self._file_name, run, self._skipped) for run in self._runs]

    def _other(self, line: str) -> bool:
        """What NVIDIA's programs print beside."""
        self._ranks.take(line)
        match = _BERT_RATE.search(line) if "sequences_per_second" in line else None
        if match and self._runs:
            self._runs[-1].totals["samples_per_s"] = reading(match[1])
        return match is not None


def _event(line: str) -> _Event | None:
    at = line.find(":::MLLOG")
    try:
        if at >= 0:
            value = parsed(line[at + len(":::MLLOG") :].strip(), "", "", takes_odd_numbers=True)
            return _Event(_milliseconds(value) * _MS, str(value.get("key")), value.get("value"), value.get("metadata"))
        match = _OLD.search(line)
        value = parsed(match["json"], "", "", takes_odd_numbers=True) if match else None
    except (InputError, AttributeError):
        return None
    if match is None or not isinstance(value, dict):
        return None
    return _Event(reading(match["at_s"]), match["key"], value.get("value"), value.get("metadata"))


def _milliseconds(value: Any) -> float:
    return reading(str(value.get("time_ms")))


def _keep(event: _Event, run: _Run) -> None:
    if event.key in _FACTS:
        run.facts.setdefault(_FACTS[event.key], reading(str(event.value)))
    elif event.key == _MODEL and isinstance(event.value, str):
        run.facts.setdefault("model", event.value)
    elif event.key == _PLATFORM and isinstance(event.value, str) and _PLACEHOLDER not in event.value:
        run.facts.setdefault("accelerator", event.value)
    elif event.key in _TAKEN:
        _TAKEN[event.key](event, run)


def _began(event: _Event, run: _Run) -> None:
    run.start_s = event.at_s if math.isnan(run.start_s) else run.start_s
    run.totals.setdefault("initialization_s", event.at_s - run.init_s)


def _ended(event: _Event, run: _Run) -> None:
    run.stop_s = event.at_s
    run.status = str(event.metadata.get("status") or "")


def _block_began(event: _Event, run: _Run) -> None:
    run.block_s, run.is_tracked = event.at_s, False
    run.block_samples = event.number("samples_count")
    epochs = event.number("epoch_count")
    run.facts["epochs_of_block"] = epochs if epochs > 0 else 0.0
    if not math.isnan(run.eval_s):
        run.evaluations_s.append(event.at_s - run.eval_s)
        run.eval_s = math.nan


def _block_ended(event: _Event, run: _Run) -> None:
    """A block's samples by the count of samples, by epochs, or by a count of tokens, as programs count differently;
    nothing where the program tells its speed itself."""
    seconds = event.at_s - run.block_s
    run.eval_s, run.block_s = event.at_s, math.nan
    if run.is_tracked or not seconds > 0:
        return
    samples, tokens = event.number("samples_count") - run.block_samples, math.nan
    if math.isnan(samples):
        samples, tokens = _of_epochs(run)
    run.add(event.at_s, samples_per_s=samples / seconds, tokens_per_s=tokens / seconds)


def _of_epochs(run: _Run) -> tuple[float, float]:
    """Samples and tokens of a block told in epochs; some programs count tokens there."""
    epochs = size(run.facts, "epochs_of_block")
    tokens_a_step = size(run.facts, "global_batch") * size(run.facts, "sequence_length")
    if epochs > _MOST_EPOCHS and epochs % tokens_a_step == 0:
        return epochs / size(run.facts, "sequence_length"), epochs
    a_pass = size(run.facts, "samples_per_epoch")
    a_pass = size(run.facts, "train_samples") if math.isnan(a_pass) else a_pass
    return (epochs * a_pass if epochs < _MOST_EPOCHS else math.nan), math.nan


def _tracked(event: _Event, run: _Run) -> None:
    stats = event.value if isinstance(event.value, dict) else {}
    rate = next((reading(str(stats[name])) for name in _SPEEDS if name in stats), math.nan)
    run.add(event.at_s, samples_per_s=rate)
    run.is_tracked = rate > 0


def _scored(event: _Event, run: _Run) -> None:
    run.scores.append(reading(str(event.value)))


def _lost(event: _Event, run: _Run) -> None:
    run.add(event.at_s, loss=reading(str(event.value)))


def _powered(event: _Event, run: _Run) -> None:
    value = event.value.get("value") if isinstance(event.value, dict) else event.value
    run.add(event.at_s, node_power_w=reading(str(value)))
    if isinstance(event.metadata.get("host"), str):
        run.facts.setdefault("host", event.metadata["host"])


def _initialized(event: _Event, run: _Run) -> None:
    run.init_s = event.at_s if math.isnan(run.init_s) else run.init_s


_TAKEN = {
    "init_start": _initialized,
    "run_start": _began,
    "run_stop": _ended,
    "block_start": _block_began,
    "block_stop": _block_ended,
    "tracked_stats": _tracked,
    "eval_accuracy": _scored,
    "train_loss": _lost,
    "power_reading": _powered,
}


def _finding(file_name: str, run: _Run, skipped: Mapping[str, int]) -> Finding:
    series = {name: np.array(values) for name, values in run.columns.items() if not np.isnan(np.array(values)).all()}
    run_s = run.stop_s - run.start_s
    if not series and not run_s > 0:
        found = "a run without its end or any speed" if run.start_s > 0 else "no run_start and run_stop"
        return Refused(FORMAT.id, run.first_line, found, "a log of a whole run")
    extra = {"eval_accuracy": np.array(run.scores), "evaluation_s": np.array(run.evaluations_s)}
    quantities = summarise_all(series | extra, {**SHARED, **OWN}) | _totals(run, run_s)
    order = np.argsort(np.array(run.at_s), kind="stable")
    at_s = np.array(run.at_s)[order]
    chip = run.facts.get("accelerator")
    is_power = set(series) == {"node_power_w"}
    return LogRecord(
        file=file_name,
        format=FORMAT.id,
        n_lines=run.last_line - run.first_line + 1,
        skipped=dict(skipped),
        accelerator=None if chip is None else str(chip),
        accelerator_id=None if chip is None else recognise(str(chip)),
        n_accelerators=chip_count(run.facts),
        start=_told(run.start_s if run.start_s > 0 else (at_s[0] if len(at_s) else math.nan)),
        time_s=at_s - at_s[0] if len(at_s) else at_s,
        series={name: values[order] for name, values in series.items()},
        quantities=quantities,
        subject=Subject.MACHINE if is_power else Subject.TRAINING,
        first_line=run.first_line,
        facts=stated_of(_facts(run, run_s)),
    )


def _totals(run: _Run, run_s: float) -> dict[str, Quantity]:
    figures = {name: value for name, value in run.totals.items() if name not in run.columns or not _has(run, name)}
    figures |= {"train_runtime_s": run_s}
    kinds = {**SHARED, **OWN}
    return {name: Quantity(kinds[name].unit, 1, value, value, value) for name, value in figures.items() if value > 0}


def _has(run: _Run, name: str) -> bool:
    return any(value > 0 for value in run.columns[name])


def _facts(run: _Run, run_s: float) -> Facts:
    facts: Facts = {name: value for name, value in run.facts.items() if isinstance(value, str) or value > 0}
    if run_s > 0:
        facts["duration_s"] = run_s
    return facts | ({"scenario": f"run_stop: {run.status}"} if run.status else {}) | {"framework": "MLPerf training"}


def _told(at_s: float) -> str | None:
    """Seconds since 1970 as a stamp; None where they are of no year."""
    try:
        return datetime.fromtimestamp(at_s, UTC).isoformat(timespec="milliseconds")
    except (ValueError, OverflowError, OSError):
        return None


def _begins(line: str) -> bool:
    """True for an event of training: logs of inference have lines of the same form."""
    event = _event(line)
    return event is not None and (event.key in _TAKEN or event.key in _FACTS or event.key.startswith(_OF_TRAINING))


FORMAT = LogFormat(
    "mllog",
    "MLPerf training log",
    "MLPerf training",
    marks=(":::MLL",),
    begins=_begins,
    reader=_Reader,
    quantities=OWN,
)
