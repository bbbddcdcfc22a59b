"""Measured serving rows as arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace

import numpy as np
from numpy.typing import NDArray

from core.calibration.measured.campaigns import NAMES as SETTINGS
from core.calibration.measured.formats import as_run
from core.calibration.measured.serving import (
    BATCH,
    BURST,
    CLOSED,
    PREFILL,
    ServingCase,
    gives_tokens,
    is_campaign,
    keeps_lengths,
)
from core.constants import BYTES_PER_DENSE_WEIGHT_OF_FP4_MIXTURE
from core.rows import Rows
from core.throughput.chips.fleet import Fleet, Floats, fleet_of
from core.throughput.model_shape import ModelShape, shapes_of
from core.throughput.serving.quantities import Arrangement, Chips, Requests
from core.throughput.serving.rates import RateKeys, rate_keys
from core.throughput.serving.techniques import Drafting
from core.workload.jobs.speculation import DRAFT_KINDS

Flags = NDArray[np.bool_]
BEAMS_SHARE_SINCE = 2024.0
"""Year from which the beams of a request share its prompt's cache: public releases of TensorRT-LLM do."""
QUEUE_OF = 1024.0
"""A stated concurrency above this is a queue of requests, not a batch."""


@dataclass(frozen=True)
class Loading(Rows):
    """How each row was loaded, flags of shape (n rows,).

    ``burst``: so many requests at once; ``varied``: with the lengths of a data set. ``bare``: timed without a server in
    front. ``first_only``: measured for its first token alone. ``split``: prompts on chips of their own. ``single``: a
    stream without prompts. ``full``: a queue that never empties. ``gives_tokens``: the column of samples holds tokens.
    """

    closed: Flags
    prefill: Flags
    single: Flags
    full: Flags
    split: Flags
    mlperf: Flags
    server: Flags
    interactive: Flags
    beams: Flags
    gives_tokens: Flags
    burst: Flags
    varied: Flags
    bare: Flags
    first_only: Flags


@dataclass(frozen=True)
class ServingTable(Rows):
    """Rows as arrays, shape (n rows,). ``arrangement.batch`` is not used: memory and ``concurrency`` decide it.

    ``chunk_tokens``, ``max_sequences`` and what :mod:`core.calibration.measured.campaigns` tells are as engine and
    client were started, else 0. ``is_open`` tells rows that state no tensor degree, whose ``arrangement`` is searched;
    ``n_chips`` are those that decode, ``workers`` the replicas stated of split rows, else 0; ``prefill_arrangement``
    and ``prefill_workers`` are of the chips that only prefill.
    """

    shape: ModelShape
    requests: Requests
    is_cache_stated: Flags
    arrangement: Arrangement
    chips: Chips
    keys: RateKeys
    loading: Loading
    concurrency: Floats
    n_chips: Floats
    workers: Floats
    is_open: Flags
    prefill_arrangement: Arrangement
    prefill_workers: Floats
    chunk_tokens: Floats
    max_sequences: Floats
    waves: Floats
    gathered_steps: Floats
    polled_steps: Floats

    @property
    def replicas(self) -> Floats:
        """Replicas side by side."""
        even = self.n_chips / (self.arrangement.stage_chips * self.arrangement.pp)
        return np.maximum(np.where(self.workers > 0, self.workers, even), 1.0)

    def with_arrangement(self, arrangement: Arrangement) -> ServingTable:
        """The same rows, arranged otherwise."""
        return replace(self, arrangement=arrangement)


