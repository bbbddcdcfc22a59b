"""Measured rows of served decoders: judged as a study, and scored one by one for ``validate``."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from core.calibration.measured.serving import PREFILL, ServingCase
from core.calibration.scored import ScoredRow, source_of
from core.calibration.studies.serving_fit import Values, fit_serving, weights_of
from core.calibration.studies.serving_metrics import arranged, predicted_metrics
from core.calibration.studies.serving_table import ServingTable, serving_table
from core.calibration.studies.study import Kept, StudyRow
from core.ranges import Range
from core.throughput.model_shape import Floats
from core.throughput.parameters import Parameter, Parameters, shipped_parameters
from core.throughput.transformer_work import kv_cache_bytes
from core.throughput.uncertainty import KINDS, SpreadKey, is_calibrated, ranged

PRE_FIT_ITERATIONS = 3
UNMEASURED_BATCH = 64.0
"""Sequences that the plain rule assumes where a row states none."""
_NOT_COVERED = "ttft_ms"


@dataclass(frozen=True)
class ServingStudy:
    """Rows of served decoders, each with one value or more."""

    cases: tuple[ServingCase, ...]
    values: Values
    table: ServingTable
    name: str = "serving"

    @cached_property
    def rows(self) -> tuple[StudyRow, ...]:
        """Measured values in order."""
        every = zip(self.values.row, self.values.metric, self.values.value, strict=True)
        return tuple(_study_row(self.cases[row], str(metric), float(value)) for row, metric, value in every)

    def fit(self, keep: Kept) -> Parameters:
        """Coefficients fitted on the kept values from their priors, arrangements searched once in between."""
        values, start = self.values.take(keep), at_priors(shipped_parameters("serving"))
        early = fit_serving(arranged(self.table, start), values, start, PRE_FIT_ITERATIONS)
        return fit_serving(arranged(self.table, early), values, early)

    def predict(self, parameters: Parameters) -> Floats:
        """Likely value of every row in its metric's unit."""
        return self.values.of(predicted_metrics(arranged(self.table, parameters), parameters))

    def baseline(self, keep: Kept) -> Floats:
        """Bytes over bandwidth, ``(active weights + cache) / (n W)`` a step, with one factor a chip and metric."""
        plain = self.values.of(_plain_metrics(self.table))
        ratios = self.values.value / plain
        keys = [(row.hardware, row.metric) for row in self.rows]
        found: dict[tuple[str, str] | str, list[float]] = defaultdict(list)
        for key, ratio, kept in zip(keys, ratios, keep, strict=True):
            if kept:
                found[key].append(float(ratio))
                found[key[1]].append(float(ratio))
        factors = [float(np.median(found.get(key) or found.get(key[1]) or [np.nan])) for key in keys]
        return np.where(self.values.metric == _NOT_COVERED, np.nan, plain * np.array(factors))


def at_priors(parameters: Parameters) -> Parameters:
    """The table with every fitted coefficient at its prior."""

    def reset(row: Parameter) -> Parameter:
        return replace(row, value=row.prior) if row.fitted else row

    return Parameters(tuple(reset(row) for row in parameters.rows))


def serving_study(cases: Sequence[ServingCase], metrics: Sequence[str]) -> ServingStudy:
    """The study of the cases over those of the metrics that each row holds."""
    found = [
        (number, metric, value)
        for number, case in enumerate(cases)
        for metric, value in case.row.measured(tuple(metrics)).items()
    ]
    rows, names = [entry[0] for entry in found], [entry[1] for entry in found]
    publishers = [source_of(cases[row].row).split(":")[0] for row in rows]
    values = Values(
        row=np.array(rows, dtype=np.intp),
        metric=np.array(names),
        value=np.array([entry[2] for entry in found]),
        weight=weights_of(rows, names, publishers),
    )
    return ServingStudy(tuple(cases), values, serving_table(cases))


def _study_row(case: ServingCase, metric: str, value: float) -> StudyRow:
    concurrency, is_known = concurrency_a_replica(case), bool(case.row.text("engine"))
    return StudyRow.of(case.row, case.system, family_of(case), metric, value, concurrency, is_known)


def family_of(case: ServingCase) -> str:
    """Line of the accuracy page: ``dense``, ``moe`` or ``tpu``."""
    if case.system.accelerator.kind == "tpu":
        return "tpu"
    return "moe" if case.model.is_moe else "dense"


def concurrency_a_replica(case: ServingCase) -> float:
    """Requests at once on a replica, 0 where the row does not state them."""
    if case.load == PREFILL:
        return 1.0
    group = max(case.tp, case.ep, 1) * case.pp
    replicas = case.decode_workers or max(case.n_chips // group, 1) if case.tp else 1
    return case.concurrency / replicas


def _plain_metrics(table: ServingTable) -> dict[str, Floats]:
    """What bytes over bandwidth alone say of every metric."""
    batch = np.where(table.concurrency > 0, table.concurrency, UNMEASURED_BATCH)
    cache = batch * kv_cache_bytes(table.shape, table.requests.decode_context, table.requests.kv_bytes)
    weights = table.requests.weight_bytes * table.shape.n_active_params
    step_s = (weights + cache) / (table.chips.fleet.n_chips * table.chips.data_sheet_bytes_per_s)
    output = batch / step_s
    return {
        "tpot_ms": 1e3 * step_s,
        "ttft_ms": 1e3 * step_s,
        "output_tokens_per_s_total": output,
        "total_tokens_per_s": output * (1.0 + table.requests.input_tokens / table.requests.output_tokens),
        "samples_per_s": np.where(table.loading.gives_tokens, output, output / table.requests.output_tokens),
    }


def plain_values(cases: Sequence[ServingCase]) -> dict[tuple[str, str], float]:
    """What bytes over bandwidth alone say, by row id and metric."""
    if not cases:
        return {}
    plain = _plain_metrics(serving_table(cases))
    ids = [case.row.text("id") for case in cases]
    return {(name, metric): float(v) for metric, vs in plain.items() for name, v in zip(ids, vs, strict=True)}


def scored_serving(cases: Sequence[ServingCase], metrics: tuple[str, ...]) -> dict[str, list[ScoredRow]]:
    """Entries of every case by row id, with the shipped coefficients."""
    if not cases:
        return {}
    known = shipped_parameters("serving")
    found = predicted_metrics(arranged(serving_table(cases), known), known)
    return {
        case.row.text("id"): [
            _scored(case, metric, value, float(found[metric][number]))
            for metric, value in case.row.measured(metrics).items()
        ]
        for number, case in enumerate(cases)
    }


def _scored(case: ServingCase, metric: str, measured: float, likely: float) -> ScoredRow:
    return ScoredRow.of(case.row, metric, measured, range_of(case, metric, likely), 100.0 * (likely / measured - 1.0))


def range_of(case: ServingCase, metric: str, likely: float) -> Range:
    """The value with its 80 % range."""
    key = SpreadKey(
        kind=KINDS[metric],
        family=family_of(case),
        is_chip_known=is_calibrated("serving", case.system.accelerator.id),
        is_stack_known=bool(case.row.text("engine")),
        n_chips=case.system.n_chips,
        concurrency=concurrency_a_replica(case),
    )
    return ranged(likely, key)
