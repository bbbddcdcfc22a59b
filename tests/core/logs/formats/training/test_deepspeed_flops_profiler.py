"""DeepSpeed's flops profile: labels with formulas, units, old forms, nothing to use."""

from pathlib import Path

import pytest

from core.errors import InputError
from tests.core.logs.training_logs import log_of, means, record_of

TITLE = "-------------------------- DeepSpeed Flops Profiler --------------------------\n"
ROWS = """Profile Summary at step 10:
world size:                                                   8
batch size per GPU:                                           80
params of model = params per GPU * mp_size:                   336.5 M
fwd latency:                                                  75 ms
bwd latency:                                                  110 ms
fwd+bwd FLOPS per GPU = 3 * fwd flops per GPU / (fwd+bwd latency):   102.0 TFLOPS
step latency:                                                 34.00 us
iter latency:                                                 184.50 ms
samples/second:                                               3,469.0
"""


def test_a_profile_is_a_record_of_totals(tmp_path: Path) -> None:
    read = log_of(
        tmp_path, "[INFO] DeepSpeed Flops Profiler Enabled: True\n" + TITLE + ROWS + "-" * 40 + "\nother: 3\n"
    )
    (record,) = read.records
    assert (record.n_accelerators, record.first_line, read.n_other) == (8, 2, 2)
    assert record.facts == {"framework": "DeepSpeed", "n_parameters": 336.5e6, "micro_batch": 80.0}
    assert means(record) == {
        "step_time_s": 0.1845, "forward_s": 0.075, "backward_s": 0.11, "optimizer_s": 3.4e-5,
        "samples_per_s": 3469.0, "tflops_per_chip": 102.0,
    }  # fmt: skip
    assert all(quantity.n == 1 for quantity in record.quantities.values())


def test_the_first_releases_profile_the_forward_pass_only(tmp_path: Path) -> None:
    rows = "Latency:                 76.5 ms\nFloating point operations per second(FLOPS): 81.5 TFLOPS\n"
    assert means(record_of(tmp_path, TITLE + rows)) == {"forward_s": 0.0765, "tflops_per_chip": 81.5}


def test_a_profile_without_times_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="without a time"):
        log_of(tmp_path, TITLE + "world size:     8\niter latency:     xxx ms\n")


def test_the_whole_step_counts_and_blanks_after_a_value_do_not(tmp_path: Path) -> None:
    rows = (
        ROWS.replace("\n", "       \n") + "FLOPS per GPU = 3 * fwd flops per GPU / iter latency:   95.5 TFLOPS       \n"
    )
    record = record_of(tmp_path, TITLE + rows)
    assert (record.n_accelerators, means(record)["tflops_per_chip"]) == (8, 95.5)