def serving_table(cases: Sequence[ServingCase]) -> ServingTable:
    """Arrays of the cases; rows that state no tensor degree stand on one rank until their arrangement is searched."""
    column = {name: np.array([float(getattr(case, name)) for case in cases]) for name in _NUMBERS}
    column |= {name: np.array([getattr(case.settings, name) for case in cases]) for name in SETTINGS}
    one, tp = np.ones(len(cases)), np.maximum(column["tp"], 1.0)
    is_moe = np.array([case.model.is_moe for case in cases], dtype=np.bool_)
    unsaid = np.where(is_moe & (column["ep"] > tp), column["ep"] / tp, 1.0)
    groups = np.where(column["groups"] > 0, column["groups"], unsaid)
    bandwidths = np.array([case.system.accelerator.memory_bandwidth_gbps * 1e9 for case in cases])
    return ServingTable(
        shape=shapes_of([case.model for case in cases]),
        requests=_requests(cases, column, is_moe),
        is_cache_stated=column["kv_bytes"] > 0,
        arrangement=Arrangement(tp, column["pp"], groups, column["ep"], one),
        chips=Chips(_fleet(cases), bandwidths),
        keys=_keys(cases),
        loading=_loading(cases),
        concurrency=column["concurrency"],
        n_chips=column["n_chips"],
        workers=column["decode_workers"],
        is_open=column["tp"] == 0,
        prefill_arrangement=Arrangement(np.maximum(column["prefill_chips"], 1.0), one, one, one, one),
        prefill_workers=np.maximum(column["prefill_workers"], 1.0),
        chunk_tokens=column["chunk_tokens"],
        max_sequences=column["max_sequences"],
        waves=column["waves"],
        gathered_steps=column["gathered_steps"],
        polled_steps=column["polled_steps"],
    )


_NUMBERS = (
    "weight_bytes", "kv_bytes", "input_tokens", "output_tokens", "n_chips", "tp", "pp", "ep", "concurrency",
    "prefill_workers", "prefill_chips", "decode_workers", "beams", "groups", "hit_share", "chunk_tokens",
    "max_sequences", "year",
)  # fmt: skip


def _requests(cases: Sequence[ServingCase], column: dict[str, Floats], is_moe: Flags) -> Requests:
    """Lengths and bytes; releases in 8 and 4 bits keep the output embedding in 16."""
    is_fp4 = np.array([case.precision == "fp4" for case in cases], dtype=np.bool_)
    width, cache = column["weight_bytes"], column["kv_bytes"]
    return Requests(
        input_tokens=column["input_tokens"],
        output_tokens=column["output_tokens"],
        weight_bytes=np.where(is_fp4 & is_moe, BYTES_PER_DENSE_WEIGHT_OF_FP4_MIXTURE, width),
        expert_bytes=width,
        head_bytes=np.where(is_fp4 | (width == 1.0), 2.0, width),
        kv_bytes=np.where(cache > 0, cache, 2.0),
        beams=column["beams"],
        drafting=_drafting(cases),
        hit_share=column["hit_share"],
        prompt_share=np.where(column["year"] >= BEAMS_SHARE_SINCE, 1.0 / column["beams"], 1.0),
    )


def _drafting(cases: Sequence[ServingCase]) -> Drafting:
    drafts = [case.draft for case in cases]
    return Drafting(
        kind=np.array([DRAFT_KINDS.index(draft.kind) for draft in drafts], dtype=np.float64),
        tokens=np.array([draft.tokens for draft in drafts]),
        emitted=np.array([draft.emitted for draft in drafts]),
        passes=np.array([draft.passes for draft in drafts]),
        params=np.array([draft.params for draft in drafts]),
    )


def _fleet(cases: Sequence[ServingCase]) -> Fleet:
    fleets = [fleet_of([case.system], case.precision, as_run) for case in cases]
    return Fleet(**{name: np.concatenate([getattr(one, name) for one in fleets]) for name in _FLEET_FIELDS})


_FLEET_FIELDS = tuple(field.name for field in fields(Fleet))


def _keys(cases: Sequence[ServingCase]) -> RateKeys:
    return rate_keys(
        [case.system.accelerator for case in cases],
        [case.engine for case in cases],
        [case.precision for case in cases],
        [case.year for case in cases],
        [is_campaign(case.row) for case in cases],
    )


def _loading(cases: Sequence[ServingCase]) -> Loading:
    flags = [
        (
            case.load == CLOSED,
            case.load == PREFILL,
            case.row.text("scenario") in ("single-stream", "decode-only"),
            case.load == BATCH and not 0 < case.concurrency <= QUEUE_OF,
            case.decode_workers > 0,
            bool(case.scenario),
            case.scenario == "server",
            case.scenario == "server-interactive",
            case.beams > 1,
            gives_tokens(case.row),
            case.load == BURST,
            case.load == BURST and keeps_lengths(case.input_tokens),
            case.row.text("scenario") in ("static", "decode-only"),
            set(case.row.measured()) == {"ttft_ms"},
        )
        for case in cases
    ]
    return Loading(*np.array(flags, dtype=np.bool_).reshape(len(cases), len(fields(Loading))).T)
