"""The shipped portfolio under a few settings, as JSON and in words: no figure drifts unseen."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from core.comparison.portfolio.portfolio_json import portfolio_json
from core.comparison.portfolio.printed import printed_cash
from core.comparison.portfolio.result import PortfolioAnswer
from core.comparison.portfolio.words import base_words, headline, notes, packing_words, story, sure_words, table
from tests.golden import assert_kept

Ask = Callable[..., PortfolioAnswer]
SETTINGS = {
    "as_shipped": {},
    "h200_base": {"chip": "h200-sxm", "base_chips": 8, "copies": 2},
    "tpu_short": {"chip": "tpu-v6e", "months": 7},
}


@pytest.mark.parametrize("name", SETTINGS)
def test_the_answer_is_kept(ask: Ask, name: str) -> None:
    answer = ask(**SETTINGS[name])
    words = [headline(answer), sure_words(answer), base_words(answer), packing_words(answer), *notes(answer)]
    stories = [
        [one.id, told.title, told.place, *([chapter.title, str(chapter.note), *map(_line, chapter.lines)])]
        for one in answer.schemes
        for told in [story(answer, one)]
        for chapter in told.chapters
    ]
    cells = [
        [title, *([str(cell.likely), str(cell.beside), cell.tone] for cell in row)] for title, row in table(answer)
    ]
    told = {
        "words": [str(one) for one in words],
        "table": cells,
        "stories": stories,
        "cash": [printed_cash(one) for one in answer.schemes],
        "bands": answer.bands,
        "json": portfolio_json(answer),
    }
    assert_kept(f"portfolio_{name}", told)


def _line(line: object) -> list[str]:
    return [str(getattr(line, name)) for name in ("sign", "words", "value", "tone")]
