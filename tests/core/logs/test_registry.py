"""A log format is one file: recognised, read, named, counted and charted from what it declares itself."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import core.logs.formats
from core.logs.read import read_log
from core.logs.registry import format_name, formats, quantity_kinds
from gui.charts.kinds.log_timeline import shown_quantities, timeline_rows

FILE = '''
"""A meter that prints the noise of a rack each second."""

import numpy as np

from core.logs.quantities import SHARED, QuantityKind
from core.logs.record import LogRecord, summarise_all
from core.logs.registry import LogFormat

NOISE = {{"{name}": QuantityKind("{unit}", "Noise", 1)}}


class _Reader:
    def __init__(self, file_name):
        self.file_name, self.values = file_name, []

    def take(self, number, line):
        if line.isdigit():
            self.values.append(float(line))
        return line.isdigit() or line.startswith("noise")

    def finish(self):
        values = np.array(self.values)
        series = {{"{name}": values}}
        return [LogRecord(
            file=self.file_name, format="noise", n_lines=len(values) + 1, skipped={{}}, accelerator=None,
            accelerator_id=None, n_accelerators=None, start=None, time_s=np.arange(float(len(values))), series=series,
            quantities=summarise_all(series, {{**SHARED, **NOISE}}),
        )]


FORMAT = LogFormat(
    "noise", "the noise meter's log", "Noise meter", marks=("noise meter",), reader=_Reader, quantities=NOISE
)
'''


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder whose modules count as formats."""
    monkeypatch.setattr(core.logs.formats, "__path__", [*core.logs.formats.__path__, str(tmp_path)])
    _forget()
    yield tmp_path
    sys.modules.pop("core.logs.formats.noise", None)
    _forget()


def _forget() -> None:
    formats.cache_clear()
    quantity_kinds.cache_clear()


def test_a_format_and_its_quantity_are_one_file(folder: Path) -> None:
    (folder / "noise.py").write_text(FILE.format(name="noise_db", unit="dB"), encoding="utf-8")
    log = folder / "rack.txt"
    log.write_text("noise meter\n50\n60\n70\n", encoding="utf-8")
    record = read_log(log)
    assert format_name(record.format) == "Noise meter"
    assert (record.quantities["noise_db"].unit, record.quantities["noise_db"].mean) == ("dB", 60.0)
    assert shown_quantities(record) == ["noise_db"]
    (row,) = timeline_rows(record, ((0.0, 2.0),))
    assert row.title == "Noise, dB"


def test_one_name_means_one_thing(folder: Path) -> None:
    (folder / "noise.py").write_text(FILE.format(name="power_w", unit="kW"), encoding="utf-8")
    with pytest.raises(ValueError, match="format noise means something else by 'power_w'"):
        quantity_kinds()


def test_a_log_of_an_unknown_format_is_called_by_its_id() -> None:
    assert format_name("from-next-year") == "from-next-year"
