"""Hugging Face's Trainer: ``trainer_state.json``, ``all_results.json``, the dictionaries it prints, and its table.

Seen in releases 4.6 to 4.5x. Every process may print its summary: one counts. Speeds are those of the whole run:
a run that was resumed counts the seconds of its last leg only, which the file does not tell.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from core.logs.quantities import SHARED, QuantityKind, grouped_reading, reading
from core.logs.record import LogRecord, Quantity, Refused, Subject, summarise
from core.logs.registry import Document, Finding, LogFormat
from core.logs.training.bars import LossBars
from core.logs.training.run_settings import Ranks, settings_in
from core.logs.training.speed_names import speeds_of
from core.logs.training.steps import Facts, Runs, by_batch, by_clock, chip_count, size, stated_of

OWN = {"training_work_pflop": QuantityKind("PFLOP", "Floating-point operations of the run")}

_DICT = re.compile(r"\{'(?:train_runtime|loss)': [^{}]{1,4000}\}")
_ITEM = re.compile(
    r"['\"](?P<name>[\w/().]{1,60})['\"]: "
    r"(?P<quote>['\"]?)(?P<value>[-+]?[\d.]{1,40}(?:e[-+]?\d{1,3})?)(?P=quote)(?=[,}])"
)
_ROW = re.compile(r"(?:^|\s)(?P<name>train_\w{1,60}|total_flos)\s{1,40}=\s{1,40}(?P<value>[\w:., -]{1,40})$")
_CLOCK = re.compile(r"(?:(\d{1,6}) days?, )?(\d{1,9}):(\d\d):(\d\d(?:\.\d{1,9})?)$")
_SETTINGS = (
    (re.compile(r"Instantaneous batch size per device = ([\d,]{1,20})"), "micro_batch"),
    (re.compile(r"Total train batch size \(.{1,80}\) = ([\d,]{1,20})"), "global_batch"),
    (re.compile(r"Gradient Accumulation steps = ([\d,]{1,20})"), "accumulation"),
    (re.compile(r"Total optimization steps = ([\d,]{1,20})"), "steps"),
)
_TOTALS = {
    "train_runtime": "train_runtime_s",
    "train_samples_per_second": "samples_per_s",
    "train_tokens_per_second": "tokens_per_s_per_chip",
    "training_work_pflop": "training_work_pflop",
}
_SAME_RUN = 0.01
_NO_TIME = "a trainer's state without the time of the run, as a checkpoint holds it"
_EXPECTED = "the trainer_state.json or all_results.json of the finished run"
_MOST_RUNS = 10_000
_FEWEST_BARS = 2
_LEAST_RATE = 0.05
_MOST_FLOP = 1e30


_BESIDE_LOSSES = ("tokens_per_s_per_chip", "step_time_s")


class _Reader:
    """Summaries that processes print, the losses before them, and the settings above."""

    def __init__(self, file_name: str) -> None:
        self._file_name = file_name
        self._facts: Facts = {}
        self._losses: list[float] = []
        self._speeds: list[dict[str, float]] = []
        self._findings: list[Finding] = []
        self._last: dict[str, float] = {}
        self._skipped: Counter[str] = Counter()
        self._first_line = 0
        self._ranks = Ranks()
        self._bars = LossBars()

    def take(self, number: int, line: str) -> bool:
        """True for a summary, a loss or a row of the table of metrics."""
        if "{" in line and (match := _DICT.search(line)):
            values = {one["name"]: reading(one["value"]) for one in _ITEM.finditer(match[0])}
        elif ("train_" in line or "total_flos" in line) and (row := _ROW.search(line)):
            values = {row["name"]: _value(row["value"].strip())}
        else:
            self._note(line)
            return self._bars.take(number, line)
        self._first_line = self._first_line or number
        if "train_runtime" in values:
            self._summary(number, values)
        elif "loss" in values:
            self._losses.append(values["loss"])
            self._speeds.append({name: one for name, one in speeds_of(values).items() if name in _BESIDE_LOSSES})
            self._bars.vote()
        elif self._last:
            self._last |= {name: value for name, value in values.items() if name not in self._last}
        return True

    def finish(self) -> list[Finding]:
        """A record a run; of one that did not end, by its progress bar; losses without either give none."""
        self._close()
        return self._findings or self._by_bar()

    def _by_bar(self) -> list[Finding]:
        """The run as far as its bar went: steps, and the seconds between them; else by the speeds beside its losses."""
        rows = self._bars.rows()
        by_bar = len(rows) >= _FEWEST_BARS
        if not by_bar and not any(self._speeds):
            found, expected = "losses without the time of the run", "a line with train_runtime, or the progress bar"
            return [Refused(FORMAT.id, self._first_line or 1, found, expected)]
        runs = Runs(
            self._file_name, FORMAT.id, "Hugging Face Trainer", 1, lambda table: by_clock(table) | by_batch(table)
        )
        runs.note(self._ranks.facts | _with_chips(self._facts))
        for row in rows if by_bar else ():
            runs.add(row.line, row.step, {"step_time_s": math.nan}, at_s=row.at_s)
        for place, speeds in enumerate(() if by_bar else self._speeds):
            runs.add(self._first_line, float(place), speeds)
        for loss in self._losses:
            runs.total("loss", loss)
        return runs.finish("a line with train_runtime, or the progress bar")

    def _summary(self, number: int, values: dict[str, float]) -> None:
        before = self._last.get("train_runtime", math.nan)
        if abs(values["train_runtime"] - before) <= _SAME_RUN * before:
            self._skipped["summary printed by another process"] += 1
            return
        self._close()
        self._last = {**values, "line": float(number)}

    def _close(self) -> None:
        """Makes a record of the run that ends here."""
        if not self._last:
            return
        line, last = int(self._last.pop("line")), self._last
        record = _record(
            self._file_name, line, last, self._losses, self._ranks.facts | _with_chips(self._facts), dict(self._skipped)
        )
        rates = [one["tokens_per_s_per_chip"] for one in self._speeds if "tokens_per_s_per_chip" in one]
        rate = summarise(np.array(rates, dtype=float), "tokens/s")
        if record is not None and rate is not None and "tokens_per_s_per_chip" not in record.quantities:
            record = replace(record, quantities={**record.quantities, "tokens_per_s_per_chip": rate})
        if record is not None and len(self._findings) < _MOST_RUNS:
            self._findings.append(record)
        self._last, self._losses, self._speeds, self._skipped, self._facts = {}, [], [], Counter(), {}

    def _note(self, line: str) -> None:
        for pattern, name in _SETTINGS if " = " in line else ():
            if match := pattern.search(line):
                self._facts[name] = grouped_reading(match[1])
        self._facts |= settings_in(line)  # of the last attempt, where some failed before
        self._ranks.take(line)


def _value(text: str) -> float:
    """``0:14:55.93``, ``1 day, 2:03:04``, ``1.116`` or ``71GF`` (which is unknown) as a number."""
    match = _CLOCK.fullmatch(text)
    if match is None:
        return grouped_reading(text)
    days, hours, minutes, seconds = (reading(part or "0") for part in match.groups())
    return 86_400.0 * days + 3600.0 * hours + 60.0 * minutes + seconds


def _with_chips(facts: Facts) -> Facts:
    """The number of chips follows from the batch of all, the batch of one and the accumulation steps."""
    parts = [facts.get(name) for name in ("global_batch", "micro_batch", "accumulation")]
    if chip_count(facts) is None and all(isinstance(part, float) and part > 0 for part in parts):
        whole, own, accumulated = (float(part) for part in parts if part is not None)
        facts = facts | {"n_accelerators": whole / (own * accumulated)}
    return facts


def _begins(line: str) -> bool:
    is_dict = bool(_DICT.search(line)) and any(name in line for name in ("train_runtime", "epoch", "learning_rate"))
    return is_dict or bool(_ROW.search(line))


def _fits(value: Any) -> bool:
    return isinstance(value, dict) and ("train_runtime" in value or isinstance(value.get("log_history"), list))


def _read(file_name: str, documents: Sequence[Document]) -> list[Finding]:
    return [_of_document(file_name, one) for one in documents[:_MOST_RUNS]]


def _of_document(file_name: str, document: Document) -> Finding:
    value = document.value
    entries = value.get("log_history")
    history = [one for one in (entries if isinstance(entries, list) else [value]) if isinstance(one, dict)]
    summary = next((one for one in reversed(history) if "train_runtime" in one), {})
    losses = [_figure(one, "loss") for one in history if "loss" in one]
    last = {name: number for name in summary if (number := _figure(summary, name)) > 0}
    last["training_work_pflop"] = _pflop(value.get("total_flos"))
    facts: Facts = {"micro_batch": _figure(value, "train_batch_size"), "steps": _figure(value, "global_step")}
    record = _record(file_name, document.line, last, losses, facts, {}, _tokens(history))
    return record or Refused(FORMAT.id, document.line, _NO_TIME, _EXPECTED)


def _pflop(total: object) -> float:
    """The work of the run; its figure in FLOP is beyond what any reading is."""
    return float(total) / 1e15 if isinstance(total, int | float) and 0 < total < _MOST_FLOP else math.nan


def _figure(values: Mapping[Any, Any], name: str) -> float:
    value = values.get(name)
    return reading(str(value)) if isinstance(value, int | float | str) else math.nan


def _tokens(history: list[dict[Any, Any]]) -> float:
    """Tokens of the run, as TRL (``num_tokens``) or the Trainer counts them; NaN where neither does."""
    counts = [_figure(one, name) for one in history for name in ("num_tokens", "num_input_tokens_seen")]
    return max((count for count in counts if count > 0), default=math.nan)


def _record(
    file_name: str,
    line: int,
    summary: Mapping[str, float],
    losses: Sequence[float],
    facts: Facts,
    skipped: Mapping[str, int],
    n_tokens: float = math.nan,
) -> LogRecord | None:
    """The run by its summary; None where that has no time."""
    runtime_s = summary.get("train_runtime", math.nan)
    if not runtime_s > 0:
        return None
    figures = {ours: summary.get(name, math.nan) for name, ours in _TOTALS.items()}
    figures |= {"tokens_per_s": n_tokens / runtime_s, "step_time_s": _step_time_s(summary, size(facts, "steps"))}
    quantities = {
        name: Quantity((OWN.get(name) or SHARED[name]).unit, 1, value, value, value)
        for name, value in figures.items()
        if 0 < value < math.inf
    }
    loss = summarise(np.array(losses, dtype=float), "")
    return LogRecord(
        file=file_name,
        format=FORMAT.id,
        n_lines=1 + len(losses) + sum(skipped.values()),
        skipped=skipped,
        accelerator=None,
        accelerator_id=None,
        n_accelerators=chip_count(facts),
        start=None,
        time_s=np.zeros(0),
        series={},
        quantities=quantities | ({} if loss is None else {"loss": loss}),
        subject=Subject.TRAINING,
        first_line=line,
        facts=stated_of(_known(facts) | {"framework": "Hugging Face Trainer", "duration_s": runtime_s}),
    )


def _step_time_s(summary: Mapping[str, float], n_steps: float) -> float:
    """Seconds a step by the number of steps, else by the printed rate unless its three decimals are too coarse."""
    rate = summary.get("train_steps_per_second", math.nan)
    if n_steps > 0:
        return summary["train_runtime"] / n_steps
    return 1.0 / rate if rate >= _LEAST_RATE else math.nan


def _known(facts: Facts) -> Facts:
    return {name: value for name, value in facts.items() if isinstance(value, str) or value > 0}


FORMAT = LogFormat(
    "hf-trainer",
    "Hugging Face Trainer output",
    "Hugging Face Trainer",
    marks=("train_runtime", "'loss':"),
    begins=_begins,
    reader=_Reader,
    fits=_fits,
    documents=_read,
    quantities=OWN,
)
