"""The eight models, each compared once for all tests of the page, and the answer for them on chips let by the year."""

from __future__ import annotations

import math
from typing import Any

import pytest

from core.catalogue.loading import load_catalogue
from core.comparison.portfolio.answer import portfolio_answer
from core.comparison.portfolio.packing import Box, Item, PackedChip, Packing, Placed
from core.comparison.portfolio.result import PortfolioAnswer
from core.throughput.correction import NO_CORRECTIONS
from core.workload.portfolio import Portfolio
from tests.gui.tabs.conftest import Engine
from tests.gui.tabs.portfolio.eight_models import eight_profiles, over_a_year


def by_the_year() -> Portfolio:
    """The settings of the company on chips that are let by the year."""
    return over_a_year().model_copy(update={"chip": "h100-sxm", "provider": "gcp"})


@pytest.fixture(scope="session")
def answer(engine: Engine) -> PortfolioAnswer:
    """What the engine says of them."""
    catalogue = load_catalogue()
    results = {one.id: engine(one, catalogue, NO_CORRECTIONS, lambda: False) for one in eight_profiles()}
    made = portfolio_answer(by_the_year(), results)
    assert made is not None
    return made


def placed(name: str, gib: float, load: float, **more: Any) -> Placed:
    """A model that takes so much of a chip, a fifth of it cache."""
    return Placed(name.lower(), name, 0.8 * gib, 0.0, 0.2 * gib, load, **more)


def packing(*chips: tuple[Placed, ...]) -> Packing:
    """Chips of 80 GiB of which 2 are kept back, with a load limit of 70 %."""
    made = tuple(PackedChip(number, items, 2.0, 80.0) for number, items in enumerate(chips, start=1))
    return Packing(made, (), (), 0.7, 8, 1, tuple(_item(one) for items in chips for one in items), Box(80.0, 2.0, 0.7))


def _item(one: Placed) -> Item:
    """What the engine packs it by: one answer at a time, in no time to speak of."""
    return Item(
        one.workload, one.name, one.weights_gib, one.adapters_gib, one.cache_gib, 0.0, rate=one.load, carries=1.0,
        first_s=1e-3, step_s=1e-4, tokens=10.0, most_answers=1.0, limit_first_s=math.inf, limit_step_s=math.inf,
        base=one.name,
    )  # fmt: skip
