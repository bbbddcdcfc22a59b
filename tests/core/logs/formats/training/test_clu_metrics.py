"""T5X, PaxML and Flax lines."""

from pathlib import Path

from tests.core.logs.training_logs import means, record_of

GLOG = "I0811 21:54:55.531340 139900 logging_writer.py:48] "


def test_a_metric_writer_s_line_is_a_step(tmp_path: Path) -> None:
    line = GLOG + "[{}] collection=train timing/steps_per_second=4.0, loss=2.5, timing/seqs_per_second=512\n"
    record = record_of(tmp_path, line.format(100) + line.format(200) + GLOG + "[300] accuracy=0.5\n")
    assert (record.format, record.duration_s) == ("t5x", 25.0)
    assert means(record) == {"step_time_s": 0.25, "loss": 2.5, "samples_per_s": 512.0}


def test_paxml_prints_steps_a_second(tmp_path: Path) -> None:
    line = "[PAX STATUS]: step_i: {}, training loss: 3.1, steps/sec 0.5\n"
    assert means(record_of(tmp_path, line.format(10) + line.format(20))) == {"step_time_s": 2.0}
