"""Rate lines of PyTorch/XLA: one a device, old and new, over midnight."""

from pathlib import Path

from tests.core.logs.training_logs import means, record_of

LINE = "| Training Device=xla:0/{} Epoch={} Step={} Loss=0.5 Rate={} GlobalRate=2.0 Time={}\n"


def test_devices_of_one_step_are_one_row_and_their_rates_add_up(tmp_path: Path) -> None:
    text = "".join(
        LINE.format(device, epoch, step, rate, at)
        for epoch, step, rate, at in (
            (1, 280, 90.0, "23:59:50"),
            (1, 300, 100.0, "23:59:58"),
            (2, 20, 110.0, "00:00:10"),
        )
        for device in (3, 0, 2, 1)
    )
    record = record_of(tmp_path, text)
    assert (record.n_accelerators, list(record.time_s)) == (4, [0.0, 8.0, 20.0])
    assert means(record) == {"samples_per_s_per_chip": 100.0, "loss": 0.5, "samples_per_s": 400.0}


def test_the_form_of_2019_is_read(tmp_path: Path) -> None:
    line = "[xla:{}](20) Loss=0.45 Rate=50.0 GlobalRate=8.1 Time=Tue Nov 12 10:00:00 2019\n"
    assert means(record_of(tmp_path, line.format(1) + line.format(2)))["samples_per_s"] == 100.0
