"""How tables are read is kept with the plan, and saved with it."""

from __future__ import annotations

from pathlib import Path

from core.logs.mapping.model import MappedColumn, TableMapping
from core.plan.imports import with_mapping
from core.plan.plan import Plan
from core.plan.store import load, save
from core.report.plan_hash import plan_hash


def _mapping(name: str, unit: str) -> TableMapping:
    return TableMapping(columns=(MappedColumn(name=name, meaning="power_w", unit=unit),))


def test_mappings_are_kept_one_for_the_same_columns(tmp_path: Path) -> None:
    plan = Plan(id="p")
    hash_before = plan_hash(plan)
    for mapping in (_mapping("a", "W"), _mapping("b", "W"), _mapping("a", "kW")):
        plan = with_mapping(plan, mapping)
    save(plan, tmp_path / "a.roofplan")
    assert load(tmp_path / "a.roofplan").table_mappings == (_mapping("b", "W"), _mapping("a", "kW"))
    assert plan_hash(plan) == hash_before, "it changes no answer"


def test_the_oldest_of_too_many_goes() -> None:
    plan = Plan(id="p")
    for number in range(101):
        plan = with_mapping(plan, _mapping(f"column {number}", "W"))
    assert len(plan.table_mappings) == 100 and plan.table_mappings[0] == _mapping("column 1", "W")
