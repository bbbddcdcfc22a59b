"""Storage of a host: local disks, network storage and what is entered, each worked by hand."""

from dataclasses import replace

import numpy as np
import pytest

from core.throughput.input_pipeline import (
    NARROW_VOCABULARY,
    Hosts,
    InputSample,
    hosts_of,
    input_pipeline_of,
    input_sample_of,
    read_bytes_per_s,
    shared_bytes_per_s,
    storage_bytes_per_s,
)
from core.throughput.parameters import shipped_parameters
from core.workload.jobs.kinds import PreTraining
from tests.core.throughput.fleet_samples import system

TABLE = shipped_parameters("host")


def _networked(gbit_per_s: float, n_chips: int = 8):
    return replace(system("h100-sxm", n_chips), network_gbit_per_s=gbit_per_s)


@pytest.mark.parametrize("direction", ["read", "write"])
@pytest.mark.parametrize("gbit_per_s", [0.0, 1.0, 3200.0])
def test_local_disks_are_as_quick_whatever_the_network(direction: str, gbit_per_s: float) -> None:
    expected = TABLE[f"local_{direction}_gb_per_s_per_host"] * 1e9
    assert storage_bytes_per_s(_networked(gbit_per_s), "local", direction) == pytest.approx(expected)


@pytest.mark.parametrize("storage", ["object", "filesystem"])
@pytest.mark.parametrize("direction", ["read", "write"])
def test_storage_over_the_network_takes_its_share_of_a_slow_one(storage: str, direction: str) -> None:
    """8 Gbit/s are 1 GB/s, of which storage gets its share; a quick or unknown one leaves the storage's own rate."""
    own = TABLE[f"{storage}_{direction}_gb_per_s_per_host"] * 1e9
    share = 1e9 * TABLE["network_share_for_storage"]
    assert own > share
    assert storage_bytes_per_s(_networked(8.0), storage, direction) == pytest.approx(share)
    assert storage_bytes_per_s(_networked(3200.0), storage, direction) == pytest.approx(own)
    assert storage_bytes_per_s(_networked(0.0), storage, direction) == pytest.approx(own)


def test_where_a_rate_is_entered_only_the_network_card_limits_a_host() -> None:
    entered = {"storage_gb_per_s": 3.0}
    assert read_bytes_per_s(_networked(8.0), PreTraining(storage="object", **entered)) == pytest.approx(1e9)
    assert read_bytes_per_s(_networked(0.0), PreTraining(storage="object", **entered)) == np.inf
    assert read_bytes_per_s(_networked(8.0), PreTraining(storage="local", **entered)) == np.inf
    local = TABLE["local_read_gb_per_s_per_host"] * 1e9
    assert read_bytes_per_s(_networked(8.0), PreTraining(storage="local")) == pytest.approx(local)


def test_all_hosts_share_what_is_entered_or_the_file_system() -> None:
    assert shared_bytes_per_s(PreTraining(storage_gb_per_s=3.0, storage="filesystem")) == 3e9
    total = TABLE["filesystem_total_gb_per_s"] * 1e9
    assert shared_bytes_per_s(PreTraining(storage="filesystem")) == pytest.approx(total)
    assert shared_bytes_per_s(PreTraining(storage="local")) == np.inf


def test_hosts_are_rows_of_their_systems() -> None:
    """One host of eight chips and four hosts; PCIe of a chip at the share that copies reach."""
    fleet = [system("h100-sxm", 8), system("h100-sxm", 32)]
    hosts = hosts_of(fleet, PreTraining(storage="local"))
    assert hosts.n_hosts.tolist() == [1.0, 4.0]
    assert hosts.storage_bytes_per_s == pytest.approx([TABLE["local_read_gb_per_s_per_host"] * 1e9] * 2)
    pcie = fleet[0].accelerator.pcie_gbps * 1e9 * TABLE["pcie_copy_share"]
    assert hosts.pcie_bytes_per_s == pytest.approx([pcie] * 2)


def test_a_host_without_published_cores_has_few_and_an_own_one_the_usual_number_a_chip() -> None:
    bare = replace(system("h100-sxm", 8), host=None)
    share = TABLE["vcpu_share_for_input"]
    assert hosts_of([bare], PreTraining()).vcpus == pytest.approx([8 * TABLE["least_vcpus_per_chip"] * share])
    known = system("h100-sxm", 8).host
    assert known is not None
    own = replace(bare, host=known.model_copy(update={"provider": "own", "n_vcpu": None}))
    assert hosts_of([own], PreTraining()).vcpus == pytest.approx([8 * TABLE["vcpus_per_chip"] * share])
    assert TABLE["least_vcpus_per_chip"] < TABLE["vcpus_per_chip"]
    whole = system("h100-sxm", 8)
    assert whole.host is not None and whole.host.n_vcpu
    half = replace(whole, n_chips=4, chips_per_host=4, host=whole.host)
    assert hosts_of([half], PreTraining()).vcpus == pytest.approx([whole.host.n_vcpu / 2 * share])


def test_the_vocabulary_from_which_tokens_take_four_bytes() -> None:
    job = PreTraining(sequence_length=1000)
    below, at = (input_sample_of(job, NARROW_VOCABULARY + more).stored_bytes for more in (-1, 0))
    assert (below, at) == (2000.0, 4000.0)
    assert input_sample_of(job, 1.0).device_bytes == pytest.approx(1000 * TABLE["token_device_bytes"])


def test_raw_text_is_read_and_tokenised_by_the_token() -> None:
    sample = input_sample_of(PreTraining(sequence_length=1000, data_kind="text"), 1.0)
    assert sample.stored_bytes == pytest.approx(1000 * TABLE["text_bytes_per_token"])
    assert sample.processor_s == pytest.approx(1e-3 * TABLE["tokenise_us_per_token"])


@pytest.mark.parametrize(("kind", "name"), [("images", "image"), ("video", "video")])
def test_pictures_and_clips_are_copied_as_they_are_decoded(kind: str, name: str) -> None:
    sample = input_sample_of(PreTraining(data_kind=kind), 1.0)
    assert sample.device_bytes == pytest.approx(TABLE[f"{name}_device_kb"] * 1e3)
    assert sample.processor_s == pytest.approx(TABLE[f"{name}_decode_ms"] * 1e-3)


def test_no_part_of_a_data_rank_reads_by_itself() -> None:
    """Less than one rank counts as one: one host reads and one chip copies all 100 samples."""
    hosts = Hosts(*(np.array([value]) for value in (4.0, 10.0, 10.0, 1e9, 1e9)))
    job = PreTraining(global_batch_sequences=100)
    pipeline = input_pipeline_of(job, InputSample(1e7, 0.5, 2e7), hosts, np.array([0.5]))
    assert (pipeline.storage_s[0], pipeline.processor_s[0], pipeline.copy_s[0]) == pytest.approx((1.0, 5.0, 2.0))
    assert pipeline.host_s[0] == pytest.approx(5.0)
