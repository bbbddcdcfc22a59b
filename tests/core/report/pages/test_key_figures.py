"""The plan's few figures: cash by quarter, by month where it is due within one, and as a table of many."""

from __future__ import annotations

import pytest

from core.comparison.together.plan_answer import PlanAnswer, answer_of
from core.report.blocks import KeyFigures, Table
from core.report.ledger import ledger_of, units_text
from core.report.pages import key_figures as page
from core.report.pages.key_figures import MOST_BARS, cash_told, key_figures


@pytest.fixture(scope="module")
def answer(results) -> PlanAnswer:
    known = answer_of(list(results.values()))
    assert known is not None
    return known


def _told(monkeypatch: pytest.MonkeyPatch, answer: PlanAnswer, *due: tuple[str, int]) -> tuple[KeyFigures, bool]:
    """The figures where the cash falls due so, and whether a table stands below them."""
    monkeypatch.setattr(page, "cash_told", lambda _: due)
    blocks = key_figures(answer)
    assert isinstance(blocks[0], KeyFigures)
    return blocks[0], isinstance(blocks[-1], Table)


def test_what_is_due_adds_up_to_the_plan(answer: PlanAnswer) -> None:
    ledger = ledger_of(answer)
    due = cash_told(ledger)
    assert sum(units for _, units in due) == ledger.total
    assert [name for name, _ in due][0].startswith("Q") == (len(ledger.quarters) > 1)


def test_cash_that_is_due_at_once_is_one_of_the_figures(monkeypatch: pytest.MonkeyPatch, answer: PlanAnswer) -> None:
    told, has_table = _told(monkeypatch, answer, ("Jan 2027", 120))
    assert (told.items[-1].title, told.items[-1].value, told.items[-1].note) == ("Cash due", "Jan 2027", "all of it")
    assert told.bars == () and not has_table


def test_the_longest_bar_is_whole_and_none_lies_left_of_the_axis(
    monkeypatch: pytest.MonkeyPatch, answer: PlanAnswer
) -> None:
    told, has_table = _told(monkeypatch, answer, ("Q1", 50), ("Q2", 200), ("Q3", -10))
    assert [(bar.name, bar.value) for bar in told.bars] == [
        (n, units_text(u)) for n, u in (("Q1", 50), ("Q2", 200), ("Q3", -10))
    ]
    assert [bar.share for bar in told.bars] == [0.25, 1.0, 0.0] and not has_table


@pytest.mark.parametrize(("n_due", "is_table"), [(MOST_BARS, False), (MOST_BARS + 1, True)])
def test_many_quarters_stand_as_a_table(
    monkeypatch: pytest.MonkeyPatch, answer: PlanAnswer, n_due: int, is_table: bool
) -> None:
    told, has_table = _told(monkeypatch, answer, *((f"Q{n}", 10) for n in range(n_due)))
    assert (has_table, bool(told.bars)) == (is_table, not is_table)
