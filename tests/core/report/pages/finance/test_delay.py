"""What weeks of waiting cost, on three draws made by hand."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta

import numpy as np
import pytest

from core.comparison.result import ResultSet
from core.comparison.together.plan_answer import answer_of
from core.comparison.together.ways import Picked, picked
from core.ranges import Range
from core.report.blocks import Paragraph, Table
from core.report.pages.finance.delay import _failed, _table, delay_blocks
from core.units import duration, usd
from core.workload.profile import Limits

START = date(2027, 1, 4)
DRAWS = np.array([50.0, 60.0, 70.0], dtype=np.float32)


@pytest.fixture
def run(results: dict[str, ResultSet]) -> Picked:
    known = results["train"]
    pick = known.choice
    assert pick is not None
    limits = Limits(start_date=START, deadline_days=60.0)
    return picked(known.profile.model_copy(update={"limits": limits}), pick)


def _rated(run: Picked, usd: float) -> Picked:
    team = run.profile.team.model_copy(update={"delay_usd_per_day": usd})
    return replace(run, profile=run.profile.model_copy(update={"team": team}))


def test_each_week_moves_every_draw_by_seven_days(run: Picked) -> None:
    """Late by 0, 0, 10; then 0, 7, 17; then 4, 14, 24 days."""
    table, note = _table(_rated(run, 3000.0), DRAWS)
    assert isinstance(table, Table) and isinstance(note, Paragraph)
    told = [[row[0].text, *(cell.text for cell in row[2:])] for row in table.rows]
    assert told == [
        ["4 Jan 2027", "67", "3.3", "$10\u202fk"], ["11 Jan 2027", "33", "8", "$24\u202fk"],
        ["18 Jan 2027", "0", "14", "$42\u202fk"],
    ]  # fmt: skip
    assert [row[2].tone for row in table.rows] == ["", "warn", "warn"]
    assert str(note.text).startswith("Deadline 5 Mar 2027") and "$3\u202fk, as entered" in str(note.text)


def test_the_day_it_is_ready_moves_along(run: Picked) -> None:
    table, _ = _table(run, DRAWS)
    ready = run.pick.days_to_finish
    assert isinstance(table, Table) and ready is not None
    for week, row in enumerate(table.rows):
        day = START + timedelta(days=round(ready.likely) + 7 * week)
        assert row[1].text == f"{day.day} {day:%b %Y}"


def test_without_a_price_of_a_day_nothing_is_said_of_its_cost(run: Picked) -> None:
    table, note = _table(_rated(run, 0.0), DRAWS)
    assert isinstance(table, Table) and isinstance(note, Paragraph)
    assert {len(row) for row in table.rows} == {4} == {len(table.columns)}
    assert str(note.text).endswith("No cost of a day late is entered.")


def test_a_failed_run_costs_its_chips_again(run: Picked) -> None:
    candidate = run.pick.candidate
    a_day = candidate.n_chips * 24 * candidate.usd_per_chip_hour
    days = run.pick.time_terms_days["run"]
    assert run.pick.cost.part("compute") == pytest.approx(a_day * days, rel=0.05)
    assert f"takes {duration(24 * days)} more and " in _failed(
        run
    ) and f"{candidate.n_chips} chips × 24 h × " in _failed(run)
    free = replace(run.pick, candidate=replace(candidate, price=replace(candidate.price, factor=0.0)))
    assert _failed(replace(run, pick=free)).endswith("on chips that are paid already.")


def _by_the_year(run: Picked, days: float, reuse_pct: float = 0.0) -> Picked:
    """The same run for so many days on chips that are paid by the year."""
    candidate, hours = run.pick.candidate, Range(24 * days, 24 * days, 24 * days)
    offer = candidate.offer.model_copy(update={"purchase_model": "commit_1y"})
    pick = replace(
        run.pick, candidate=replace(candidate, offer=offer), run_h=hours, time_terms_days={"waiting": 4.0, "run": days}
    )
    places = run.profile.places.model_copy(update={"commitment_reuse_pct": reuse_pct})
    return replace(run, pick=pick, profile=run.profile.model_copy(update={"places": places}))


def test_a_failed_run_on_chips_paid_by_the_year_costs_no_rent_until_another_year_begins(run: Picked) -> None:
    candidate = run.pick.candidate
    year_usd = candidate.n_chips * 8760 * candidate.usd_per_chip_hour
    assert _failed(_by_the_year(run, 112.0)).endswith("on chips that are paid already.")
    told = _failed(_by_the_year(run, 200.0))
    assert told.endswith(f"and {usd(year_usd)} of chips, which are paid by whole terms.")
    shared = _failed(_by_the_year(run, 100.0, reuse_pct=25.0))
    a_day = 0.25 * candidate.n_chips * 24 * candidate.usd_per_chip_hour
    assert f"{usd(100 * a_day)} of chips" in shared and shared.endswith(
        f"take part of the rest over, {usd(a_day)} a day."
    )


def test_a_plan_without_a_deadline_says_only_what_its_runs_cost(results: dict[str, ResultSet]) -> None:
    answer = answer_of(list(results.values()))
    assert answer is not None
    blocks = delay_blocks(answer)
    timed = [one for one in answer.picks if one.profile.limits.deadline_days is not None]
    assert sum(isinstance(one, Table) for one in blocks) == bool(timed)
    told = [str(one.text) for one in blocks if isinstance(one, Paragraph)]
    assert told[-1].startswith("Train 70B that fails") and not any("Serve 70B that" in one for one in told)
