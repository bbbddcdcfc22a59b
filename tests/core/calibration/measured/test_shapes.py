"""Shapes of published models agree with their published sizes."""

import csv

import pytest

from core.calibration.measured.shapes import plain_name, published_model
from core.paths import resources

with (resources() / "measurements" / "shapes.csv").open(encoding="utf-8", newline="") as _file:
    ROWS = list(csv.DictReader(_file))


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["name"])
def test_a_shape_has_its_published_size(row: dict[str, str]) -> None:
    model = published_model(row["name"])
    assert model is not None
    near = 0.3 if "estimate" in row["source"] else 0.1
    assert model.n_params / 1e9 == pytest.approx(float(row["published_params_b"]), rel=near)


def test_the_longest_known_name_counts() -> None:
    names = {"Qwen/Qwen3-30B-A3B-Instruct-2507": "Qwen3 30B-A3B", "glm-5.1-fp8": "glm-5", "qwen3.5-9b": "qwen3.5-9b"}
    assert {name: getattr(published_model(name), "name", None) for name in names} == names
    assert published_model("somebody's own 12b") is None
    assert plain_name("Qwen/Qwen3-8B") == "qwen38b"
