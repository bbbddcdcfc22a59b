"""When sellers must prove something on paper."""

from __future__ import annotations

from typing import Any

import pytest

from core.workload.profile import Places


@pytest.mark.parametrize(
    ("asked", "is_asked"),
    [({}, False), ({"certificates": ("iso27001",)}, True), ({"min_sla_pct": 99.9}, True),
     ({"certificates": ("iso27001",), "min_sla_pct": 99.9}, True)],
)  # fmt: skip
def test_papers_are_asked_for_by_certificates_or_an_sla(asked: dict[str, Any], is_asked: bool) -> None:
    assert Places(**asked).asks_for_papers is is_asked
