"""Lines of any log: what was written over is gone, colours and launcher prefixes too."""

from pathlib import Path

import pytest

from core.errors import InputError
from core.logs import text as text_module
from core.logs.text import TOO_LONG, lines_of, log_blocks, log_lines, unquoted, without_prefix


@pytest.mark.parametrize(
    ("written", "lines"),
    [
        ("a\nb\n", ["a", "b"]),
        ("a\r\nb\r\n", ["a", "b"]),
        ("10%\r50%\rstep 1\nstep 2\n", ["step 1", "step 2"]),
        ("\x1b[32mstep 1\x1b[0m\n", ["step 1"]),
        ("1%\r\x1b[1;31mstep 3\x1b[0m", ["step 3"]),
        ("a\n\nb", ["a", "", "b"]),
    ],
)
def test_a_line_is_its_last_state_without_colours(tmp_path: Path, written: str, lines: list[str]) -> None:
    path = tmp_path / "run.log"
    for encoding in ("utf-8", "utf-8-sig", "utf-16"):
        path.write_bytes(written.encode(encoding))
        assert list(log_lines(path)) == lines


def test_an_unknown_byte_does_not_stop_a_log(tmp_path: Path) -> None:
    path = tmp_path / "run.log"
    path.write_bytes(b"loss 1\xff\nstep 2\n")
    assert list(log_lines(path)) == ["loss 1\ufffd", "step 2"]


@pytest.mark.parametrize(
    ("content", "words"), [(b"", "an empty file"), (b" \n\n", "an empty file"), (b"PK\x03\x04\0\0", "a binary file")]
)
def test_what_is_no_text_is_told(tmp_path: Path, content: bytes, words: str) -> None:
    path = tmp_path / "run.log"
    path.write_bytes(content)
    with pytest.raises(InputError, match=words):
        list(log_lines(path))
    with pytest.raises(InputError, match="no such file"):
        list(log_lines(tmp_path / "none.log"))
    with pytest.raises(InputError, match="a folder"):
        list(log_lines(tmp_path))


@pytest.mark.parametrize(
    "prefix",
    ["[1,0]<stdout>: ", "[1,12]<stderr>:", "[rank3]: ", "I0102 03:04:05.678  12 trainer.cc:42] ",
     "2026-11-22T08:00:00.5Z ", "2026-11-22T08:00:00Z [rank0]: ", "> ", "> > ",
     "2026-11-22T08:00:00.123456789Z stdout F ", "2026-11-22T08:00:00+02:00 stderr P ",
     "Nov  2 08:00:00 node-7 srun[1234]: ", "2026-11-22T08:00:00+0100 node7 kubelet[7]: ", "Nov  2 08:00:00 ",
     "[pod/run-0-abc/jax-tpu] ",
     "bench-1  | ", "(WorkerDict pid=1234, ip=10.0.0.7) ", "(APIServer pid=1) "],
)  # fmt: skip
def test_what_launchers_put_before_a_line_is_taken_off(prefix: str) -> None:
    assert without_prefix(f"{prefix}step 7: loss 2.1") == "step 7: loss 2.1"
    assert without_prefix("step 7: loss 2.1") == "step 7: loss 2.1"


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("Nov 23 10:00:00 completed step: 7, seconds: 4.0", "completed step: 7, seconds: 4.0"),
        ("Nov 23 10:00:00 2026", "Nov 23 10:00:00 2026"),
        ('{"log":"[rank0]: step 7\\tof 9\\n","stream":"stdout","time":"2026-11-22T08:00:00Z"}', "step 7\tof 9"),
        ('{"insertId": "a", "textPayload": "step \\"7\\"\\n", "timestamp": "2026"}', 'step "7"'),
        ('{"log":"\\x"}', "\\x"),
        ('{"logs": "step 7"}', '{"logs": "step 7"}'),
        ('{"log": 7}', '{"log": 7}'),
    ],
)
def test_a_line_that_a_container_s_log_keeps_as_json(line: str, text: str) -> None:
    assert without_prefix(line) == text


def test_a_host_s_name_is_taken_off_a_finished_step_only() -> None:
    assert without_prefix("node-12: completed step: 3") == "completed step: 3"
    assert without_prefix("node-12: warming up") == "node-12: warming up"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize("n_bytes", [7, 64, 10_000])
def test_blocks_hold_the_same_lines(
    tmp_path: Path, encoding: str, n_bytes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(text_module, "_BLOCK_BYTES", n_bytes)
    path = tmp_path / "run.log"
    written = "\n".join(["größe 1", "", "1%\r\x1b[1m2%\x1b[0m", "[rank3]: c"] * 9) + "\nlast"
    path.write_bytes(written.encode(encoding))
    blocks = list(log_blocks(path))
    lines = [line for _, block in blocks for line in lines_of(block)]
    assert len(lines) == sum(n_lines for n_lines, _ in blocks) == len(list(log_lines(path)))
    if n_bytes > 7:
        assert lines == [without_prefix(line) for line in log_lines(path)]
    else:
        assert TOO_LONG[:5] in "".join(lines)


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ('      "step 7: \\"fast\\"\\n",', 'step 7: "fast"'),
        ('  "step 7\\n"', "step 7"),
        ('  "name": "H100",', '  "name": "H100",'),
        ('step "7\\n",', 'step "7\\n",'),
    ],
)
def test_a_notebook_s_quotes_are_taken_off(line: str, text: str) -> None:
    assert unquoted(line) == text
