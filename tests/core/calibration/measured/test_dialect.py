"""Tables with columns of their own are told from their header and read into the main columns."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.calibration.measured.dialect import catalogue_chip, dialect_of, dialects
from core.calibration.measured.table import METRICS, read_table
from core.errors import InputError


def test_every_kind_of_table_is_told_from_its_marks_alone() -> None:
    for dialect in dialects():
        assert dialect_of(dialect.marks) is dialect
        assert dialect.work_of({"kind": "training"}) in METRICS
    assert dialect_of({"id", "hardware", "n_chips", "model", "tpot_ms"}) is None


@pytest.mark.parametrize(
    ("name", "chip"),
    [("a100-80", "a100-sxm-80"), ("h100-sxm-80", "h100-sxm"), ("rtx-4090", "rtx4090"), ("b200", "b200-sxm"),
     ("tpu-v6e", "tpu-v6e"), ("not stated", "not stated"), ("", "")],
)  # fmt: skip
def test_chips_are_named_as_in_the_catalogue(name: str, chip: str) -> None:
    assert catalogue_chip(name) == chip


def test_an_error_names_the_column_of_the_file(tmp_path: Path) -> None:
    table = tmp_path / "t.csv"
    table.write_text("id,chip,n_chips,model,technique,pair_id,weight_format,output_tokens_per_s\na,h100,1,m,,,bf16,x\n")
    row = read_table(table).rows[0]
    assert (row.work, row.text("hardware"), row.text("weight_precision")) == ("inference", "h100-sxm", "bf16")
    with pytest.raises(InputError, match="row 2, field output_tokens_per_s: found"):
        row.measured()
