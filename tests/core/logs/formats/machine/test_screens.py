"""Screens of amd-smi, rocm-smi and gpustat, and chips of which nvidia-smi's screen knows little."""

from pathlib import Path

import pytest

from tests.core.logs.written import assert_refused, means_of, record_of
from tests.log_texts.machine import AMD_SCREEN, GPUSTAT_SCREEN, NVIDIA_SCREEN, ROCM_LISTS, ROCM_SCREEN
from tests.log_texts.reading import log_of


def test_the_screen_of_amd_smi_in_a_loop(tmp_path: Path) -> None:
    record = record_of(tmp_path, AMD_SCREEN * 2)
    assert (record.format, record.accelerator_id, record.n_accelerators) == ("amd-smi-screen", "mi355x", 2)
    assert len(record.time_s) == 2 and record.facts == {"version": "26.0.0", "driver": "6.14.14"}
    assert means_of(record) == {
        "utilization_pct": 97.0, "memory_busy_pct": 20.0, "power_w": 930.0, "power_limit_w": 1400.0,
        "temperature_c": 40.0, "memory_used_gib": 192.0, "memory_total_gib": 288.0,
    }  # fmt: skip


def test_a_frame_between_a_stamp_and_the_screen_is_of_somebody_else(tmp_path: Path) -> None:
    stamp = "Tue Jul 14 09:00:43 2026\n"
    plain, other = (log_of(tmp_path, AMD_SCREEN + stamp + text + AMD_SCREEN) for text in ("", "| 97 % of a backup |\n"))
    assert other.n_other == plain.n_other + 1
    assert means_of(other.records[0]) == means_of(plain.records[0])


def test_a_screen_of_amd_smi_without_a_gpu_is_refused(tmp_path: Path) -> None:
    assert_refused(tmp_path, AMD_SCREEN.partition("| 0000:")[0], "without a GPU")


def test_the_concise_screen_of_rocm_smi(tmp_path: Path) -> None:
    record = record_of(tmp_path, "Tue Jul 14 09:00:43 2026\n" + ROCM_SCREEN)
    assert (record.format, record.n_accelerators) == ("rocm-smi-text", 2)
    assert record.start == "Tue Jul 14 09:00:43 2026"
    assert means_of(record) == {
        "utilization_pct": 97.0, "power_w": 739.5, "power_limit_w": 750.0, "temperature_c": 41.0,
        "sm_clock_mhz": 2031.0, "memory_clock_mhz": 900.0,
    }  # fmt: skip


def test_an_older_concise_screen_whose_power_is_not_known(tmp_path: Path) -> None:
    text = (
        "=== ROCm System Management Interface ===\nGPU  Temp (DieEdge)  AvgPwr  SCLK     MCLK     Fan  Perf  PwrCap  "
        "VRAM%  GPU%\n0    45.0c           N/A     1700Mhz  1600Mhz  0%   auto  560.0W   63%   99%\n"
    )
    assert means_of(record_of(tmp_path, text)) == {
        "utilization_pct": 99.0, "power_limit_w": 560.0, "temperature_c": 45.0, "sm_clock_mhz": 1700.0,
        "memory_clock_mhz": 1600.0,
    }  # fmt: skip


def test_lists_of_rocm_smi_of_several_instants(tmp_path: Path) -> None:
    record = record_of(tmp_path, ROCM_LISTS * 3)
    assert (record.format, record.n_accelerators, len(record.time_s)) == ("rocm-smi-text", 2, 3)
    assert means_of(record) == {
        "utilization_pct": 97.5, "power_w": 740.0, "memory_total_gib": 192.0, "memory_used_gib": 96.0,
    }  # fmt: skip


def test_lines_after_rocm_smis_end_are_not_its_own(tmp_path: Path) -> None:
    record = record_of(tmp_path, ROCM_SCREEN + "\n============ My job ============\n")
    assert record.n_lines == len(ROCM_SCREEN.splitlines())


