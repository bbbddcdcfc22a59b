"""Measured rows of served decoders: fitted and judged as a study, and scored one by one for ``validate``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from core.calibration.measured.serving import BURST, PREFILL, ServingCase, without_technique
from core.calibration.measured.table import INFERENCE_METRICS, RATIO, MeasuredRow
from core.calibration.scored_rows import ScoredRow, source_of
from core.calibration.studies.least_squares import fit_values
from core.calibration.studies.serving_metrics import arranged, predicted_metrics
from core.calibration.studies.serving_table import ServingTable, serving_table
from core.calibration.studies.study import UNOFFICIAL, RowMask, StudyRow, at_priors, median_ratios
from core.catalogue.chip_families import chip_families
from core.ranges import Range
from core.rows import Rows
from core.throughput.chips.fleet import Floats, Ints
from core.throughput.parameters import Parameters, shipped_parameters
from core.throughput.serving.rates import ENGINES, RateKeys
from core.throughput.transformer_work import kv_cache_bytes
from core.throughput.uncertainty import KINDS, LOW_LOAD, SpreadKey, is_calibrated, ranged

PRE_FIT_ITERATIONS = 3
UNMEASURED_BATCH = 64.0
"""Sequences that the plain rule assumes where a row states none."""
NOT_COVERED = "ttft_ms"
"""Metric that the plain rule says nothing of."""
NOISE = 0.15
"""Logarithmic scatter of one row that no coefficient can explain."""
EVIDENCE = 0.25
"""Independent evidence of a row: settings of one sweep share their errors."""
METRIC_WEIGHT = {"ttft_ms": 0.15}
"""First tokens are mostly queueing: they weigh less."""
LOW_LOAD_WEIGHT = 4.0
"""How much more a first token weighs where it hardly queues."""
BURST_TIME_WEIGHT, BURST_RATE_WEIGHT = 0.05, 0.3
"""Of requests sent all at once: mean times are queueing and hang on the shortest answers, rates on the longest."""
FEW_REQUESTS, FEW_REQUESTS_WEIGHT = 10.0, 0.1
"""Requests of a page's check of one configuration as it comes, and what its time per token weighs."""


@dataclass(frozen=True)
class MeasuredValues(Rows):
    """Measured values, shape (n values,): the row of the table, the metric and the value of each."""

    row: Ints
    metric: NDArray[np.str_]
    value: Floats
    weight: Floats
    base: Ints | None = None

    @property
    def bases(self) -> Ints:
        """The row that each value is a ratio over; its own for a value that is none."""
        return self.row if self.base is None else self.base

    def of(self, predictions: dict[str, Floats]) -> Floats:
        """The prediction of each value, shape (n values,); a ratio is over the row of its ``base``."""
        likely = np.empty(len(self.row))
        for name in np.unique(self.metric):
            of_metric = self.metric == name
            likely[of_metric] = _predicted(predictions, str(name), self.row[of_metric], self.bases[of_metric])
        return likely


def _predicted(predictions: dict[str, Floats], metric: str, rows: Ints, bases: Ints) -> Floats:
    """A metric of some rows; a ratio is output with a technique over that of the row without it."""
    if metric in predictions:
        return predictions[metric][rows]
    output = predictions["output_tokens_per_s_total"]
    return np.asarray(output[rows] / output[bases])


@dataclass(frozen=True)
class ServingStudy:
    """Rows of served decoders, each with one value or more."""

    cases: tuple[ServingCase, ...]
    values: MeasuredValues
    table: ServingTable
    name: str = "serving"

    @cached_property
    def rows(self) -> tuple[StudyRow, ...]:
        """Measured values in order."""
        every = zip(self.values.row, self.values.metric, self.values.value, strict=True)
        return tuple(_study_row(self.cases[row], str(metric), float(value)) for row, metric, value in every)

    def fit(self, fit_rows: RowMask) -> Parameters:
        """Coefficients fitted on ``fit_rows`` from their priors, arrangements searched once in between."""
        values, start = self.values.take(fit_rows), at_priors(shipped_parameters("serving"))
        early = fit_serving(arranged(self.table, start), values, start, PRE_FIT_ITERATIONS)
        return fit_serving(arranged(self.table, early), values, early)

    def predict(self, parameters: Parameters) -> Floats:
        """Likely value of every row in its metric's unit."""
        return self.values.of(predicted_metrics(arranged(self.table, parameters), parameters))

    def baseline(self, fit_rows: RowMask) -> Floats:
        """Bytes over bandwidth, ``(active weights + cache) / (n W)`` a step, with one factor a chip and metric."""
        plain = self.values.of(_plain_metrics(self.table))
        chips = [(row.hardware, row.metric) for row in self.rows]
        factors = median_ratios(chips, [row.metric for row in self.rows], self.values.value / plain, fit_rows)
        return np.where(self.values.metric == NOT_COVERED, np.nan, plain * factors)


RATES = ("output_tokens_per_s_total", "total_tokens_per_s", "samples_per_s")
"""One measurement in three units."""


def _measured_once(row: MeasuredRow, metrics: Sequence[str]) -> dict[str, float]:
    """Measured values of a row, of its rates the first."""
    values = row.measured(tuple(metrics))
    first = next((name for name in RATES if name in values), "")
    return {name: value for name, value in values.items() if name == first or name not in RATES}


