"""Input and host: how fast storage, network, processors and PCIe bring samples to the chips of each system.

Readers work ahead, so that reading, preparing and copying run beside the step: a step takes the longest of them, and
the chips wait for whatever is longer than their own work: answers of the engine are held against the input.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from core.catalogue.entries import OWN
from core.ranges import Range
from core.throughput.chips.fleet import Floats
from core.throughput.parameters import Parameters, shipped_parameters
from core.throughput.types import System, Throughput
from core.units import plain
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
    """Feeding side of each system, shape (n systems,). Rates in byte/s: storage of one host, PCIe of one chip.

    Of a host whose virtual cores nobody tells ``vcpus`` is the cautious end; ``usual_vcpus`` is what such servers have.
    """

    n_hosts: Floats
    vcpus: Floats
    usual_vcpus: Floats
    storage_bytes_per_s: Floats
    pcie_bytes_per_s: Floats


@dataclass(frozen=True)
class InputPipeline:
    """Seconds that each part of the input takes for one step, shape (n,)."""

    storage_s: Floats
    processor_s: Floats
    copy_s: Floats

    @property
    def host_s(self) -> Floats:
        """Seconds of the slower of preparing and copying."""
        return np.maximum(self.processor_s, self.copy_s)

    @property
    def total_s(self) -> Floats:
        """Seconds of the slowest part, which sets the pace of the input."""
        return np.maximum(self.storage_s, self.host_s)

    def waits_s(self, step_s: Floats) -> tuple[Floats, Floats]:
        """Seconds that chips wait beyond a step of ``step_s``: for storage (input) and for the host, one of them 0."""
        wait = np.maximum(self.total_s - step_s, 0.0)
        on_storage = self.storage_s >= self.host_s
        return np.where(on_storage, wait, 0.0), np.where(on_storage, 0.0, wait)


def input_sample_of(job: TrainingJob, vocab_size: float) -> InputSample:
    """A sequence of a job: what was entered, else what is usual for its kind of data."""
    return _entered(job, *_usual(job, vocab_size, shipped_parameters("host")))


def input_sample_of_network(job: TrainingJob, family: str) -> InputSample:
    """A sample of a network that is no language model: unless the job says what is read, what its family reads.

    Pictures for ``vision`` and ``diffusion``, short rows of prepared numbers for the others.
    """
    table = shipped_parameters("host")
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
    """The feeding side of the systems."""
    table = shipped_parameters("host")
    rows = [
        (
            system.n_hosts,
            *(cores * table["vcpu_share_for_input"] for cores in _vcpus(system, table)),
            read_bytes_per_s(system, job),
            system.accelerator.pcie_gbps * 1e9 * table["pcie_copy_share"],
        )
        for system in systems
    ]
    return Hosts(*np.array(rows, dtype=np.float64).reshape(-1, 5).T)


def shared_bytes_per_s(job: TrainingJob) -> float:
    """Bytes/s of all hosts together: as entered, else what the largest known file system gives; else no limit."""
    if job.storage_gb_per_s:
        return job.storage_gb_per_s * 1e9
    return shipped_parameters("host")["filesystem_total_gb_per_s"] * 1e9 if job.storage == "filesystem" else np.inf


def read_bytes_per_s(system: System, job: TrainingJob) -> float:
    """Bytes/s that one host can read; where the storage's own rate is entered, its network card alone limits it."""
    if not job.storage_gb_per_s:
        return storage_bytes_per_s(system, job.storage, "read") * system.measured.storage
    from_network = job.storage != "local" and system.network_gbit_per_s > 0
    return system.network_gbit_per_s / 8 * 1e9 if from_network else np.inf


def storage_bytes_per_s(system: System, storage: str, direction: str) -> float:
    """What one host usually reads or writes (``direction``) a second: by the kind of storage, or its network share."""
    table = shipped_parameters("host")
    rate = table[f"{storage}_{direction}_gb_per_s_per_host"] * 1e9
    if storage == "local" or not system.network_gbit_per_s:
        return rate
    return min(rate, system.network_gbit_per_s / 8 * 1e9 * table["network_share_for_storage"])


def _vcpus(system: System, table: Parameters) -> tuple[float, float]:
    """Virtual cores of a host, and what is usual: few where nobody tells them, but in own servers, which are bought
    with the usual number."""
    host, usual = system.host, table["vcpus_per_chip"] * system.chips_per_host
    if host is not None and host.n_vcpu:
        known = host.n_vcpu * min(system.chips_per_host / host.n_chips, 1.0)
        return known, known
    is_own = host is not None and host.provider == OWN
    return (usual if is_own else table["least_vcpus_per_chip"] * system.chips_per_host), usual


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