def test_the_screen_of_gpustat(tmp_path: Path) -> None:
    record = record_of(tmp_path, GPUSTAT_SCREEN)
    assert (record.format, record.accelerator_id, record.n_accelerators) == ("gpustat-screen", "a100-sxm-80", 2)
    assert record.start == "Tue Jul 14 09:00:43 2026"
    assert means_of(record) == {
        "utilization_pct": 97.5, "power_w": 398.0, "power_limit_w": 400.0, "temperature_c": 45.5,
        "memory_used_gib": 64.0, "memory_total_gib": 80.0,
    }  # fmt: skip


def test_a_chip_that_shares_the_hosts_memory_is_read_without_it(tmp_path: Path) -> None:
    screen = NVIDIA_SCREEN.replace("40960MiB /  81559MiB", "Not Supported       ")
    means = means_of(record_of(tmp_path, screen))
    assert means == {"power_w": 600.0, "power_limit_w": 700.0, "temperature_c": 50.0, "utilization_pct": 95.0}


def test_a_chip_of_which_the_screen_knows_nothing_is_told(tmp_path: Path) -> None:
    screen = NVIDIA_SCREEN.replace("00000000:18:00.0 Off", "N/A              N/A")
    row = next(line for line in screen.splitlines() if "40960MiB" in line)
    nothing = "| N/A   N/A  N/A               N/A /  N/A | Not Supported          |     N/A          N/A |"
    assert_refused(tmp_path, screen.replace(row, nothing), "GPUs of which nvidia-smi knows nothing")


@pytest.mark.parametrize(
    ("header", "row"),
    [
        ("timestamp,gpu,xcp,power_usage,max_power,hotspot_temperature,memory_temperature,gfx_clk,gfx,mem,vram_used",
         "1752480000,0,0,600,750,68,53,2031,98,40,1024"),
    ],
)  # fmt: skip
def test_the_csv_of_amd_smi_monitor(tmp_path: Path, header: str, row: str) -> None:
    assert means_of(record_of(tmp_path, f"{header}\n{row}\n")) == {
        "power_w": 600.0, "power_limit_w": 750.0, "temperature_c": 68.0, "memory_temperature_c": 53.0,
        "sm_clock_mhz": 2031.0, "utilization_pct": 98.0, "memory_busy_pct": 40.0, "memory_used_gib": 1.0,
    }  # fmt: skip


def test_in_a_metrics_csv_mem_is_a_temperature(tmp_path: Path) -> None:
    record = record_of(tmp_path, "gpu,gfx_activity,socket_power,edge,hotspot,mem\n0,98,600,N/A,68,53\n")
    assert means_of(record) == {
        "utilization_pct": 98.0, "power_w": 600.0, "temperature_c": 68.0, "memory_temperature_c": 53.0,
    }  # fmt: skip


def test_amd_smi_monitors_tables_of_two_releases(tmp_path: Path) -> None:
    old = (
        "GPU  POWER  GPU_TEMP  MEM_TEMP  GFX_UTIL  GFX_CLOCK  MEM_UTIL  MEM_CLOCK  VRAM_USED  VRAM_TOTAL\n"
        "  0  739 W     68 °C     53 °C      98 %   2031 MHz      40 %    900 MHz   1024 MB   196608 MB\n"
    )
    expected = {
        "power_w": 739.0, "temperature_c": 68.0, "memory_temperature_c": 53.0, "utilization_pct": 98.0,
        "sm_clock_mhz": 2031.0, "memory_busy_pct": 40.0, "memory_clock_mhz": 900.0, "memory_used_gib": 1.0,
        "memory_total_gib": 192.0,
    }  # fmt: skip
    assert means_of(record_of(tmp_path, old)) == expected
    new = (
        "GPU  XCP  POWER   GPU_T   MEM_T   GFX_CLK   GFX%   MEM%   ENC%   DEC%      VRAM_USAGE\n"
        "  0    0  739 W   68 °C   53 °C  2031 MHz   98 %   40 %    N/A    0 %    1.0/192.0 GB\n"
    )
    assert means_of(record_of(tmp_path, new)) == {k: v for k, v in expected.items() if k != "memory_clock_mhz"}