def serving_study(cases: Sequence[ServingCase], metrics: Sequence[str]) -> ServingStudy:
    """The study of the cases over those of the metrics that each row holds."""
    measured = [
        (number, metric, value)
        for number, case in enumerate(cases)
        for metric, value in _measured_once(case.row, metrics).items()
    ]
    rows, names = [entry[0] for entry in measured], [entry[1] for entry in measured]
    publishers = [source_of(cases[row].row).split(":")[0] for row in rows]
    values = MeasuredValues(
        row=np.array(rows, dtype=np.intp),
        metric=np.array(names),
        value=np.array([entry[2] for entry in measured]),
        weight=weights_of(rows, names, publishers) * _trust([cases[row] for row in rows], names),
        base=_bases(len(cases), rows, names),
    )
    plain = [without_technique(cases[row]) for row, name in zip(rows, names, strict=True) if name == RATIO]
    return ServingStudy(tuple(cases), values, serving_table([*cases, *plain]))


def _trust(cases: Sequence[ServingCase], metrics: Sequence[str]) -> Floats:
    """Factor of each value's weight: more for first tokens that meet no queue, less where little stands behind it."""
    pairs = zip(cases, metrics, strict=True)
    return np.array([_trust_of(case, metric) for case, metric in pairs])


def _trust_of(case: ServingCase, metric: str) -> float:
    is_time = metric in ("ttft_ms", "tpot_ms")
    if case.load == BURST:
        return BURST_TIME_WEIGHT if is_time else BURST_RATE_WEIGHT
    few = 0 < (case.row.number("num_prompts") or 0.0) <= FEW_REQUESTS
    low = metric == "ttft_ms" and 0 < concurrency_a_replica(case) <= LOW_LOAD
    return (LOW_LOAD_WEIGHT if low else 1.0) * (FEW_REQUESTS_WEIGHT if few and metric == "tpot_ms" else 1.0)


def _bases(n_cases: int, rows: Sequence[int], metrics: Sequence[str]) -> Ints:
    """The row that each value is a ratio over, behind the cases in order; its own for a value that is no ratio."""
    is_ratio = np.array([name == RATIO for name in metrics], dtype=np.bool_)
    behind = n_cases + np.cumsum(is_ratio) - 1
    return np.where(is_ratio, behind, np.array(rows, dtype=np.intp)).astype(np.intp)


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
        RATIO: table.requests.drafting.emitted,
    }


def weights_of(rows: Sequence[int], metrics: Sequence[str], publishers: Sequence[str]) -> Floats:
    """Weights of values, mean :data:`EVIDENCE`: those of one row share one, and a publisher of n weighs as sqrt(n)."""
    kinds = [name if name in ("ttft_ms", "tpot_ms") else "rate" for name in metrics]
    in_row, of_publisher = Counter(zip(rows, kinds, strict=True)), Counter(zip(publishers, kinds, strict=True))
    raw = [
        METRIC_WEIGHT.get(metric, 1.0)
        * (0.4 if publisher in UNOFFICIAL else 1.0)
        / (in_row[row, kind] * of_publisher[publisher, kind] ** 0.5)
        for row, kind, metric, publisher in zip(rows, kinds, metrics, publishers, strict=True)
    ]
    return np.asarray(np.array(raw) * EVIDENCE * len(raw) / max(sum(raw), 1e-12))


def fit_serving(table: ServingTable, values: MeasuredValues, start: Parameters, iterations: int = 8) -> Parameters:
    """Coefficients fitted from ``start`` to the values; arrangements stay as they are in the table."""
    rows, local = np.unique(np.concatenate((values.row, values.bases)), return_inverse=True)
    own, base = np.split(local, 2)
    part, near = table.take(rows), MeasuredValues(own, values.metric, values.value, values.weight, base)
    logs = np.log(near.value)

    def residuals(at: Floats) -> Floats:
        return np.asarray(np.log(near.of(predicted_metrics(part, start.with_fitted(at)))) - logs)

    moved = touched_rows(start, part.keys.take(own))
    return start.with_fitted(fit_values(start.fitted, residuals, near.weight, NOISE, iterations, moved))


def touched_rows(parameters: Parameters, keys: RateKeys) -> NDArray[np.bool_]:
    """Rows that each fitted coefficient can move, shape (n rows, n fitted): of its engine, its architecture, or all."""
    return np.stack([_rows_of(row.name, keys) for row in parameters.fitted], axis=1)


def _rows_of(name: str, keys: RateKeys) -> NDArray[np.bool_]:
    for known, kinds in ((keys.engine, ENGINES), (keys.architecture, chip_families().coefficients["serving"])):
        own = next((number for number, kind in enumerate(kinds) if name.endswith(f"_{kind}")), None)
        if own is not None:
            return np.asarray(known == own)
    return np.ones(len(keys.engine), dtype=np.bool_)


def plain_values(cases: Sequence[ServingCase]) -> dict[tuple[str, str], float]:
    """What bytes over bandwidth alone say, by row id and metric."""
    if not cases:
        return {}
    plain = _plain_metrics(serving_table(cases))
    ids = [case.row.text("id") for case in cases]
    return {(name, metric): float(v) for metric, vs in plain.items() for name, v in zip(ids, vs, strict=True)}


def scored_serving(cases: Sequence[ServingCase]) -> dict[str, list[ScoredRow]]:
    """Entries of every case by row id, with the shipped coefficients."""
    if not cases:
        return {}
    study = serving_study(cases, INFERENCE_METRICS)
    likely = study.predict(shipped_parameters("serving")).tolist()
    entries: dict[str, list[ScoredRow]] = {case.row.text("id"): [] for case in cases}
    every = zip(study.values.row, study.values.metric, study.values.value, likely, strict=True)
    for row, metric, measured, value in every:
        entries[cases[row].row.text("id")].append(_scored(cases[row], str(metric), float(measured), value))
    return entries


def _scored(case: ServingCase, metric: str, measured: float, likely: float) -> ScoredRow:
    return ScoredRow.of(case.row, metric, measured, range_of(case, metric, likely))


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
