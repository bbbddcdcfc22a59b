"""Every field of a plan: its type, bounds, default, title and help, and what stands in a plan that nobody filled in."""

from __future__ import annotations

import json
from typing import Any

import pytest
from pydantic import BaseModel

from core.plan.fields import fields, value_words
from core.plan.plan import Plan
from core.workload.jobs.kinds import BatchInference, FineTuning, OnlineServing, PreTraining
from core.workload.profile import Profile
from tests.golden import assert_kept


def test_the_schema_is_kept() -> None:
    assert_kept("plan_schema", Plan.model_json_schema())


@pytest.mark.parametrize("job", [PreTraining, FineTuning, OnlineServing, BatchInference])
def test_defaults_are_kept(job: type[BaseModel]) -> None:
    told: dict[str, Any] = json.loads(Profile.model_validate({"job": job()}).model_dump_json())
    shown = [
        [info.path, info.title, info.unit, info.expected, info.empty, info.relevant, value_words(info, info.default)]
        for info in fields(Profile(job=job()))
    ]
    assert_kept(f"defaults_{job.__name__}", [told, shown])
