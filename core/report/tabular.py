"""Candidates as a table with one row each, units in the names of its columns."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice

from core.comparison.json_values import cents
from core.comparison.result import CandidateResult, ResultSet
from core.cost.bill.types import Cost
from core.cost.registry import part_ids
from core.lazy_sequence import LazySequence
from core.report.spreadsheet import Value, separated
from core.units import rounded

_DIGITS = 10


@dataclass(frozen=True, slots=True)
class ColumnOf:
    """A column: its header, which carries the unit, and where its value comes from.

    ``{work}`` in a header is the unit of work: tokens, or samples of networks that are no language models.
    """

    header: str
    value: Callable[[CandidateResult], Value]


def _of_run(header: str, value: Callable[[Cost], Value]) -> ColumnOf:
    """Empty where nothing runs: what is left of a bill then, hours of people, is no price of the work."""
    return ColumnOf(header, lambda r: value(r.cost) if r.throughput.runs else None)


def _part(part: str) -> ColumnOf:
    return _of_run(f"cost_{part}_usd", lambda cost: cents(cost.part(part)))


COLUMNS: tuple[ColumnOf, ...] = (
    ColumnOf("rank", lambda r: r.rank or None),
    ColumnOf("id", lambda r: r.id),
    ColumnOf("accelerator", lambda r: r.candidate.accelerator.short_name),
    ColumnOf("kind", lambda r: r.candidate.accelerator.kind),
    ColumnOf("vendor", lambda r: r.candidate.accelerator.vendor),
    ColumnOf("provider", lambda r: r.candidate.offer.provider),
    ColumnOf("region", lambda r: r.candidate.offer.region),
    ColumnOf("regions", lambda r: " ".join(r.candidate.regions or (r.candidate.offer.region,))),
    ColumnOf("purchase_model", lambda r: r.candidate.offer.purchase_model),
    ColumnOf("host", lambda r: r.candidate.offer.instance),
    ColumnOf("n_chips", lambda r: r.candidate.n_chips),
    ColumnOf("n_hosts", lambda r: r.candidate.n_hosts),
    ColumnOf("feasible", lambda r: "yes" if r.feasible else "no"),
    ColumnOf("misses", lambda r: " ".join(str(reason.text) for reason in r.reasons)),
    ColumnOf("nearest_change", lambda r: "; ".join(str(x.nearest_change) for x in r.reasons if x.nearest_change)),
    ColumnOf("{work}_per_s", lambda r: r.throughput.tokens_per_s.likely),
    ColumnOf("{work}_per_s_low", lambda r: r.throughput.tokens_per_s.low),
    ColumnOf("{work}_per_s_high", lambda r: r.throughput.tokens_per_s.high),
    ColumnOf("mfu_share", lambda r: r.throughput.mfu),
    ColumnOf("bottleneck", lambda r: r.throughput.bottleneck),
    ColumnOf("ttft_p50_ms", lambda r: r.throughput.latency.ttft_p50_ms if r.throughput.latency else None),
    ColumnOf("ttft_p99_ms", lambda r: r.throughput.latency.ttft_p99_ms if r.throughput.latency else None),
    ColumnOf("tpot_p50_ms", lambda r: r.throughput.latency.tpot_p50_ms if r.throughput.latency else None),
    ColumnOf("tpot_p99_ms", lambda r: r.throughput.latency.tpot_p99_ms if r.throughput.latency else None),
    ColumnOf("round_trip_ms_estimate", lambda r: r.round_trip_ms.likely if r.round_trip_ms else None),
    ColumnOf("run_h", lambda r: r.run_h.likely),
    ColumnOf("days_to_finish", lambda r: r.days_to_finish.likely if r.days_to_finish else None),
    ColumnOf("days_low", lambda r: r.days_to_finish.low if r.days_to_finish else None),
    ColumnOf("days_high", lambda r: r.days_to_finish.high if r.days_to_finish else None),
    _of_run("cost_usd", lambda cost: cents(cost.total.likely)),
    _of_run("cost_low_usd", lambda cost: cents(cost.total.low)),
    _of_run("cost_high_usd", lambda cost: cents(cost.total.high)),
    *(_part(part) for part in part_ids()),
    _of_run("usd_per_unit", lambda cost: cost.unit_usd),
    ColumnOf("unit", lambda r: r.cost.unit),
    _of_run("usd_per_month", lambda cost: cost.per_month_usd),
    _of_run("usd_per_year", lambda cost: cost.per_year_usd),
    _of_run("usd_per_run", lambda cost: cost.per_run_usd),
    _of_run("usd_per_epoch", lambda cost: cost.per_epoch_usd),
    _of_run("usd_per_experiment", lambda cost: cost.per_experiment_usd),
    ColumnOf("flexibility_of_100", lambda r: r.flexibility.score.likely),
    ColumnOf("flexibility_low_of_100", lambda r: r.flexibility.score.low),
    ColumnOf("flexibility_high_of_100", lambda r: r.flexibility.score.high),
    ColumnOf("exit_usd", lambda r: cents(r.flexibility.exit_usd)),
    ColumnOf("energy_kwh", lambda r: r.energy_kwh.likely),
    ColumnOf("carbon_kg", lambda r: r.carbon_kg),
    ColumnOf("evidence", lambda r: r.evidence.value),
    ColumnOf("can_be_had", lambda r: r.obtainable.status),
    ColumnOf("chance_in_limits_share", lambda r: r.chance.in_limits if r.chance else None),
    ColumnOf("chance_best_share", lambda r: r.chance.best if r.chance else None),
    ColumnOf("regret_usd", lambda r: r.chance.regret_usd if r.chance else None),
    ColumnOf("price_usd_per_chip_hour", lambda r: r.candidate.offer.usd_per_chip_hour),
    ColumnOf("price_usd_per_chip_hour_today", lambda r: r.candidate.usd_per_chip_hour),
    ColumnOf("price_as_of", lambda r: r.candidate.offer.as_of),
    ColumnOf("price_is_estimate", lambda r: "yes" if r.candidate.offer.estimate else "no"),
    ColumnOf("price_layer", lambda r: r.candidate.offer.layer),
    ColumnOf("pareto", lambda r: "yes" if r.pareto else "no"),
)


def first_candidates(results: ResultSet, top: int | None = None) -> Iterator[CandidateResult]:
    """The first candidates, or all, best first.

    They are put together for this look alone: kept, those of a plan of five workloads would take 80 MB.
    """
    every = results.results
    return islice(every.in_passing() if isinstance(every, LazySequence) else iter(every), top)


def candidate_row(result: CandidateResult) -> list[Value]:
    """Values of a candidate in the order of :data:`COLUMNS`; None where there is none."""
    return [_plain(column.value(result)) for column in COLUMNS]


def candidate_rows(results: ResultSet, top: int | None = None) -> list[list[Value]]:
    """The rows of the first candidates, or of all."""
    return list(map(candidate_row, first_candidates(results, top)))


def headers(work: str) -> list[str]:
    """Names of the columns where work is counted in such units."""
    return [column.header.format(work=work) for column in COLUMNS]


def candidate_csv(results: ResultSet, top: int | None = None) -> str:
    """The table as CSV text with a header row, safe for spreadsheets."""
    return separated([headers(results.profile.unit_word), *candidate_rows(results, top)])


def _plain(value: Value) -> Value:
    """Ten digits; amounts in whole cents keep all of theirs, so that they add up, as in the JSON."""
    if isinstance(value, float) and value == round(value, 2) and abs(value) < 1e13:
        return value
    if isinstance(value, float):
        return rounded(value, _DIGITS) if math.isfinite(value) and abs(value) < 1e15 else None
    return value
