"""Chips that a seller holds for the user are billed by use, and are called reserved wherever the way to pay is told."""

from __future__ import annotations

from dataclasses import replace

from core.comparison.cost_words import paid_words
from core.comparison.questions.cash import cash_plan
from core.comparison.questions.cash_words import way_words
from core.report.pages.decision import title_sentence


def test_reserved_chips_are_not_called_on_demand(results) -> None:
    train = results["train"]
    pick = train.choice
    offer = pick.candidate.offer.model_copy(update={"held_chips": 512, "purchase_model": "on_demand"})
    held = replace(pick, candidate=replace(pick.candidate, offer=offer))
    own = replace(train, recommendation=replace(train.recommendation, too_close=False))
    assert paid_words(offer) == "reserved" and paid_words(offer.model_copy(update={"held_chips": None})) == "on demand"
    assert ", reserved at " in title_sentence(own, held) and "on demand" not in title_sentence(own, held)
    plan = cash_plan(train, pick)
    assert plan is not None
    line = plan.lines[0]
    variant = replace(line.variant, option=replace(line.variant.option, offer=offer))
    assert way_words(replace(line, variant=variant)).startswith("reserved, ")
