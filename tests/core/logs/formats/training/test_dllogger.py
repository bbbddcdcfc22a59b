"""DLLogger records on one line, over many lines, with settings and units."""

import json
from pathlib import Path

from tests.core.logs.training_logs import means, record_of


def _line(step: object, data: dict[str, object], **more: object) -> str:
    return "DLLL " + json.dumps({"timestamp": "1739210331.5", "type": "LOG", "step": step, "data": data, **more}) + "\n"


def test_steps_settings_and_a_record_over_many_lines(tmp_path: Path) -> None:
    settings = {
        "cfg/model/global_batch_size": 256, "cfg/model/encoder_seq_length": 4096, "cfg/trainer/devices": 8,
        "cfg/trainer/num_nodes": 2, "cfg/model/tensor_model_parallel_size": 4, "cfg/other": [1, {"a": 2}],
    }  # fmt: skip
    pretty = json.dumps({"timestamp": "1739210351.5", "step": 18, "data": {"train_step_timing in s": 20.0}}, indent=2)
    text = (
        _line("PARAMETER", settings)
        + _line(16, {"reduced_train_loss": 10.5, "global_step": 16.0, "train_step_timing in s": 12.0})
        + "some other line\nDLLL"
        + pretty
        + "\nDLLL {cut\n"
    )
    record = record_of(tmp_path, text)
    assert (record.n_accelerators, record.duration_s, record.facts["tensor_parallel"]) == (16, 20.0, 4.0)
    assert (means(record)["step_time_s"], means(record)["loss"]) == (16.0, 10.5)
    assert list(record.series["tokens_per_s_per_chip"]) == [256 * 4096 / seconds / 16 for seconds in (12.0, 20.0)]


def test_a_throughput_has_the_unit_that_the_log_gives_it_or_none(tmp_path: Path) -> None:
    data = {"train_throughput": 640.0, "train_loss": 1.5, "step_time": 0.5}
    assert "samples_per_s" not in means(record_of(tmp_path, _line([0, 10], data)))
    unit = "DLLL " + json.dumps({"type": "METADATA", "metric": "train_throughput", "metadata": {"unit": "samples/s"}})
    assert means(record_of(tmp_path, f"{unit}\n{_line([0, 10], data)}"))["samples_per_s"] == 640.0
