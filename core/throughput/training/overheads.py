"""Starts, saved states and restarts of a training run: what each takes on each system, and how often one is needed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.constants import BYTES_PER_WIDE_VALUE, SAVED_STATE_BYTES_PER_PARAM, SECONDS_PER_HOUR
from core.rows import Rows
from core.throughput.chips.fleet import Floats
from core.throughput.input_pipeline import read_bytes_per_s, shared_bytes_per_s, storage_bytes_per_s
from core.throughput.model_shape import shape_of
from core.throughput.parameters import Parameters, shipped_parameters
from core.throughput.transformer_work import trained_params
from core.throughput.types import System
from core.workload.jobs.kinds import TrainingJob
from core.workload.models.network import NetworkModel
from core.workload.models.transformer import TransformerModel
from core.workload.profile import Stack

SPREAD = np.array([0.5, 1.0, 2.0])
"""Low, likely and high over the likely seconds of all that storage and compilers do (our estimate)."""


@dataclass(frozen=True)
class RunOverheads(Rows):
    """Seconds, shape (n, 3): low, likely, high; failures an hour likewise.

    ``start_s`` passes before the first step of a run; ``save_s`` the chips stand still for each saved state;
    ``resume_s`` from a replaced host to training again; ``write_s``, likely, shape (n,): until a state is stored.
    """

    start_s: Floats
    save_s: Floats
    resume_s: Floats
    failures_per_h: Floats
    write_s: Floats


def state_bytes(model: TransformerModel | NetworkModel, job: TrainingJob) -> float:
    """Bytes of one saved state: what is trained with its optimiser; tables keep one value beside each row."""
    if isinstance(model, NetworkModel):
        return 1e6 * (SAVED_STATE_BYTES_PER_PARAM * model.params_millions + BYTES_PER_WIDE_VALUE * model.table_millions)
    return SAVED_STATE_BYTES_PER_PARAM * float(trained_params(shape_of(model), job))


def run_overheads_of(
    model: TransformerModel | NetworkModel, job: TrainingJob, stack: Stack, systems: Sequence[System]
) -> RunOverheads:
    """Overheads of a run on each of the systems.

    Every host writes and reads its part: ``write = S / (hosts W)``, no faster than a rate entered for the storage.
    Blocking saves stand still for the whole of it. In the background they stand still while chips copy their part to
    host memory, and for what the last write still lacks when the next one is due. Both as long as logs measured it.
    """
    table, size = shipped_parameters("host"), state_bytes(model, job)
    n_hosts = np.array([system.n_hosts for system in systems], dtype=np.float64)
    writing, reading = _rates(job, systems, n_hosts)
    compile_s = np.array([_compile_s(system, stack, table) for system in systems])
    write_s, read_s = size / writing, size / reading
    measured = np.array([system.measured.save for system in systems], dtype=np.float64)
    save_s = _save_s(job, table, write_s, _copy_s(systems, size, table)) * measured
    n_chips = np.array([system.n_chips for system in systems], dtype=np.float64)
    failures = np.array(_span(table, "failures_per_chip_hour"))
    return RunOverheads(
        start_s=_spans(compile_s + table["warm_up_s"]),
        save_s=_spans(save_s),
        resume_s=_spans(read_s + compile_s * table["compile_cached_share"] + table["warm_up_s"]),
        failures_per_h=n_chips[:, None] * failures,
        write_s=write_s,
    )


def done_again(job: TrainingJob) -> Floats:
    """Low, likely and high share of the work done besides every step once, shape (3,).

    Steps repeated after a spike of the loss or a state that could not be read, evaluation, and runs begun anew: none of
    them in short runs of little data, which are watched to their end.
    """
    spans = np.array(_span(shipped_parameters("host"), "work_again_share"))
    return spans if job.adapter_rank is None else np.zeros(3)


def _rates(job: TrainingJob, systems: Sequence[System], n_hosts: Floats) -> tuple[Floats, Floats]:
    """Byte/s that all hosts together write and read."""
    write = n_hosts * np.array([storage_bytes_per_s(system, job.storage, "write") for system in systems])
    read = n_hosts * np.array([read_bytes_per_s(system, job) for system in systems])
    return np.minimum(write, shared_bytes_per_s(job)), np.minimum(read, shared_bytes_per_s(job))


def _copy_s(systems: Sequence[System], size: float, table: Parameters) -> Floats:
    """Each chip's part of the state over PCIe into host memory."""
    rate = np.array([system.n_chips * system.accelerator.pcie_gbps * 1e9 for system in systems], dtype=np.float64)
    return np.asarray(size / (rate * table["snapshot_copy_share"]))


def _save_s(job: TrainingJob, table: Parameters, write_s: Floats, copy_s: Floats) -> Floats:
    if job.checkpoint_mode == "blocking":
        return np.asarray(table["snapshot_barrier_s"] + write_s)
    between_s = job.checkpoint_interval_h * SECONDS_PER_HOUR if job.checkpoint_interval_h else np.inf
    return np.asarray(table["snapshot_barrier_s"] + copy_s + np.maximum(write_s - between_s, 0.0))


def _compile_s(system: System, stack: Stack, table: Parameters) -> float:
    """XLA on TPUs and under JAX and TensorFlow, torch.compile where the stack says so, else nothing."""
    if system.accelerator.kind == "tpu" or stack.framework != "pytorch":
        return table["compile_xla_s"]
    return table["compile_torch_s"] if stack.training_stack == "fsdp_compiled" else 0.0


def _spans(likely: Floats) -> Floats:
    return np.asarray(likely[:, None] * SPREAD)


def _span(table: Parameters, name: str) -> tuple[float, float, float]:
    row = next(row for row in table.rows if row.name == name)
    return row.low, row.value, row.high
