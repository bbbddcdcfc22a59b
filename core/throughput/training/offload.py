"""Optimiser and weights of a fine-tuning run in host memory: what PCIe and processors add, and what hosts must hold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from core.amounts import MEMORY, Amount, Sentence
from core.constants import BYTES_PER_NARROW_VALUE
from core.ranges import Range
from core.throughput.model_shape import shape_of
from core.throughput.parameters import shipped_parameters
from core.throughput.refusals import nothing
from core.throughput.speeds import largest
from core.throughput.training.finetuning import facts_of_tuning
from core.throughput.training.layouts import as_rows
from core.throughput.training.memory import paged_out_bytes
from core.throughput.training.paging import copy_bytes_per_s
from core.throughput.transformer_work import trained_params
from core.throughput.types import Layout, Reason, System, Throughput
from core.units import GIB
from core.workload.jobs.kinds import FineTuning
from core.workload.models.transformer import TransformerModel

USABLE_HOST_SHARE = 0.85
"""Of a host's memory, beside the system, data loaders and pinned buffers (our estimate)."""
HOST_ADAM_BYTES = 28.0
"""Memory traffic of a trained weight in a step on processors: gradient, master, two moments read, three written."""


@dataclass(frozen=True, slots=True)
class HostShare:
    """What one chip leaves to its host: bytes that stay there, and seconds that it waits in a step."""

    held_bytes: float
    step_s: float


def with_offload(model: TransformerModel, job: FineTuning | None, answers: Sequence[Throughput]) -> list[Throughput]:
    """The answers slower by what moves to host memory for good; refused where hosts are known to hold too little.

    What pages was counted when layouts were compared; here only whether hosts hold it.
    """
    if job is None or (job.offload == "none" and not job.is_paged):
        return list(answers)
    fitting = [answer for answer in answers if answer.fits]
    shares = iter(_paged_out(model, job, fitting) if job.is_paged else _moved(model, job, fitting))
    return [_with_host(next(shares), answer) if answer.fits else answer for answer in answers]


def _moved(model: TransformerModel, job: FineTuning, answers: Sequence[Throughput]) -> list[HostShare]:
    return [host_share(model, job, answer.system, answer.layout) for answer in answers]


def _paged_out(model: TransformerModel, job: FineTuning, answers: Sequence[Throughput]) -> list[HostShare]:
    """What of the moments finds no room on its chip; its time is part of the answers."""
    rows = as_rows([answer.layout for answer in answers])
    capacity = GIB * np.array([answer.memory_capacity_gib for answer in answers], dtype=np.float64)
    held = paged_out_bytes(shape_of(model), job, rows, capacity)[1]
    return [HostShare(size, 0.0) for size in held.tolist()]


def host_share(model: TransformerModel, job: FineTuning, system: System, layout: Layout) -> HostShare:
    """Of one chip with an optimiser in host memory.

    Gradients go down and weights come back in sixteen bits, ``P (2 + 2) / PCIe``; processors update ``P`` weights at
    the host's memory rate, which its chips share. With weights in host memory each micro-batch reads the chip's shard
    twice, three times with full recompute.
    """
    shape, table = shape_of(model), shipped_parameters("finetune")
    facts = facts_of_tuning(shape, job)
    ranks = layout.tp * layout.pp * layout.dp * layout.fsdp
    trained = float(trained_params(shape, job)) / ranks
    pcie = copy_bytes_per_s(system)
    of_host = min(system.chips_per_host, system.n_chips)
    update_s = trained * of_host * HOST_ADAM_BYTES / (table["host_gb_per_s"] * 1e9)
    step_s = trained * 2.0 * BYTES_PER_NARROW_VALUE / pcie + update_s
    held = trained * float(facts.state_bytes)
    if job.offload == "all":
        frozen = float(facts.frozen_bytes) if job.has_adapters else BYTES_PER_NARROW_VALUE
        shard = model.n_params * frozen / ranks
        n_micro = -(-job.global_batch_sequences // (layout.dp * layout.fsdp * max(layout.micro_batch, 1)))
        step_s += n_micro * (3.0 if layout.recompute == "full" else 2.0) * shard / pcie
        held += shard + trained * float(facts.gradient_bytes)
    return HostShare(held, step_s)


def _with_host(share: HostShare, answer: Throughput) -> Throughput:
    system = answer.system
    needed_gib = share.held_bytes * min(system.chips_per_host, system.n_chips) / GIB
    there_gib = _host_gib(system)
    if there_gib is not None and needed_gib > there_gib:
        return nothing(system, _too_small(needed_gib, there_gib), answer.precision, answer.memory_gib)
    return _slower(answer, share.step_s) if share.step_s else answer


def _host_gib(system: System) -> float | None:
    """What a host can hold for its chips; None where its memory is not known."""
    if system.host is None or not system.host.ram_gb:
        return None
    return USABLE_HOST_SHARE * system.host.ram_gb * min(system.chips_per_host / system.host.n_chips, 1.0)


def _too_small(needed_gib: float, there_gib: float) -> Reason:
    text = Sentence("Moves {} to each host, which can hold {}", Amount(needed_gib, MEMORY), Amount(there_gib, MEMORY))
    return Reason("host memory", text, "Take hosts with more memory, more hosts, or move less")


def _slower(answer: Throughput, wait_s: float) -> Throughput:
    """The answer with a longer step, in which the host is what is waited for."""
    terms = answer.step_terms_s | {"host": answer.step_terms_s.get("host", 0.0) + wait_s}
    step_s = sum(terms.values())
    share, speed = answer.step_time_s / step_s, answer.tokens_per_s
    return replace(
        answer,
        tokens_per_s=Range(speed.low * share, speed.likely * share, speed.high * share),
        samples_per_s=answer.samples_per_s * share,
        step_terms_s=terms,
        step_time_s=step_s,
        mfu=answer.mfu * share,
        bottleneck=largest(terms),
        roofline=tuple((phase, intensity, reached * share) for phase, intensity, reached in answer.roofline),
    )
