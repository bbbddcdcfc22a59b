"""MaxText's distillation trainer: one line a step."""

from pathlib import Path

from tests.core.logs.training_logs import means, record_of

STEP = "step {} | step_time={} | TFLOPs/s/device: 210.5 (student=100.1, teacher=110.4) | loss=2.1\n"


def test_the_work_of_student_and_teacher_counts_together(tmp_path: Path) -> None:
    text = "".join(STEP.format(i, "4.5s" if i % 2 else "3500ms") for i in range(7))
    record = record_of(tmp_path, text)
    assert (record.format, len(record.time_s)) == ("maxtext-distillation", 7)
    assert means(record) == {"step_time_s": 4.0, "tflops_per_chip": 210.5, "loss": 2.1}
