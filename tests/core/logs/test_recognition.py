"""Every format knows its own logs and no other's: alone, and one after the other in one file."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.logs.registry import formats
from tests.log_texts import machine, scripts, serving, training
from tests.log_texts.reading import log_of

TEXTS = {**machine.BY_FORMAT, **serving.BY_FORMAT, **training.BY_FORMAT, **scripts.BY_FORMAT}
_CLAIMED_IN_BULK = {"nvidia-smi-csv"}
"""Read as a whole file where it comes first, and else by what claims its rows before."""

KNOWN = [one.id for one in formats() if one.id in TEXTS]


@pytest.mark.parametrize("format_id", KNOWN)
def test_a_log_is_of_its_format_alone(format_id: str, tmp_path: Path) -> None:
    for text in TEXTS[format_id]:
        read = log_of(tmp_path, text)
        assert {record.format for record in read.records} == {format_id} and not read.refused


def test_logs_of_servers_take_nothing_from_what_follows(tmp_path: Path) -> None:
    by_line = [one.id for one in formats() if one.reader and one.id in TEXTS]
    servers_first = sorted(by_line, key=lambda one: one not in serving.BY_FORMAT)
    read = log_of(tmp_path, "\n".join(TEXTS[one][0].lstrip("\ufeff") for one in servers_first))
    assert {record.format for record in read.records} >= set(by_line) - _CLAIMED_IN_BULK


def test_nearly_every_format_has_a_text_here() -> None:
    without = {one.id for one in formats()} - set(TEXTS)
    assert without <= {"superbench"}, "it is refused always"
