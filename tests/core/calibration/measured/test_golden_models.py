"""Which network the name of a model in a measured row stands for: none drifts unseen."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import pytest
from pydantic import BaseModel

from core.calibration.measured.case import any_case_of
from core.calibration.measured.finetuned_models import _NAMES, _OF_MIXTURES, _PLAIN, _SHAPES, _TIED, finetuned_model
from core.calibration.measured.media import _DEBERTA, _ENCODERS, media_network
from core.calibration.measured.table import MeasuredRow
from core.calibration.studies.shipped_studies import SHIPPED, shipped_table
from core.catalogue.loading import load_catalogue
from core.throughput.types import System
from core.workload.models.transformer import TransformerModel
from tests.golden import assert_kept


def _first_of_each_model(work: str) -> dict[str, MeasuredRow]:
    rows: dict[str, MeasuredRow] = {}
    for row in shipped_table(work).rows:
        rows.setdefault(f"{row.text('model')} {row.text('task')}".strip(), row)
    return rows


def _plain(value: Any) -> Any:
    if isinstance(value, BaseModel):
        return value.model_dump(exclude_defaults=True)
    if isinstance(value, System):
        return [value.accelerator.id, value.n_chips, value.chips_per_host, value.network_gbit_per_s]
    return value


def _told(row: MeasuredRow) -> Any:
    case = any_case_of(row, row.work, load_catalogue())
    return {one.name: _plain(getattr(case, one.name)) for one in fields(case) if one.name != "row"}


@pytest.mark.parametrize("table", SHIPPED)
def test_cases_are_kept(table: str) -> None:
    """Of the first row of each model: the network, the job, the layout, or why it is not scored."""
    rows = _first_of_each_model(table)
    assert_kept(f"cases_{table}", {name: _told(row) for name, row in rows.items()})


def _row(**texts: str) -> MeasuredRow:
    return MeasuredRow("table.csv", 1, texts, "finetune")


@pytest.mark.parametrize("name", [*_SHAPES, *_TIED, *_PLAIN, *_OF_MIXTURES])
def test_a_named_shape_is_that_of_its_name(name: str) -> None:
    told = finetuned_model(_row(model=name))
    assert isinstance(told, TransformerModel)
    shape = (_SHAPES | _TIED | _PLAIN | _OF_MIXTURES)[name]
    assert tuple(getattr(told, field) for field in _NAMES) == shape


def test_named_networks_are_kept() -> None:
    tuned = sorted({*_SHAPES, *_TIED, *_PLAIN, *_OF_MIXTURES})
    told = {name: _plain(finetuned_model(_row(model=name))) for name in tuned}
    encoders = sorted({*_DEBERTA, *_ENCODERS})
    told |= {name: _plain(media_network(_row(model=name, task="encoder", input_len="512"))) for name in encoders}
    assert_kept("named_networks", told)
