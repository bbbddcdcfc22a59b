"""Beside which option the pick is asked what if, among options made by hand."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from core.comparison.what_if.rival import rival_of


def _option(name: str, kind: str = "gpu", fits: bool = True) -> Any:
    candidate = SimpleNamespace(accelerator=SimpleNamespace(kind=kind))
    return SimpleNamespace(id=name, candidate=candidate, throughput=SimpleNamespace(fits=fits))


PICK, NEXT, SECOND = _option("pick"), _option("next"), _option("second")
TPU, TPU_TOO_SMALL = _option("tpu", "tpu"), _option("small tpu", "tpu", fits=False)


@pytest.mark.parametrize(
    ("of_chips", "runner_up", "rival"),
    [
        ([PICK, NEXT, TPU], "second", TPU),
        ([PICK, NEXT, TPU_TOO_SMALL], "second", SECOND),
        ([PICK, NEXT], None, NEXT),
        ([PICK, NEXT], "pick", NEXT),
        ([PICK, NEXT], "gone", NEXT),
        ([PICK], None, None),
    ],
)
def test_the_rival_is_of_the_other_kind_else_the_runner_up_else_the_next_chip(
    of_chips: list[Any], runner_up: str | None, rival: Any
) -> None:
    by_id = {one.id: one for one in (PICK, NEXT, SECOND, TPU)}
    results: Any = SimpleNamespace(best_per_accelerator=of_chips, runner_up=by_id.get(runner_up or ""), basis=None)
    assert rival_of(results, PICK) is rival
