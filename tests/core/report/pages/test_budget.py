"""The budget page: what the pick's money trains, where a budget is typed and something is trained."""

from __future__ import annotations

from datetime import date

import pytest

from core.catalogue.loading import load_catalogue
from core.comparison.evaluate import evaluate
from core.plan.plan import Plan
from core.report.blocks import Figure, Paragraph
from core.report.document import build
from core.workload.library import load_profiles


@pytest.mark.parametrize(
    ("name", "budget_usd", "is_there"),
    [("llama3-8b-pretraining", 2e5, True), ("llama3-8b-pretraining", None, False), ("chat-serving-8b", 2e5, False)],
)
def test_the_page_stands_where_it_is_asked(name: str, budget_usd: float | None, is_there: bool) -> None:
    profile, catalogue = load_profiles()[name], load_catalogue()
    profile = profile.model_copy(update={"limits": profile.limits.model_copy(update={"budget_usd": budget_usd})})
    plan = Plan(id="p", profiles=(profile,))
    document = build(plan, {profile.id: evaluate(profile, catalogue)}, catalogue, date(2026, 11, 22), ("budget",))
    assert [section.id for section in document.sections] == (["budget"] if is_there else [])
    if is_there:
        blocks = document.sections[0].blocks
        assert isinstance(blocks[0], Figure) and blocks[0].chart == "budget-reach"
        text = " ".join(block.text for block in blocks if isinstance(block, Paragraph))
        assert "200\u202fk trains" in text and "At 20 tokens a weight" in text
