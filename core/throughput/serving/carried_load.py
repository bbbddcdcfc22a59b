"""Serving arrangements held against a request rate: what each carries within the limits of time, and its latencies."""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from core.throughput.chips.fleet import Floats, Ints
from core.throughput.load.queueing import Replicas, largest_rate, times_at
from core.throughput.serving.arrangements import ServingRows
from core.throughput.serving.served import Served
from core.throughput.speeds import best_rows
from core.throughput.types import LoadCurve
from core.workload.jobs.kinds import OnlineServing, TimeLimits


@dataclass(frozen=True)
class Loads:
    """Arrangements (system, degrees) with all their batches; shape (n groups,) but for ``group_of``, (n rows,).

    ``rows`` has shape (n groups, k): their rows by rising batch, ``n_points`` of them, the last one repeated.
    ``max_requests_per_s`` is that of the whole system; ``group_of`` is -1 for rows that do not fit.
    """

    replicas: Replicas
    system: Ints
    n_replicas: Floats
    rows: Ints
    n_points: Ints
    group_of: Ints
    max_requests_per_s: Floats

    def best(self, n_systems: int) -> Ints:
        """The row of each system that carries most within the limits, -1 where none does, shape (n systems,).

        Its batch is the smallest that 99 of 100 answers find room in at that rate.
        """
        groups = best_rows(
            self.system, n_systems, np.where(self.max_requests_per_s > 0, -self.max_requests_per_s, np.inf)
        )
        carrying = (groups >= 0) & (self.max_requests_per_s[groups] > 0)
        per_replica = self.max_requests_per_s[groups] / self.n_replicas[groups]
        crowded = times_at(self.replicas.take(groups), per_replica[:, None]).crowded
        wide = (self.replicas.concurrency[groups] < crowded).sum(axis=1)
        return np.where(carrying, self.rows[groups, np.minimum(wide, self.rows.shape[1] - 1)], -1)

    def curve(self, row: int) -> LoadCurve | None:
        """The curve of a row's arrangement; None for a row that does not fit."""
        group = int(self.group_of[row])
        if group < 0:
            return None
        own, n_points = self.replicas, int(self.n_points[group])
        return LoadCurve(
            replicas=int(self.n_replicas[group]),
            concurrency=tuple(own.concurrency[group, :n_points].tolist()),
            requests_per_s=tuple(own.requests_per_s[group, :n_points].tolist()),
            tpot_s=tuple(own.tpot_s[group, :n_points].tolist()),
            first_token_s=float(own.first_token_s[group]),
            prefill_s=float(own.prefill_s[group]),
            answer_tokens=float(own.answer_tokens[group]),
            max_requests_per_s=float(self.max_requests_per_s[group]),
            queue_s=float(own.queued_s[group]),
            stall_s=float(own.stalled_s[group]),
        )


def loads_of(
    job: OnlineServing,
    rows: ServingRows,
    served: Served,
    fits: NDArray[np.bool_],
    speed_factors: Floats,
    route_ms: Floats | None = None,
) -> Loads:
    """All arrangements of rows that fit; ``speed_factors``, shape (n systems,), are measured over predicted speed.

    ``route_ms``, of the same shape, is the part of the first token's limit that is spent on the way to users.
    """
    kept = np.flatnonzero(fits)
    starts, group = _groups(rows, kept)
    n_points = np.diff(starts, append=len(group))
    table = _padded(kept, starts, n_points)
    first = table[:, 0]
    answering = rows.answering[first]
    per_replica = served.tokens_per_s / (job.output_tokens * rows.answering)
    replicas = Replicas(
        concurrency=rows.batch[table],
        requests_per_s=np.maximum.accumulate(per_replica[table], axis=1),
        tpot_s=np.maximum.accumulate(served.tpot_s[table], axis=1),
        first_token_s=served.ttft_p50_s[first],
        prefill_s=served.prefill_s[first],
        answer_tokens=np.full(len(first), float(job.output_tokens)),
        queue_s=served.queue_s[first],
        stall_s=served.stall_s[first],
    ).slowed(1.0 / speed_factors[rows.system[first]])
    group_of = np.full(rows.n_rows, -1, dtype=np.intp)
    group_of[kept] = group
    on_the_way_s = np.zeros((len(first), 1)) if route_ms is None else route_ms[rows.system[first], None] / 1e3
    first_s, token_s, answer_s = _limits_s(job.time_limits)
    most = answering * largest_rate(
        replicas, first_s - on_the_way_s, token_s, job.latency_percentile, answer_s - on_the_way_s
    )
    return Loads(replicas, rows.system[first], answering, table, n_points, group_of, most)


def _groups(rows: ServingRows, kept: Ints) -> tuple[Ints, Ints]:
    """Where each arrangement begins among the rows that fit, and the arrangement of each of them."""
    degrees = [field.name for field in fields(rows) if field.name != "batch"]
    keys = np.column_stack([getattr(rows, name)[kept] for name in degrees])
    is_new = np.ones(len(kept), dtype=np.bool_)
    is_new[1:] = (keys[1:] != keys[:-1]).any(axis=1)
    return np.flatnonzero(is_new), np.asarray(np.cumsum(is_new) - 1, dtype=np.intp)


def _padded(kept: Ints, starts: Ints, lengths: Ints) -> Ints:
    """Rows by arrangement, shape (n groups, k), k at least 2: the last row of an arrangement repeated."""
    width = max(int(lengths.max(initial=0)), 2)
    within = np.minimum(np.arange(width), lengths[:, None] - 1)
    return np.asarray(kept[starts[:, None] + within], dtype=np.intp)


def _limits_s(limits: TimeLimits) -> tuple[float, float, float]:
    """First token, each next one, a whole answer."""
    first, token, answer = (
        np.inf if limit_ms is None else limit_ms / 1e3
        for limit_ms in (limits.first_ms, limits.next_ms, limits.whole_ms)
    )
    return first, token, answer
