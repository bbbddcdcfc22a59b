"""Estimator lines: rates of steps and examples that belong together, and the official models' history."""

from pathlib import Path

from tests.core.logs.training_logs import means, record_of


def test_the_rates_of_one_report_are_one_row(tmp_path: Path) -> None:
    one = (
        "I0811 21:54:55.531340 1399 tpu_estimator.py:2160] global_step/sec: {}\n"
        "INFO:tensorflow:examples/sec: {}\nINFO:tensorflow:loss = 2.5, step = {} (0.5 sec)\n"
    )
    record = record_of(tmp_path, one.format(2.0, 2048, 100) + one.format(4.0, 4096, 200) + one.format(4.0, 4096, 300))
    assert (record.format, len(record.time_s)) == ("tf-estimator", 3)
    assert means(record) == {"step_time_s": 0.33333, "samples_per_s": 3413.3, "loss": 2.5}


def test_without_examples_there_is_no_rate_of_samples(tmp_path: Path) -> None:
    assert means(record_of(tmp_path, "global_step/sec: 10\nglobal_step/sec: 10\n")) == {"step_time_s": 0.1}
    with_batch = record_of(tmp_path, "global_batch_size: 512\nglobal_step/sec: 10\n")
    assert means(with_batch) == {"step_time_s": 0.1, "samples_per_s": 5120.0}


def test_a_history_gives_the_time_of_its_steps(tmp_path: Path) -> None:
    line = "TimeHistory: 12.50 seconds, 1000.0 examples/second between steps {} and {}\n"
    record = record_of(tmp_path, line.format(0, 100) + line.format(100, 200))
    assert means(record) == {"samples_per_s": 1000.0, "step_time_s": 0.125}
    assert record.duration_s == 12.5
