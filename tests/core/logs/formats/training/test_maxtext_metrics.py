"""MaxText's metrics file and its distillation trainer."""

import json
from pathlib import Path

from tests.core.logs.training_logs import means, record_of


def test_each_object_is_a_step_and_the_first_three_stay_out_of_the_summary(tmp_path: Path) -> None:
    steps = [
        {"step": float(i), "perf/step_time_seconds": 9.0 if i < 3 else 2.0, "perf/per_device_tflops_per_sec": 300.0,
         "perf/per_device_tokens_per_sec": 4096.0, "learning/loss": 3.0}
        for i in range(6)
    ]  # fmt: skip
    record = record_of(tmp_path, "\n".join(map(json.dumps, steps)))
    assert (record.format, len(record.time_s)) == ("maxtext-metrics", 6)
    assert means(record) == {
        "step_time_s": 2.0, "tflops_per_chip": 300.0, "tokens_per_s_per_chip": 4096.0, "loss": 3.0
    }  # fmt: skip


def test_an_unknown_number_is_not_zero(tmp_path: Path) -> None:
    record = record_of(tmp_path, '{"step": 4, "perf/step_time_seconds": 2.0, "learning/loss": NaN}\n')
    assert means(record) == {"step_time_s": 2.0}
