"""What is dropped on the window goes where it can be read."""

import json
from pathlib import Path

import pytest

from gui.window.incoming_files import is_config
from gui.window.main_window import MainWindow


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("config.json", json.dumps({"model_type": "llama", "hidden_size": 64}), True),
        ("mine.json", json.dumps({"architectures": ["LlamaForCausalLM"]}), True),
        ("config.json", "{", True),
        ("bench.json", json.dumps({"output_throughput": 900.0, "mean_ttft_ms": 40.0}), False),
        ("lines.json", '{"loss": 1}\n{"loss": 2}\n', False),
        ("rows.json", "[1, 2]", False),
    ],
)
def test_a_config_is_told_from_a_benchmark(tmp_path: Path, name: str, text: str, expected: bool) -> None:
    (tmp_path / name).write_text(text)
    assert is_config(tmp_path / name) is expected


def test_logs_dropped_together_are_read_together(
    window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    paths = [tmp_path / "a.log", tmp_path / "bench.json", tmp_path / "folder"]
    paths[0].write_text("completed step")
    paths[1].write_text('{"output_throughput": 9}')
    paths[2].mkdir()
    read: list[list[Path]] = []
    monkeypatch.setattr(window.tabs.calibrate().importing, "files", read.append)
    window.incoming.take(*paths)
    assert read == [paths]
