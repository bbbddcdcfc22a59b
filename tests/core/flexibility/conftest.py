"""Candidates to score: shipped chips and offers, bills that a test chooses."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import pytest

from core.catalogue.catalogue import Catalogue
from core.catalogue.loading import load_catalogue
from core.flexibility.judgements import Scorable
from core.flexibility.score import score_all
from core.flexibility.types import CriterionScore, Flexibility
from core.ranges import Range
from core.workload.profile import Profile

Score = Callable[..., Flexibility]
Judge = Callable[..., CriterionScore]
ScoreRows = Callable[[Profile, Catalogue, Sequence[Scorable]], Sequence[Flexibility]]


@pytest.fixture(scope="session")
def catalogue() -> Catalogue:
    return load_catalogue()


@pytest.fixture(scope="session")
def score_rows() -> ScoreRows:
    """A function that scores candidates, each as if of terms of its own."""

    def scored(profile: Profile, book: Catalogue, rows: Sequence[Scorable]) -> Sequence[Flexibility]:
        columns = (np.array([getattr(row, name) for row in rows]) for name in ("running_usd", "waste_usd", "months"))
        return score_all(profile, book, rows.__getitem__, *columns, np.arange(len(rows))).found

    return scored


@pytest.fixture(scope="session")
def score(catalogue: Catalogue, score_rows: ScoreRows) -> Score:
    """A function that scores one candidate of a chip; ``without_support`` empties the software table."""

    def scored(
        profile: Profile,
        accelerator: str = "h100-sxm",
        *,
        running_usd: float = 1e6,
        waste_usd: float = 0.0,
        months: float = 2.0,
        waiting_days: Range | None = None,
        purchase_model: str = "on_demand",
        without_support: bool = False,
    ) -> Flexibility:
        book = replace(catalogue, frameworks=()) if without_support else catalogue
        chip = book.accelerator_by_id[accelerator]
        known = book.offers_by_accelerator.get(accelerator, book.offers)  # a chip sold nowhere takes another's terms
        offer = known[0].model_copy(update={"purchase_model": purchase_model, "accelerator_id": accelerator})
        waiting = waiting_days or Range(0.0, 0.0, 0.0)
        (found,) = score_rows(profile, book, [Scorable(chip, offer, running_usd, waste_usd, months, waiting)])
        return found

    return scored


@pytest.fixture(scope="session")
def judge(score: Score) -> Judge:
    """A function that returns one criterion's answer for a candidate."""

    def judged(criterion: str, profile: Profile, accelerator: str = "h100-sxm", **bill: float) -> CriterionScore:
        return next(one for one in score(profile, accelerator, **bill).criteria if one.id == criterion)

    return judged
