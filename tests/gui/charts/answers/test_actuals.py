"""The pictures of actuals: on paper as on screen, with deadline, budget and where it leads."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta

import pytest

from core.comparison.actuals.standing import Standing, standing
from core.comparison.actuals.words import CHARTS, SPEND, headline
from core.report.blocks import AnswerFigure
from core.workload.actuals import Baseline, Commitment, Entry, OwnHardware, Tracked
from gui.charts.registry import OF_ANSWERS
from gui.pdf.drawings import drawn
from tests.golden import assert_kept

BEGINS = date(2027, 1, 1)
TODAY = BEGINS + timedelta(days=20)


@pytest.fixture(scope="module")
def late() -> Standing:
    base = Baseline(
        frozen_on=date(2026, 12, 1), candidate="x", name="8 × H100", place="Lambda", n_chips=8, usd_per_chip_hour=5.0,
        amount=10_000.0, work_begins=BEGINS, work_days=100.0, rate_low=80.0, rate_high=125.0, cost_usd=100_000.0,
        cost_low_usd=90_000.0, cost_high_usd=115_000.0, deadline=BEGINS + timedelta(days=110), budget_usd=120_000.0,
    )  # fmt: skip
    entries = tuple(Entry(day=BEGINS + timedelta(days=7 * n), done=400.0, spend_usd=9_000.0) for n in (1, 2))
    return standing(Tracked(workload="w", baseline=base, entries=entries))


@pytest.mark.usefixtures("qapp")
@pytest.mark.parametrize("chart", CHARTS)
def test_it_is_drawn_on_paper_as_on_screen(chart: str, late: Standing) -> None:
    figure = OF_ANSWERS[chart](late, TODAY)
    [drawing] = drawn(AnswerFigure(chart, late, TODAY, "", str(headline(late))), "Actuals")
    printed, svg = drawing.chart, drawing.svg
    assert printed == replace(figure, limits=printed.limits) and printed.title == CHARTS[chart]
    assert [limit.at for limit in printed.limits] == [limit.at for limit in figure.limits]
    assert "days late" in printed.summary and svg.count("<path") + svg.count("<polyline") > 5
    assert {limit.id for limit in printed.limits} == {"deadline", "today", *(["budget"] if chart == SPEND else [])}
    assert printed.curves[-1].low and printed.curves[-1].high


@pytest.mark.parametrize("chart", CHARTS)
def test_where_it_is_drawn_is_kept(chart: str, late: Standing) -> None:
    """Of a run that is late, one that is early, one without deadline, budget and spends, and of a service."""
    base = late.baseline
    early = tuple(Entry(day=BEGINS + timedelta(days=7 * n), done=900.0, spend_usd=5_000.0) for n in (1, 2, 3))
    silent = tuple(one.model_copy(update={"spend_usd": None}) for one in early)
    open_end = base.model_copy(update={"deadline": None, "budget_usd": None})
    service = base.model_copy(update={"ends": False})
    of = {"early": (base, early), "open": (open_end, silent), "service": (service, early), "begun": (base, ())}
    standings = {"late": late} | {
        name: standing(Tracked(workload="w", baseline=planned, entries=entries))
        for name, (planned, entries) in of.items()
    }
    days = (TODAY, BEGINS - timedelta(days=9), BEGINS + timedelta(days=400))
    drawn_at = {f"{name} {day}": OF_ANSWERS[chart](one, day) for name, one in standings.items() for day in days}
    assert_kept(f"actuals_chart_{chart}", drawn_at)


def test_bought_hardware_is_paid_at_first_and_its_worth_comes_back_at_the_end(late: Standing) -> None:
    own = OwnHardware(price_usd=60_000.0, installing_usd=10_000.0, worth_usd=30_000.0)
    base = late.baseline.model_copy(update={"own": own})
    hours = Entry(day=BEGINS + timedelta(days=10), done=1000.0, chip_hours=1.0)
    planned, entered, cone = OF_ANSWERS[SPEND](
        standing(Tracked(workload="w", baseline=base, entries=(hours,))), TODAY
    ).curves
    assert (planned.xs, planned.ys) == ((0.0, 0.0, 100.0, 100.0), (0.0, 70_000.0, 130_000.0, 100_000.0))
    assert entered.ys == pytest.approx((70_000.0, 76_000.0)), "as planned to date"
    assert cone.ys == pytest.approx((76_000.0, 130_000.0, 100_000.0), rel=0.01) and cone.xs[1] == cone.xs[2]


def test_rent_that_is_owed_after_the_work_is_added_at_its_end(late: Standing) -> None:
    year = Commitment(months=12, term_usd=73_000.0, n_terms=1)
    base = late.baseline.model_copy(update={"commitment": year, "cost_usd": 83_000.0})
    entry = Entry(day=BEGINS + timedelta(days=10), done=1000.0, spend_usd=3_000.0)
    one = standing(Tracked(workload="w", baseline=base, entries=(entry,)))
    planned, entered, cone = OF_ANSWERS[SPEND](one, TODAY).curves
    assert (planned.xs, planned.ys) == ((0.0, 100.0, 100.0), (0.0, 30_000.0, 83_000.0))
    assert entered.ys == (0.0, 3_000.0)
    assert cone.ys == pytest.approx((3_000.0, 30_000.0, 83_000.0), rel=0.01) and cone.xs[1] == cone.xs[2]


def test_a_table_of_the_entries_is_there_to_be_saved(late: Standing) -> None:
    table = OF_ANSWERS[SPEND](late, TODAY).table
    assert table == (("day", "done_tokens", "spend_usd"), ("2027-01-08", "400", "9000.00"),
                     ("2027-01-15", "800", "18000.00"))  # fmt: skip
