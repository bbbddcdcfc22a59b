"""NeMo: bars with a timing, bars with a pace only, lines of NeMo 2."""

from pathlib import Path

import pytest

from tests.core.logs.training_logs import means, record_of

BAR = (
    "Epoch 0: :   3%|x | {0}/301500 [{1}<55:37:46, v_num=0-56, reduced_train_loss=nan.0, global_step={2}, "
    "consumed_samples=6.3e+5, train_step_timing in s=0.5, val_loss=7.040]\n"
)


def test_a_bar_gives_the_timing_and_the_time_since_the_start(tmp_path: Path) -> None:
    record = record_of(tmp_path, BAR.format(9000, "1:42:40", "9e+3") + BAR.format(9050, "1:43:10", "9050.0"))
    assert (record.format, record.duration_s) == ("nemo", 30.0)
    assert means(record) == {"step_time_s": 0.5}


@pytest.mark.parametrize(("pace", "seconds"), [("41.5s/it", 41.5), ("4.00it/s", 0.25)])
def test_the_oldest_bars_have_a_pace_only(tmp_path: Path, pace: str, seconds: float) -> None:
    text = f"Epoch 0:   1%|  | 795/77225 [9:07:58<878:01:48, {pace}, loss=3.1, v_num=, reduced_train_loss=3.090]\n"
    assert means(record_of(tmp_path, text)) == {"step_time_s": seconds, "loss": 3.1}


def test_lines_of_nemo_2_and_its_settings(tmp_path: Path) -> None:
    line = (
        "Training epoch 0, iteration {0}/149 | lr: 3e-05 | consumed_samples: 121 | global_batch_size: 8 | "
        "global_step: {0} | reduced_train_loss: 1.25 | train_step_timing in s: 0.5 | val_loss: 4.106\n"
    )
    text = "  num_nodes: 2\n  devices: 4\n  seq_length: 2048\n  tensor_model_parallel_size: 2\n"
    record = record_of(tmp_path, text + line.format(120) + line.format(121))
    assert record.n_accelerators == 8
    assert means(record) == {
        "loss": 1.25, "step_time_s": 0.5, "samples_per_s": 16.0, "tokens_per_s": 32768.0,
        "tokens_per_s_per_chip": 4096.0,
    }  # fmt: skip
