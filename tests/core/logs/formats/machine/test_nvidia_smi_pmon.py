"""nvidia-smi pmon and lists of processes: added up to the GPUs that they run on."""

from pathlib import Path

from tests.core.logs.written import assert_refused, means_of, record_of

PMON = (
    "# gpu         pid   type     sm    mem     fb    command\n# Idx           #    C/G      %      %     MB    name\n"
)
APPS = "timestamp, gpu_name, gpu_bus_id, gpu_uuid, pid, process_name, used_gpu_memory [MiB]\n"
OVER = "gpu_name, gpu_uuid, pid, gpu_utilization [%], mem_utilization [%], max_memory_usage [MiB], time [ms]\n"


def _app(second: int, pid: int, path: str, memory: str) -> str:
    return f"2026/07/14 08:12:{second:02d}.500, NVIDIA H100 80GB HBM3, 00:09.0, GPU-1, {pid}, {path}, {memory}\n"


def test_shares_of_a_tick_are_added_and_the_largest_process_counts(tmp_path: Path) -> None:
    tick = "    0      11     C     60     10   2048    my train.py\n    0      12     C     30      -   1024    b\n"
    record = record_of(tmp_path, PMON + tick + PMON + tick)
    assert means_of(record) == {"utilization_pct": 90.0, "memory_busy_pct": 10.0, "process_memory_gib": 2.0}
    assert len(record.time_s) == 2


def test_processes_without_a_reading_are_refused(tmp_path: Path) -> None:
    idle = PMON + "    0       -     -      -      -      -    -\n"
    assert_refused(tmp_path, idle, "no process was running")
    assert_refused(
        tmp_path, idle + "    0     77     G      -      -      -  x\n", "processes without a single reading"
    )


def test_a_path_may_hold_commas_and_blanks(tmp_path: Path) -> None:
    text = APPS + _app(1, 5, r"C:\Program Files (x86)\a, b\run.exe", "3072 MiB") + _app(1, 6, "x", "1024 MiB")
    record = record_of(tmp_path, text)
    assert (record.format, record.accelerator_id) == ("nvidia-smi-query-compute-apps", "h100-sxm")
    assert record.quantities["process_memory_gib"].max == 3.0


def test_lists_in_a_loop_are_a_series(tmp_path: Path) -> None:
    record = record_of(tmp_path, APPS + _app(1, 5, "x", "1024 MiB") + _app(6, 7, "y", "3072 MiB"))
    assert record.time_s.tolist() == [0.0, 5.0]
    assert record.series["process_memory_gib"].tolist() == [1.0, 3.0]


def test_shares_of_finished_processes_are_weighted_with_their_time(tmp_path: Path) -> None:
    rows = "NVIDIA L40S, GPU-1, 7, 100 %, 8 %, 0 MiB, 3000 ms\nNVIDIA L40S, GPU-1, 8, 60 %, 8 %, 512 MiB, 1000 ms\n"
    still = "NVIDIA L40S, GPU-1, 9, 2 %, 0 %, 1024 MiB, 0 ms\n"
    record = record_of(tmp_path, OVER + rows + still)
    assert record.quantities["utilization_pct"].mean == 90.0
    assert (record.quantities["utilization_pct"].n, record.quantities["utilization_pct"].max) == (2, 100.0)
    assert record.quantities["process_memory_gib"].max == 1.0


def test_nothing_running_is_said(tmp_path: Path) -> None:
    assert_refused(tmp_path, APPS, "none was running")
    assert_refused(
        tmp_path, "gpu_name, pid, gpu_utilization [%], mem_utilization [%], time [ms]\n", "accounting was off"
    )
    assert_refused(tmp_path, APPS + _app(1, 5, "x", "[N/A]"), "processes whose memory is not known")
