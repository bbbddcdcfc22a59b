"""A part of the bill that nothing in the code knows: one file in a folder of its own, and nothing else."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import core.cost.parts
from core.cost.registry import component_by_part

LIGHT, DARK, USD = "#12AB34", "#A1F0B2", 250_000.0
FILE = '''
"""Insurance: a sum for each plan."""

import numpy as np

from core.cost.bill.batch import CostBatch
from core.cost.bill.component import Colour, Component
from core.cost.bill.line import Line, constant


def insurance(batch: CostBatch) -> Line:
    """One sum, whatever is insured."""
    usd = {usd}
    return Line(
        usd=np.outer(np.ones(batch.n), (0.5 * usd, usd, 2.0 * usd)),
        formula="the premium",
        inputs=(("Premium", "USD", constant(batch, usd)),),
        sources=("the policy",) * batch.n,
        estimates=(True,) * batch.n,
    )


COMPONENT = Component(
    part="insurance",
    title="Insurance",
    order={order},
    colour=Colour(light="{light}", dark="{dark}"),
    count=insurance,
    {flags}
)
'''


@contextmanager
def new_part(folder: Path, flags: str = "", order: int = 75) -> Iterator[None]:
    """The part is found while the block lasts; ``flags`` as they stand in its file."""
    text = FILE.format(usd=USD, light=LIGHT, dark=DARK, flags=flags, order=order)
    (folder / "insurance.py").write_text(text, encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(core.cost.parts, "__path__", [*core.cost.parts.__path__, str(folder)])
        component_by_part.cache_clear()
        try:
            yield
        finally:
            component_by_part.cache_clear()
            sys.modules.pop("core.cost.parts.insurance", None)
            vars(core.cost.parts).pop("insurance", None)
