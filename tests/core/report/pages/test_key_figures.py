"""The plan's few figures: cash by quarter, by month where it is due within one, or by year where there are many."""

from __future__ import annotations

import pytest

from core.comparison.together.plan_answer import PlanAnswer, answer_of
from core.report.blocks import KeyFigures
from core.report.ledger import Entry, Ledger, ledger_of, units_text
from core.report.pages import key_figures as page
from core.report.pages.key_figures import MOST_BARS, cash_told, key_figures


@pytest.fixture(scope="module")
def answer(results) -> PlanAnswer:
    known = answer_of(list(results.values()))
    assert known is not None
    return known


def _told(monkeypatch: pytest.MonkeyPatch, answer: PlanAnswer, *due: tuple[str, int]) -> KeyFigures:
    """The figures where the cash falls due so."""
    monkeypatch.setattr(page, "cash_told", lambda _: due)
    (block,) = key_figures(answer)
    assert isinstance(block, KeyFigures)
    return block


def test_what_is_due_adds_up_to_the_plan(answer: PlanAnswer) -> None:
    ledger = ledger_of(answer)
    due = cash_told(ledger)
    assert sum(units for _, units in due) == ledger.total
    assert [name for name, _ in due][0].startswith("Q") == (len(ledger.quarters) > 1)


def test_cash_that_is_due_at_once_is_one_of_the_figures(monkeypatch: pytest.MonkeyPatch, answer: PlanAnswer) -> None:
    told = _told(monkeypatch, answer, ("Jan 2027", 120))
    assert (told.items[-1].title, told.items[-1].value, told.items[-1].note) == ("Cash due", "Jan 2027", "all of it")
    assert told.bars == ()


def test_the_longest_bar_is_whole_and_none_lies_left_of_the_axis(
    monkeypatch: pytest.MonkeyPatch, answer: PlanAnswer
) -> None:
    told = _told(monkeypatch, answer, ("Q1", 50), ("Q2", 200), ("Q3", -10))
    assert [(bar.name, bar.value) for bar in told.bars] == [
        (n, units_text(u)) for n, u in (("Q1", 50), ("Q2", 200), ("Q3", -10))
    ]
    assert [bar.share for bar in told.bars] == [0.25, 1.0, 0.0]


@pytest.mark.parametrize(
    ("n_months", "names"),
    [
        (18, ["Q1 27", "Q2 27", "Q3 27", "Q4 27", "Q1 28", "Q2 28"]),
        (19, ["2027", "2028"]),
        (37, ["2027", "2028", "2029", "2030"]),
        (85, ["2027", "2028", "2029", "2030", "2031", "Later"]),
    ],
)
def test_many_quarters_stand_as_years(n_months: int, names: list[str]) -> None:
    """The page to sign stays one page: 18 quarters in a table made it two."""
    months = [(2027 + n // 12, n % 12 + 1) for n in range(n_months)]
    ledger = Ledger((), 1e3, "thousand", tuple(Entry(None, "support", month, 10) for month in months))
    due = cash_told(ledger)
    assert [name for name, _ in due] == names and len(names) <= MOST_BARS
    assert sum(units for _, units in due) == ledger.total == 10 * n_months
