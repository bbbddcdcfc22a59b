"""Input and host: how fast storage, network, processors and PCIe bring samples to the chips of each system.

Loaders work ahead, so that reading, preparing and copying run beside the step: a step takes the longest of them, and
the chips wait for whatever is longer than their own work.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.throughput.chips.fleet import Floats
from core.throughput.parameters import Parameters, load_parameters
from core.throughput.types import System
from core.workload.jobs.kinds import TrainingJob

NARROW_VOCABULARY = 65_500
"""Prepared tokens take 2 bytes up to this many words, else 4 (the rule of Megatron-LM's indexed data set)."""


@dataclass(frozen=True, slots=True)
class InputSample:
    """One sample: bytes as stored, seconds of one virtual core to prepare it, bytes copied to a chip."""

    stored_bytes: float
    processor_s: float
    device_bytes: float


@dataclass(frozen=True)
class Hosts:
    """Feeding side of each system, shape (n systems,). Rates in byte/s: storage of one host, PCIe of one chip."""

    n_hosts: Floats
    vcpus: Floats
    storage_bytes_per_s: Floats
    pcie_bytes_per_s: Floats


@dataclass(frozen=True)
class InputPipeline:
    """Seconds that each part of the feed takes for one step, shape (n,)."""

    storage_s: Floats
    processor_s: Floats
    copy_s: Floats

    @property
    def host_s(self) -> Floats:
        """The slower of preparing and copying."""
        return np.maximum(self.processor_s, self.copy_s)

    @property
    def total_s(self) -> Floats:
        """The slowest part, which sets the pace of the feed."""
        return np.maximum(self.storage_s, self.host_s)

    def waits_s(self, step_s: Floats) -> tuple[Floats, Floats]:
        """What the chips wait beyond a step of ``step_s``: for storage (input) and for the host, one of them 0."""
        wait = np.maximum(self.total_s - step_s, 0.0)
        on_storage = self.storage_s >= self.host_s
        return np.where(on_storage, wait, 0.0), np.where(on_storage, 0.0, wait)


def input_sample_of(job: TrainingJob, vocab_size: float) -> InputSample:
    """A sequence of a job: what was entered, else what is usual for its kind of data."""
    return _entered(job, *_usual(job, vocab_size, load_parameters("host")))


def input_sample_of_network(job: TrainingJob, family: str) -> InputSample:
    """A sample of a network that is no language model: unless the job says what is read, what its family reads.

    Pictures for ``vision`` and ``diffusion``, short rows of prepared numbers for the others.
    """
    table = load_parameters("host")
    if family in ("vision", "diffusion"):
        read = job if job.data_kind in ("images", "video") else job.model_copy(update={"data_kind": "images"})
        return _entered(job, *_usual(read, 0.0, table))
    return _entered(job, table["record_kb"] * 1e3, table["record_us"] * 1e-6, table["record_kb"] * 1e3)


def _entered(job: TrainingJob, stored: float, processor_s: float, device: float) -> InputSample:
    """What was entered in place of what is usual."""
    return InputSample(
        stored if job.sample_kb is None else job.sample_kb * 1e3,
        processor_s if job.preprocess_ms_per_sample is None else job.preprocess_ms_per_sample * 1e-3,
        device,
    )


def _usual(job: TrainingJob, vocab_size: float, table: Parameters) -> tuple[float, float, float]:
    """Stored bytes, core seconds and device bytes of a sample of the job's kind of data."""
    if job.data_kind in ("images", "video"):
        name = "image" if job.data_kind == "images" else "video"
        return table[f"{name}_kb"] * 1e3, table[f"{name}_decode_ms"] * 1e-3, table[f"{name}_device_kb"] * 1e3
    length, device = job.sequence_length, table["token_device_bytes"] * job.sequence_length
    if job.data_kind == "text":
        return table["text_bytes_per_token"] * length, table["tokenise_us_per_token"] * 1e-6 * length, device
    return (2.0 if vocab_size < NARROW_VOCABULARY else 4.0) * length, 0.0, device


def hosts_of(systems: Sequence[System], job: TrainingJob) -> Hosts:
    """The feeding side of the systems; a server whose virtual cores are not published has the usual number."""
    table = load_parameters("host")
    rows = [
        (
            system.n_hosts,
            _vcpus(system, table) * table["vcpu_share_for_input"],
            read_bytes_per_s(system, job),
            system.accelerator.pcie_gbps * 1e9 * table["pcie_copy_share"],
        )
        for system in systems
    ]
    return Hosts(*np.array(rows, dtype=np.float64).reshape(-1, 4).T)


def shared_bytes_per_s(job: TrainingJob) -> float:
    """What all hosts together get: as entered, else what the largest known file system gives; else no limit."""
    if job.storage_gb_per_s:
        return job.storage_gb_per_s * 1e9
    return load_parameters("host")["filesystem_total_gb_per_s"] * 1e9 if job.storage == "filesystem" else np.inf


def read_bytes_per_s(system: System, job: TrainingJob) -> float:
    """What one host can read a second; where the storage's own rate is entered, its network card alone limits it."""
    if not job.storage_gb_per_s:
        return storage_bytes_per_s(system, job.storage, "read")
    from_network = job.storage != "local" and system.network_gbit_per_s > 0
    return system.network_gbit_per_s / 8 * 1e9 if from_network else np.inf


def storage_bytes_per_s(system: System, storage: str, direction: str) -> float:
    """What one host usually reads or writes (``direction``) a second: by the kind of storage, or its network share."""
    table = load_parameters("host")
    rate = table[f"{storage}_{direction}_gb_per_s_per_host"] * 1e9
    if storage == "local" or not system.network_gbit_per_s:
        return rate
    return min(rate, system.network_gbit_per_s / 8 * 1e9 * table["network_share_for_storage"])


def _vcpus(system: System, table: Parameters) -> float:
    host = system.host
    if host is None or not host.n_vcpu:
        return table["vcpus_per_chip"] * system.chips_per_host
    return host.n_vcpu * min(system.chips_per_host / host.n_chips, 1.0)


def input_pipeline_of(job: TrainingJob, sample: InputSample, hosts: Hosts, data_ranks: Floats) -> InputPipeline:
    """Seconds of each part for one global batch, shape (n,): storage, processors, copies.

    Hosts of one model copy read the same samples, so that ``min(hosts, data ranks)`` of them share the batch;
    a rate entered for the storage is shared by all. ``storage = max(B s / (readers W), B s / W_all)``,
    ``processors = B c / (readers cores)``, ``copy = B / ranks x bytes / PCIe``.
    """
    batch = float(job.global_batch_sequences)
    readers = np.minimum(hosts.n_hosts, np.maximum(data_ranks, 1.0))
    read = batch * sample.stored_bytes
    return InputPipeline(
        storage_s=np.maximum(read / (readers * hosts.storage_bytes_per_s), read / shared_bytes_per_s(job)),
        processor_s=batch * sample.processor_s / (readers * hosts.vcpus),
        copy_s=batch / np.maximum(data_ranks, 1.0) * sample.device_bytes / hosts.pcie_bytes_per_s,
    )
