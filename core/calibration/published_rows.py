"""Published rows that ship with the program: what was measured on a chip, beside what the engine says of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from core import paths
from core.calibration.measured.case import any_case_of
from core.calibration.measured.samples import is_sample_row
from core.calibration.measured.table import MeasuredRow
from core.calibration.scored_rows import ScoredRow
from core.calibration.studies.shipped_studies import shipped_table
from core.calibration.validate import ErrorSummary, scored_rows, summarise
from core.catalogue.catalogue import Catalogue

LEFT_OUT = "left_out.csv"


@dataclass(frozen=True, slots=True)
class PublishedEntry:
    """A measured value with its prediction and what it was measured on."""

    scored: ScoredRow
    model: str
    n_chips: int
    software: str
    precision: str
    date: str


@dataclass(frozen=True, slots=True)
class PublishedMetric:
    """All values of one metric on one chip. ``skipped`` counts those without prediction by reason."""

    metric: str
    entries: tuple[PublishedEntry, ...]
    summary: ErrorSummary
    skipped: dict[str, int]

    @property
    def band(self) -> tuple[float, float]:
        """Middle low and high end of the stated 80 % ranges over the likely value."""
        ends = [(e.scored.low, e.scored.predicted, e.scored.high) for e in self.entries]
        low = [a / b for a, b, _ in ends if a and b]
        high = [c / b for _, b, c in ends if b and c]
        return (float(np.median(low)), float(np.median(high))) if low and high else (1.0, 1.0)


@dataclass(frozen=True, slots=True)
class Published:
    """What is published of one chip for ``training`` or ``inference``, most frequent metric first."""

    accelerator_id: str
    work: str
    metrics: tuple[PublishedMetric, ...]


@cache
def n_published(work: str, in_samples: bool) -> Counter[str]:
    """Rows of each chip behind a piece of the engine: language models, or networks that answer in samples."""
    rows = shipped_table(work).rows
    return Counter(row.text("hardware") for row in rows if is_sample_row(row, row.work) == in_samples)


def n_set_aside(work: str) -> int:
    """Published rows of all chips that were set aside before the fit, each with its reason in ``left_out.csv``."""
    text = (paths.resources() / "measurements" / LEFT_OUT).read_text("utf-8")
    return sum(line.split(",")[1:2] == [work] for line in text.splitlines())


def published(accelerator_id: str, work: str, catalogue: Catalogue) -> Published:
    """Predicts every shipped row of a chip in a table with the shipped coefficients."""
    rows = tuple(row for row in shipped_table(work).rows if row.text("hardware") == accelerator_id)
    scored = scored_rows([any_case_of(row, row.work, catalogue) for row in rows])
    by_id = {row.text("id"): row for row in rows}
    named = [(_name(by_id[entry.id], entry.metric), entry) for entry in scored]
    names = [name for name, _ in Counter(name for name, _ in named).most_common()]
    metrics = (_metric(name, [entry for its, entry in named if its == name], by_id) for name in names)
    return Published(accelerator_id, work, tuple(metrics))


def _name(row: MeasuredRow, metric: str) -> str:
    """The metric, beside its work where that is neither training nor serving: steps there are others."""
    return metric if row.work in ("training", "inference") else f"{row.work}:{metric}"


def _metric(name: str, scored: Sequence[ScoredRow], by_id: dict[str, MeasuredRow]) -> PublishedMetric:
    known = [entry for entry in scored if entry.skipped is None]
    entries = tuple(_entry(entry, by_id[entry.id]) for entry in known)
    skipped = Counter(entry.skipped for entry in scored if entry.skipped is not None)
    return PublishedMetric(name, entries, summarise(known), dict(skipped.most_common()))


def _entry(scored: ScoredRow, row: MeasuredRow) -> PublishedEntry:
    software = row.text("framework") or row.text("engine")
    precision = row.text("precision") or row.text("weight_precision")
    return PublishedEntry(scored, row.text("model"), row.count("n_chips") or 1, software, precision, row.text("date"))
