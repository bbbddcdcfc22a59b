"""dcgmi dmon: fractions and bytes in our units, GPUs in any order, other entities left out."""

from pathlib import Path

import numpy as np

from tests.core.logs.written import means_of, record_of

HEADER = "#Entity   GRACT   SMACT   TENSO   DRAMA   MCUTL   NVLTX         POWER\nID\n"


def test_what_nvidia_smi_has_not_is_read(tmp_path: Path) -> None:
    rows = "GPU 1     0.5     0.9     0.25    0.3     31     20000000000   600.5\n"
    rows += "GPU 0     N/A     N/A     N/A     N/A     N/A    N/A           400.5\n"
    record = record_of(tmp_path, HEADER + rows + HEADER + rows)
    means = means_of(record)
    assert (record.format, record.chips, len(record.time_s)) == ("dcgmi-dmon", ("1", "0"), 2)
    assert (means["utilization_pct"], means["sm_active_pct"], means["tensor_active_pct"]) == (50.0, 90.0, 25.0)
    assert (means["memory_busy_pct"], means["link_out_gb_per_s"], means["power_w"]) == (30.0, 20.0, 500.5)
    assert np.isnan(record.by_chip["utilization_pct"][0, 1])


def test_parts_of_a_gpu_and_cut_rows_are_counted(tmp_path: Path) -> None:
    text = "# Entity  GPUTL  POWER\n      Id\nGPU 0  40  100\nGPU-I 0/1  50  100\nSwitch 3  1  2\nGPU 0  4"
    record = record_of(tmp_path, text)
    assert means_of(record) == {"utilization_pct": 40.0, "power_w": 100.0}
    assert record.skipped == {"row of a part of a GPU or of something else": 2, "row cut short": 1}
