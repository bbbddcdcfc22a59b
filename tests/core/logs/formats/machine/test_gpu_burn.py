"""gpu-burn: the last state of a progress line, for each GPU."""

from pathlib import Path

from tests.core.logs.written import assert_refused, means_of, record_of


def test_rates_and_temperatures_of_each_gpu(tmp_path: Path) -> None:
    line = "{}%  proc'd: 109 ({} Gflop/s) - 109 (13000 Gflop/s)   errors: 0 - 0   temps: 47 C - -- C"
    text = "GPU 0: NVIDIA L40S (UUID: GPU-1)\n" + line.format(1, 11000) + " \r" + line.format(2, 15000) + "\n"
    record = record_of(tmp_path, text + line.format(3, 17000) + "\n")
    assert (record.format, record.accelerator_id, record.n_accelerators) == ("gpu-burn", "l40s", 2)
    assert record.by_chip["burn_tflops_per_chip"].tolist() == [[15.0, 13.0], [17.0, 13.0]]
    assert means_of(record) == {"burn_tflops_per_chip": 14.5, "temperature_c": 47.0}
    assert_refused(tmp_path, line.format(0, 0).replace("13000", "0").replace("47", "--"), "without a rate")
