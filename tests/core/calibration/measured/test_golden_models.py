"""Which network the name of a model in a measured row stands for: none drifts unseen."""

from __future__ import annotations

import re
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


ODD = {"granite-3.0-2b": "vocab_size", "granite-3.0-3b-a800m": "vocab_size", "ibm-moe-7b-1b": "vocab_size",
       "falcon-7b": "n_heads"}  # fmt: skip
"""The one figure of a network that is no round number, as its maker gives it."""


@pytest.mark.parametrize("name", [*_SHAPES, *_TIED, *_PLAIN, *_OF_MIXTURES])
def test_figures_of_a_named_shape_are_round_and_fit_together(name: str) -> None:
    """Makers choose layers in pairs and sizes that fill tiles; each head of keys serves as many queries."""
    told = finetuned_model(_row(model=name))
    assert isinstance(told, TransformerModel)
    parts = {"n_layers": 2, "d_model": 64, "n_heads": 2, "d_head": 4, "d_ff": 32, "vocab_size": 8}
    uneven = [field for field, part in parts.items() if getattr(told, field) % part]
    assert uneven == ([ODD[name]] if name in ODD else [])
    assert told.n_heads % told.n_kv_heads == 0


BILLIONS = {"phi-2": 2.8, "phi-3-mini": 3.8, "gemma-2b": 2.5, "granite-3.0-2b": 2.5}
"""Weights of those whose name does not tell them, or cuts them off (the makers' cards)."""


@pytest.mark.parametrize("name", [*_SHAPES, *_TIED, *_PLAIN])
def test_a_named_shape_has_the_weights_that_its_name_tells(name: str) -> None:
    told, in_name = finetuned_model(_row(model=name)), re.search(r"(\d+(?:\.\d+)?)b$", name)
    assert isinstance(told, TransformerModel)
    stated = BILLIONS[name] if name in BILLIONS or not in_name else float(in_name[1])
    assert told.n_params / 1e9 == pytest.approx(stated, rel=0.24)
