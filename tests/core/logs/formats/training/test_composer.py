"""Composer: metrics below the head of their batch, chips by two rates."""

from pathlib import Path

from tests.core.logs.training_logs import means, record_of


def test_a_batch_is_a_row_and_two_rates_give_the_number_of_chips(tmp_path: Path) -> None:
    batch = (
        "[epoch=0][batch={}/10]:\n\t Train time/batch: {}\n\t Train throughput/batches_per_sec: 0.5\n"
        "\t Train throughput/tokens_per_sec: 16384.0\n\t Train throughput/device/tokens_per_sec: 2048.0\n"
        "\t Train throughput/device/mfu: 0.45\n\t Train time/train: {}\n\t Train loss/train/total: 11.5\n"
        "\t Train memory/peak_reserved_mem: 40.0\n"
    )
    record = record_of(tmp_path, batch.format(2, 1, 0.01) + batch.format(3, 2, 0.02))
    assert (record.n_accelerators, record.duration_s, record.first_line) == (8, 36.0, 2)
    assert means(record) == {
        "step_time_s": 2.0, "tokens_per_s": 16384.0, "tokens_per_s_per_chip": 2048.0, "mfu_pct": 45.0, "loss": 11.5,
        "memory_used_gib": 37.253,
    }  # fmt: skip


def test_without_a_rate_there_are_the_times_of_the_batches(tmp_path: Path) -> None:
    text = "".join(
        f"- Train time/train: {i / 100}\n- Train loss/train/total: 2.0\n- Train time/batch: {i}\n" for i in (4, 5)
    )
    record = record_of(tmp_path, text)
    assert (means(record), record.duration_s) == ({"loss": 2.0, "step_time_s": 36.0}, 36.0)


def test_thousands_may_be_parted(tmp_path: Path) -> None:
    lines = [f"[batch={n}/9]:\n\t Train throughput/device/tokens_per_sec: 32,768.5\n" for n in range(1, 5)]
    assert means(record_of(tmp_path, "".join(lines))) == {"tokens_per_s_per_chip": 32768.0}