def with_input_bound(job: TrainingJob, sample: InputSample, answers: Sequence[Throughput]) -> list[Throughput]:
    """The answers with waits in their terms, speeds and ranges lowered to what the input gives, words and bottleneck.

    ``step = max(step of the chips, input)``. The range's ends are those of the chips or of the input, whichever are
    lower; the input's own range is ``exp(+-spread)``, up to that of the usual cores where nobody tells them.
    """
    running = [number for number, answer in enumerate(answers) if answer.fits and answer.step_time_s > 0]
    if not running:
        return list(answers)
    fitting = [answers[number] for number in running]
    ranks = np.array([answer.layout.dp * answer.layout.fsdp for answer in fitting], dtype=np.float64)
    hosts = hosts_of([a.system for a in fitting], job)
    pipeline = input_pipeline_of(job, sample, hosts, ranks)
    usual = input_pipeline_of(job, sample, replace(hosts, vcpus=hosts.usual_vcpus), ranks)
    held = list(answers)
    for row, waits in _waits(pipeline, usual, fitting):
        held[running[row]] = _held(job, fitting[row], pipeline, row, waits)
    return held


@dataclass(frozen=True, slots=True)
class _Waits:
    """Seconds that the input of one answer takes, and would with the usual cores, and what its chips wait for storage
    and for the host."""

    feed_s: float
    usual_feed_s: float
    on_input_s: float
    on_host_s: float


def _waits(pipeline: InputPipeline, usual: InputPipeline, answers: Sequence[Throughput]) -> list[tuple[int, _Waits]]:
    """The answers that the input may hold up, by number."""
    columns = (pipeline.total_s, usual.total_s, *pipeline.waits_s(np.array([answer.step_time_s for answer in answers])))
    rows = np.flatnonzero(_matters(pipeline, answers))
    return list(zip(rows.tolist(), map(_Waits, *(column[rows].tolist() for column in columns)), strict=True))


def _matters(pipeline: InputPipeline, answers: Sequence[Throughput]) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Where the slow end of the input comes below the fast end of the chips."""
    fast_end: Floats = np.array([a.step_time_s * a.tokens_per_s.likely / a.tokens_per_s.high for a in answers])
    return np.asarray(pipeline.total_s * math.exp(shipped_parameters("host")["feed_spread"]) > fast_end, dtype=np.bool_)


def _held(job: TrainingJob, answer: Throughput, pipeline: InputPipeline, row: int, waits: _Waits) -> Throughput:
    """One answer held to its feed."""
    step_s, speed = answer.step_time_s, answer.tokens_per_s
    work, spread = speed.likely * step_s, math.exp(shipped_parameters("host")["feed_spread"])
    per_s, usual_per_s = work / waits.feed_s, work / waits.usual_feed_s
    held = Range(min(speed.low, per_s / spread), min(speed.likely, per_s), min(speed.high, usual_per_s * spread))
    share = held.likely / speed.likely
    terms = answer.step_terms_s | {
        "input": answer.step_terms_s.get("input", 0.0) + waits.on_input_s,
        "host": answer.step_terms_s.get("host", 0.0) + waits.on_host_s,
    }
    holds = waits.on_input_s + waits.on_host_s > 0
    return replace(
        answer,
        tokens_per_s=held,
        samples_per_s=answer.samples_per_s * share,
        step_terms_s=terms,
        step_time_s=sum(terms.values()),
        mfu=answer.mfu * share,
        bottleneck=("input" if waits.on_input_s > 0 else "host") if holds else answer.bottleneck,
        notes=(*answer.notes, _words(answer.system, job, pipeline, row, step_s)) if holds else answer.notes,
        roofline=tuple((phase, intensity, reached * share) for phase, intensity, reached in answer.roofline),
    )


def _words(system: System, job: TrainingJob, pipeline: InputPipeline, row: int, step_s: float) -> str:
    """What the chips wait for, with both paces, and what is taken for processors that nobody tells."""
    slowest = max(_PARTS, key=lambda part: float(getattr(pipeline, part)[row]))
    given, wanted = (job.global_batch_sequences / seconds for seconds in (float(pipeline.total_s[row]), step_s))
    told = f"Waits for {_PARTS[slowest]}: {plain(given)} samples a second come, the chips could take {plain(wanted)}"
    if slowest != "processor_s" or (system.host is not None and system.host.n_vcpu):
        return told
    table = shipped_parameters("host")
    taken, usual = _vcpus(system, table)
    if taken == usual:
        return f"{told}. Its virtual cores are taken as usual: {plain(taken)} a host"
    return f"{told}. Its virtual cores are not published: {plain(taken)} a host are taken, {plain(usual)} are usual"


_PARTS = {"storage_s": "storage", "processor_s": "the hosts' processors", "copy_s": "copies over PCIe"}
