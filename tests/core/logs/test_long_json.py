"""Objects on one line, far too long: what is left when their lists go."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.logs.long_json import ShortenedJson
from core.logs.text import TOO_LONG, log_lines
from tests.log_texts.reading import figures, only
from tests.log_texts.serving import VLLM_JSON


def _shortened(text: str, step: int, most: int = 100) -> str | None:
    shortened = ShortenedJson(most)
    for at in range(0, len(text), step):
        shortened.take(text[at : at + step])
    return shortened.text


@pytest.mark.parametrize("step", [1, 7, 1000])
def test_lists_are_left_out_wherever_the_pieces_end(step: int) -> None:
    text = r'{"a": 1.5, "l": [1, [2], "]\"["], "b": {"c": "x[y]\\"}, "e": []}'
    assert json.loads(_shortened(text, step) or "") == {"a": 1.5, "l": [], "b": {"c": "x[y]\\"}, "e": []}


@pytest.mark.parametrize("text", ['{"a": [1, 2', '{"a": "no end', '{"a": 1]]', '{"a": ' + "1" * 200 + "}"])
def test_what_cannot_be_told_is_none(text: str) -> None:
    assert _shortened(text, 50) is None


def test_a_result_with_every_request_is_read(tmp_path: Path) -> None:
    value = json.loads(VLLM_JSON)
    detailed = {"ttfts": [0.25] * 30_000, "generated_texts": ['[a]\n"b"'] * 9000, **value, "errors": [""] * 9000}
    assert figures(only(tmp_path, json.dumps(detailed))) == figures(only(tmp_path, VLLM_JSON))


def test_any_other_long_line_is_told(tmp_path: Path) -> None:
    path = tmp_path / "long.txt"
    path.write_text("{" + "x" * 200_000 + "\nnext\n" + "y" * 200_000)
    assert list(log_lines(path)) == [TOO_LONG, "next", TOO_LONG]
