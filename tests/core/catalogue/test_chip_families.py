"""The table of chip families: whole, without repeats, and with an answer for chips that no row names."""

from __future__ import annotations

import csv
import json
from collections import Counter
from pathlib import Path
from typing import Any, get_args

import pytest

from core import paths
from core.catalogue.chip_families import (
    EngineTable,
    architecture_of,
    chip_families,
    family_of,
    read_chip_families,
    same_generation,
    software_family_of,
)
from core.catalogue.loading import load_catalogue
from core.errors import InputError
from core.throughput.parameters import shipped_parameters
from tests.core.new_vendor import CHIP, FAMILY_ROW, data_with

CATALOGUE = load_catalogue()
CHIPS = CATALOGUE.accelerator_by_id
PREFIXES: dict[EngineTable, tuple[str, ...]] = {
    "training": ("ln_gemm", "attention"),
    "serving": ("hbm_share", "prefill_share", "host"),
    "samples": ("compute", "memory"),
}


def test_every_shipped_chip_is_of_the_family_that_its_entry_names() -> None:
    for chip in CATALOGUE.accelerators:
        assert family_of(chip).id == software_family_of(chip).id == chip.family
        assert family_of(chip).name.startswith(chip.vendor)


def test_no_row_and_no_chip_stands_twice_and_every_chip_is_known() -> None:
    rows = chip_families().rows
    listed = [chip for row in rows for one in row.architectures for chip in (*one.chips, *one.superchips)]
    chips = [chip for row in rows for one in row.architectures for chip in one.chips]
    assert max(Counter(chips).values()) == max(Counter(row.id for row in rows).values()) == 1
    assert set(listed) <= set(CHIPS)
    for row in rows:
        assert all(CHIPS[chip].kind == row.kind for one in row.architectures for chip in one.chips)
        assert all(set(one.superchips) <= set(one.chips) for one in row.architectures)


def test_every_row_has_a_source_of_the_catalogue() -> None:
    for row in chip_families().rows:
        for entry in (row, *row.architectures):
            assert set(entry.source.split("+")) <= set(CATALOGUE.sources), entry.id


def test_every_engine_table_holds_the_coefficients_that_the_rows_name() -> None:
    assert set(PREFIXES) == set(get_args(EngineTable))
    for table, prefixes in PREFIXES.items():
        known = shipped_parameters(table)
        names = chip_families().coefficients[table]
        assert [f"{p}_{name}" for p in prefixes for name in names if f"{p}_{name}" not in known] == []


def test_facts_for_the_debugger_are_of_known_families() -> None:
    with (paths.resources() / "flexibility" / "debug_facts.csv").open(encoding="utf-8", newline="") as file:
        assert {row["chip_family"] for row in csv.DictReader(file)} <= set(chip_families().by_id)


def test_a_speed_carries_over_within_a_generation_only() -> None:
    assert same_generation("tpu-v5e") == ("tpu-v5p",)
    assert set(same_generation("mi300x")) == {"mi325x"}
    assert same_generation("tpu-v6e") == same_generation("gaudi3") == same_generation("rubin") == ()


def test_a_chip_id_counts_only_with_its_kind() -> None:
    """An own chip may carry any kind: coefficients of another kind would not be found."""
    assert architecture_of(CHIPS["tpu-v5e"].model_copy(update={"kind": "gpu"})).training == "other"
    assert architecture_of(CHIPS["h100-sxm"].model_copy(update={"kind": "tpu"})).serving == "tpu"


def test_a_corrected_chip_keeps_its_architecture_under_another_vendors_name() -> None:
    chip = CHIPS["h100-sxm"].model_copy(update={"vendor": "Somebody"})
    assert architecture_of(chip).id == "hopper"
    assert (family_of(chip).name, family_of(chip).id) == ("Somebody GPU", "somebody_gpu")
    assert software_family_of(chip).id == "nvidia_gpu"


@pytest.mark.parametrize(
    ("kind", "vendor", "name", "plural"),
    [
        ("gpu", "Intel", "Intel GPU", "Intel GPUs"),
        ("gpu", " nvidia ", "NVIDIA GPU", "NVIDIA GPUs"),
        ("tpu", "Moore Threads", "Moore Threads TPU", "Moore Threads TPUs"),
        ("other", "Graphcore", "Graphcore accelerator", "Graphcore accelerators"),
        ("gpu", "", "GPU", "Other GPUs"),
    ],
)
def test_a_vendor_without_a_row_is_named_after_itself(kind: str, vendor: str, name: str, plural: str) -> None:
    family = chip_families().of_maker(kind, vendor)
    assert (family.name, family.plural) == (name, plural)


def test_a_chip_row_alone_is_named_after_its_vendor(tmp_path: Path) -> None:
    with data_with(tmp_path) as catalogue:
        chip = catalogue.accelerator_by_id[CHIP]
        assert (family_of(chip).id, family_of(chip).name) == ("huawei_gpu", "Huawei GPU")
        assert architecture_of(chip).training == "other"
        assert family_of(chip).light is None


def test_a_family_row_may_leave_out_all_but_its_vendor_and_kind(tmp_path: Path) -> None:
    with data_with(tmp_path, family=FAMILY_ROW) as catalogue:
        chip = catalogue.accelerator_by_id[CHIP]
        family = software_family_of(chip)
        assert (family.id, family.name, family.plural) == ("huawei_gpu", "Huawei GPU", "Huawei GPUs")
        assert (family.kernel_share, family.unpublished_w) == (1.0, (120.0, 300.0, 700.0))
        own = architecture_of(chip)
        assert (own.training, own.serving, own.samples) == ("hopper", "ampere", "ada")
    assert CHIP not in {chip for one in chip_families().by_chip for chip in one}


def _write(folder: Path, families: list[dict[str, Any]]) -> Path:
    path = folder / "chip_families.json"
    path.write_text(json.dumps({"families": families}), encoding="utf-8")
    return path


def test_a_bad_value_is_named_by_row_and_field(tmp_path: Path) -> None:
    shipped = json.loads((paths.resources() / "catalogue" / "chip_families.json").read_text(encoding="utf-8"))
    rows = [*shipped["families"], {"vendor": "X", "kind": "gpu", "kernel_share": "much"}]
    with pytest.raises(InputError, match=rf"row {len(rows)}, field kernel_share: found 'much'"):
        read_chip_families(_write(tmp_path, rows))


def test_a_table_without_a_row_for_all_others_is_refused(tmp_path: Path) -> None:
    shipped = json.loads((paths.resources() / "catalogue" / "chip_families.json").read_text(encoding="utf-8"))
    rows = [row for row in shipped["families"] if row["vendor"] or row["kind"] != "tpu"]
    with pytest.raises(InputError, match="kind tpu: found no row for all others"):
        read_chip_families(_write(tmp_path, rows))
