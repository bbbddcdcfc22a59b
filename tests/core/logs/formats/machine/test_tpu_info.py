"""tpu-info: tables of pipes and of drawn boxes, cores told to chips, screens that stream."""

from pathlib import Path

from tests.core.logs.written import assert_refused, means_of, record_of

BOXES = """TPU Chips
┏━━━━━━━━━━━━━┳━━━━━━━━━━━━━━┳━━━━━━━━━┓
┃ Device      ┃ Type         ┃ Cores   ┃
┡━━━━━━━━━━━━━╇━━━━━━━━━━━━━━╇━━━━━━━━━┩
│ /dev/accel0 │ TPU v4 chip  │ 1       │
└─────────────┴──────────────┴─────────┘
           TPU Runtime Utilization
┏━━━━━━━━┳━━━━━━━━━━━━━━━━━━━━━━┳━━━━━━━━━━━━┓
┃ Device ┃ Memory usage         ┃ Duty cycle ┃
┡━━━━━━━━╇━━━━━━━━━━━━━━━━━━━━━━╇━━━━━━━━━━━━┩
│ 4      │ 8.00 GiB / 31.75 GiB │    100.00% │
│ 5      │ 4.00 GiB / 31.75 GiB │     50.00% │
└────────┴──────────────────────┴────────────┘
"""
CORES = """TensorCore Utilization

| Core ID | TensorCore Utilization |
|---------|------------------------|
| 0       | 10.00%                 |
| 1       | 20.00%                 |
| 2       | 30.00%                 |
| 3       | 50.00%                 |

TPU gRPC TCP Minimum RTT

| P50      | P90      |
|----------|----------|
| 35.99 us | 52.15 us |
"""


def test_boxes_and_pipes_are_one_screen(tmp_path: Path) -> None:
    record = record_of(tmp_path, BOXES + "\n" + CORES)
    assert (record.format, record.accelerator_id, record.chips) == ("tpu-info", "tpu-v4", ("4", "5"))
    assert record.by_chip["tensor_active_pct"].tolist() == [[15.0, 40.0]]
    assert means_of(record) == {
        "memory_used_gib": 6.0, "memory_total_gib": 31.75, "utilization_pct": 75.0, "tensor_active_pct": 27.5,
    }  # fmt: skip
    assert not record.skipped


def test_each_row_cut_short_is_counted(tmp_path: Path) -> None:
    record = record_of(tmp_path, BOXES + "\n" + CORES.replace("| 1       | 20.00%                 |", "| 1       |"))
    assert record.skipped == {"row cut short": 1}
    two = CORES.replace("| 1       | 20.00%                 |", "| 1 |").replace("| 3       | 50.00%  ", "| 3 | 5 | 6 ")
    assert record_of(tmp_path, BOXES + "\n" + two).skipped == {"row cut short": 2}


def test_a_screen_that_streams_is_a_series(tmp_path: Path) -> None:
    head = "Refresh rate: 5s\nLast update: 2026-07-24 11:00:0{} UTC\nAccelerator type: v6e\n"
    record = record_of(tmp_path, head.format(0) + BOXES + head.format(5) + BOXES.replace("50.00%", "0.00%"))
    assert record.time_s.tolist() == [0.0, 5.0]
    assert record.series["utilization_pct"].tolist() == [75.0, 50.0]


def test_no_chip_at_all_is_refused(tmp_path: Path) -> None:
    assert_refused(tmp_path, "Libtpu version: 0.1\nTPU Chips\n", "screen of tpu-info without a reading")


def test_a_chip_whose_name_has_no_v(tmp_path: Path) -> None:
    text = "Accelerator type: tpu7x\n\n" + BOXES.replace("TPU v4 chip ", "TPU7x chip  ")
    record = record_of(tmp_path, text)
    assert (record.accelerator, record.accelerator_id) == ("TPU 7x", "tpu7x")
