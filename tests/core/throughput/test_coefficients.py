"""Coefficients that lie at an end of what they may be are told with a reason, and no others are."""

from __future__ import annotations

import json
import re

import pytest

from tests.repository_files import ROOT

NEAR = 0.01
"""Share of a coefficient's span within which it lies at an end."""
TABLE = "Coefficients at the end of what they may be"


def at_an_end() -> dict[str, tuple[float, float]]:
    """Fitted coefficients with the end at which they lie."""
    found = {}
    for path in sorted((ROOT / "resources" / "engine").glob("*.json")):
        for one in json.loads(path.read_text("utf-8")).get("parameters", ()):
            low, high, value = one["low"], one["high"], one["value"]
            assert low <= value <= high, f"{path.name}: {one['name']}"
            end = min((low, high), key=lambda edge: abs(value - edge))
            if one["fitted"] and abs(value - end) < NEAR * (high - low):
                found[f"{path.stem}: {one['name']}"] = value, end
    return found


def told() -> dict[str, tuple[float, float]]:
    _, _, after = (ROOT / "ACCURACY.md").read_text("utf-8").partition(f"## {TABLE}\n")
    lines = re.findall(
        r"^\| `([^`]+)` \| ([\d.]+) \| ([\d.]+) \| \S.{30,} \|$", after.partition("\n## ")[0], re.MULTILINE
    )
    return {name: (float(value), float(end)) for name, value, end in lines}


def test_every_coefficient_at_an_end_has_its_reason_on_the_page() -> None:
    page, shipped = told(), at_an_end()
    assert set(page) == set(shipped)
    for name, (value, end) in shipped.items():
        assert page[name] == (pytest.approx(value, rel=0.01, abs=0.001), end), name
