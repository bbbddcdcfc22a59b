"""A vendor that the program has never heard of: at most two rows in a copy of the data folder."""

from __future__ import annotations

import csv
import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

from core import paths
from core.catalogue.catalogue import Catalogue
from core.catalogue.chip_families import chip_families
from core.catalogue.loading import load_catalogue

VENDOR, CHIP = "Huawei", "ascend-910c"
FAMILY_ROW = {
    "vendor": VENDOR, "kind": "gpu", "light": ["#7A3E9D", "#6A2E8D"], "dark": ["#C9A0E0", "#D0B0E6"],
    "architectures": [{
        "id": "ascend", "chips": [CHIP], "generation": "ascend", "training": "hopper", "serving": "ampere",
        "samples": "ada", "best_product": 0.7, "source": "GUESS", "as_of": "2026-11 (memory)", "estimate": True,
    }],
}  # fmt: skip
"""An architecture that borrows its coefficients."""


@contextmanager
def data_with(folder: Path, *, family: dict[str, Any] | None = None) -> Iterator[Catalogue]:
    """The catalogue of a copy of the shipped data with a row for the chip, and one for its family if there is one."""
    data = Path(shutil.copytree(paths.resources(), folder / "resources", ignore=shutil.ignore_patterns("*.png")))
    _add_chip(data / "catalogue" / "accelerators.csv")
    if family:
        _add_family(data / "catalogue" / "chip_families.json", family)
    chip_families.cache_clear()
    with patch.object(paths, "resources", lambda: data):
        try:
            yield load_catalogue(data / "catalogue")
        finally:
            chip_families.cache_clear()


def _add_chip(path: Path) -> None:
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    like = next(row for row in rows if row["id"] == "h100-sxm")
    own = {
        "id": CHIP, "vendor": VENDOR, "name": "Ascend 910C", "short_name": "Ascend 910C", "family": "huawei_gpu",
        "measured_bf16_tflops": "", "measured_fp8_tflops": "", "tdp_w": "", "scaleup_link": "HCCS",
    }  # fmt: skip
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(like))
        writer.writeheader()
        writer.writerows([*rows, {**like, **own}])


def _add_family(path: Path, row: dict[str, Any]) -> None:
    table = json.loads(path.read_text(encoding="utf-8"))
    table["families"].append(row)
    path.write_text(json.dumps(table), encoding="utf-8")
