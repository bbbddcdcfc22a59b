"""nccl-tests, nvbandwidth and nvidia-smi's links: the plateau, not the printed average; copies, not sums."""

import json
from pathlib import Path

import pytest

from core.logs.read import read_logs
from core.logs.record import Subject
from tests.core.logs.written import assert_refused, means_of, record_of

NCCL = """/opt/nccl-tests/build/all_reduce_perf -b 8 -e 4G -f 2 -g 1
# nThread 1 nGpus 1 minBytes 8 maxBytes 4294967296 step: 2(factor) warmup iters: 5 iters: 20
#
# Using devices
#  Rank  0 Group  0 Pid   6899 on n1 device  0 [0000:04:00] NVIDIA H100 80GB HBM3
#  Rank  1 Group  0 Pid   6899 on n2 device  0 [0000:04:00] NVIDIA H100 80GB HBM3
#
#       size         count      type   redop    root     time   algbw   busbw {wrong}     time   algbw   busbw {wrong}
#        (B)    (elements)                               (us)  (GB/s)  (GB/s)            (us)  (GB/s)  (GB/s)
n1:6899:6899 [0] NCCL INFO comm 0x55 rank 0 nranks 2
           8             2     float {redop}    135.0    0.00    0.00    {ok}    123.0    0.00    0.00      N/A
  1073741824     268435456     float {redop}   6759.0  158.86  200.00    {ok}   6737.4  159.37  300.00      N/A
  4294967296    1073741824     float {redop}    24361  176.31  340.00    {ok}    24365  176.27  320.00      N/A
# Out of bounds values : 0 OK
# Avg bus bandwidth    : 70.742
"""


@pytest.mark.parametrize(("wrong", "ok"), [("#wrong", "0"), ("error", "0e+00")])
@pytest.mark.parametrize("redop", ["  sum      -1", "               "])
def test_bandwidth_is_that_of_the_largest_sizes(tmp_path: Path, wrong: str, ok: str, redop: str) -> None:
    record = record_of(tmp_path, NCCL.format(wrong=wrong, ok=ok, redop=redop))
    assert (record.format, record.subject, record.accelerator_id) == ("nccl-tests", Subject.LINK, "h100-sxm")
    assert record.n_accelerators == 2
    assert record.facts == {"collective": "all_reduce", "n_hosts": 2, "framework": "nccl-tests"}
    assert means_of(record) == {"bus_bandwidth_gb_per_s": 290.0, "collective_latency_us": 123.0}
    assert record.quantities["bus_bandwidth_gb_per_s"].max == 340.0


def test_runs_of_one_file_are_records_of_their_own(tmp_path: Path) -> None:
    text = NCCL.format(wrong="#wrong", ok="0", redop="  sum -1")
    path = tmp_path / "runs.md"
    path.write_text(text + "```\n" + text.replace("all_reduce", "alltoall").replace("340.00", "40.00"))
    assert [one.facts["collective"] for one in read_logs(path).records] == ["all_reduce", "alltoall"]
    cut = text.partition("  4294967296")[0] + "  4294967296    1073741824     float     sum      -1    24361  17"
    assert record_of(tmp_path, cut).skipped == {"row cut short": 1}
    assert_refused(tmp_path, text.partition("           8 ")[0], "header of nccl-tests without a whole row")


def test_rows_with_wrong_results_are_left_out(tmp_path: Path) -> None:
    text = NCCL.format(wrong="#wrong", ok="0", redop="  sum -1").replace("340.00    0", "999.00    7")
    record = record_of(tmp_path, text)
    assert record.skipped == {"row with wrong results": 1}
    assert record.quantities["bus_bandwidth_gb_per_s"].max == 300.0


def test_nvbandwidth_as_text(tmp_path: Path) -> None:
    text = """nvbandwidth Version: v0.9
n1
Device 0: NVIDIA H100 80GB HBM3 (00000000:04:00)
Device 1: NVIDIA H100 80GB HBM3 (00000000:05:00)

Running host_to_device_memcpy_ce.
memcpy CE CPU(row) -> GPU(column) bandwidth (GB/s)
           0         1
 0     55.00     57.00

SUM host_to_device_memcpy_ce 112.00

Running device_to_device_memcpy_read_ce.
memcpy CE GPU(row) -> GPU(column) bandwidth (GB/s)
           0         1
 0       N/A    390.00
 1    394.00       N/A

SUM device_to_device_memcpy_read_ce 784.00

Running host_device_latency_sm.
memory latency SM CPU(row) <-> GPU(column) (ns)
           0         1
 0    900.00    901.00
"""
    path = tmp_path / "nvb.txt"
    path.write_text(text)
    records = read_logs(path).records
    assert [one.facts["test"] for one in records] == ["host_to_device_memcpy_ce", "device_to_device_memcpy_read_ce"]
    assert [one.quantities["copy_bandwidth_gb_per_s"].mean for one in records] == [56.0, 392.0]
    assert {one.n_accelerators for one in records} == {2}
    assert_refused(tmp_path, text.partition("Running")[0], "without a matrix")


def test_nvbandwidth_as_json(tmp_path: Path) -> None:
    tests = [
        {"name": "device_to_host_memcpy_ce", "status": "Passed", "bandwidth_matrix": [["50.0", "54.0"]], "sum": 104.0},
        {"name": "host_device_latency_sm", "bandwidth_matrix": [["900.0"]]},
    ]
    body = {"GPU Device list": ["0: NVIDIA L40S (00000000:04:00)", "1: NVIDIA L40S"], "testcases": tests}
    record = record_of(tmp_path, json.dumps({"nvbandwidth": body}))
    assert (record.accelerator_id, record.n_accelerators) == ("l40s", 2)
    assert means_of(record) == {"copy_bandwidth_gb_per_s": 52.0}


def test_rates_of_links_are_added_up_for_each_gpu(tmp_path: Path) -> None:
    gpu = "GPU {}: NVIDIA GH200 480GB (UUID: GPU-1)\n"
    text = gpu.format(0) + "\t C2C Link 0: 44.5 GB/s\n" * 2 + gpu.format(1) + "\t C2C Link 0: 44.5 GB/s\n" * 4
    record = record_of(tmp_path, text)
    assert (record.format, record.accelerator_id, record.n_accelerators) == ("nvidia-smi-c2c", "gh200-96", 2)
    assert means_of(record) == {"c2c_rate_gb_per_s": 133.5}
    assert means_of(record_of(tmp_path, text.replace("C2C ", ""))) == {"link_rate_gb_per_s": 133.5}
