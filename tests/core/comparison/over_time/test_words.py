"""What is said of ways and phases: sums that add up as printed, and words that fit the figures."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from core.amounts import Amount, Counted
from core.comparison.over_time.answer import OverTime
from core.comparison.over_time.gate import Gate
from core.comparison.over_time.runs import Run
from core.comparison.over_time.way import Way
from core.comparison.over_time.words import (
    NO_MEASURES,
    Chapter,
    Story,
    advice_line,
    bar_words,
    chance_words,
    day_words,
    headline,
    percent,
    story,
    table,
    too_late_words,
)
from core.units import DASH, days_span


def _way(answer: OverTime, title: str) -> Way:
    return next(way for way in answer.ways if way.title == title)


def _story(answer: OverTime, stage: str, title: str = "Mixed") -> tuple[Run, Story]:
    way = _way(answer, title)
    run = next(run for run in way.runs if run.phase.stage == stage)
    return run, story(answer, way, run)


def _chapter(told: Story, title: str) -> Chapter:
    return next(one for one in told.chapters if one.title == title)


@pytest.mark.parametrize(
    ("share", "text"),
    [(0.0, "0"), (0.002, "1"), (0.006, "1"), (0.5, "50"), (0.994, "99"), (0.998, "99"), (1.0, "100")],
)
def test_never_and_always_are_said_of_nothing_in_between(share: float, text: str) -> None:
    assert str(percent(share)) == f"{text}\u202f%"


def test_a_phase_stands_where_it_runs_and_a_port_with_its_people(mixed: OverTime) -> None:
    port, told = _story(mixed, "port")
    assert str(told.place) == f"3 people, to {port.held.result.candidate.accelerator.short_name}"
    scale, told = _story(mixed, "scale")
    assert str(told.place) == f"{scale.held.name}, {scale.held.result.candidate.place}"
    assert told.title == "4 Scale"


def test_a_port_costs_people_alone_and_a_port_within_a_phase_beside_its_bill(mixed: OverTime) -> None:
    run, told = _story(mixed, "port")
    weeks = run.porting_usd[0] / run.held.profile.team.engineer_usd_per_week
    assert [str(line.words).split(",")[0] for line in _chapter(told, "Cost").lines] == ["Porting", "This phase"]
    assert [line.sign for line in _chapter(told, "Cost").lines] == ["", "="]
    assert f"{weeks:.2g} weeks" in str(_chapter(told, "Cost").lines[0].words)
    _, told = _story(mixed, "serve")
    assert [line.sign for line in _chapter(told, "Cost").lines] == ["", "+", "="]


@pytest.mark.parametrize("title", ["Mixed", "All-TPU", "All-GPU"])
def test_times_and_costs_of_each_story_add_up(mixed: OverTime, title: str) -> None:
    way = _way(mixed, title)
    for run in way.runs:
        told = story(mixed, way, run)
        *parts, total = _chapter(told, "Cost").lines
        values = [line.value.value for line in (*parts, total) if isinstance(line.value, Amount)]
        assert sum(values[:-1]) == pytest.approx(values[-1]) == pytest.approx(run.cost.likely)
        lengths = [line.value.value for line in _chapter(told, "Time").lines if isinstance(line.value, Counted)]
        assert sum(lengths) == pytest.approx(run.end[0] - run.begin[0])
        assert min(lengths) > 0


def test_a_trial_says_its_rent_and_a_run_its_bill(mixed: OverTime) -> None:
    run, told = _story(mixed, "explore")
    rate = str(_chapter(told, "Cost").lines[0].words)
    assert rate.startswith(f"{run.held.name} × 1\u202f344 h × ") and rate.endswith("the rent")
    assert str(run.held.result.candidate.usd_per_chip_hour) in rate
    assert str(_chapter(_story(mixed, "scale")[1], "Cost").lines[0].words).endswith("the bill without porting")


def test_what_a_phase_takes_is_called_by_what_sets_it(mixed: OverTime) -> None:
    for stage, words in (("explore", "Length as typed"), ("port", "Porting by people"), ("pilot", "2 % of the work"),
                         ("scale", "The whole work"), ("serve", "Months in service")):  # fmt: skip
        assert words in [str(line.words) for line in _chapter(_story(mixed, stage)[1], "Time").lines]


def test_bars_tell_the_gate_the_end_and_what_is_counted(mixed: OverTime) -> None:
    own = mixed.own
    told = {run.phase.stage: str(bar_words(own, run)) for run in own.runs}
    assert told["pilot"].startswith("Gate ") and "3 measures open" in told["pilot"]
    assert told["explore"].startswith("ends ") and told["scale"].startswith("ready ")
    assert told["serve"] == "365 days counted"


def test_a_gate_says_what_is_known_of_it(mixed: OverTime) -> None:
    gate = mixed.own.gate
    assert gate is not None
    known = tuple(one for one in gate.measures if one.chance is not None)
    assert str(chance_words(replace(gate, chance=0.5, measures=known))) == "50\u202f% to pass"
    assert str(chance_words(replace(gate, chance=0.5))) == "at most 50\u202f% to pass, 3 measures open"
    assert str(chance_words(replace(gate, chance=None))) == "chance open"
    assert chance_words(Gate(gate.run, (), None, gate.passes)) == NO_MEASURES


def test_measures_are_told_with_what_is_predicted_of_them(mixed: OverTime) -> None:
    _, told = _story(mixed, "pilot")
    lines = _chapter(told, "Pass or fail").lines
    assert [line.tone for line in lines] == ["", "small", *["warn", "small"] * 3, "total"]
    assert "without a range" in str(lines[3].words) and "not predicted" in str(lines[7].words)
    assert str(lines[1].words).startswith("predicted 100, ")


def test_a_failed_pilot_says_what_it_costs_and_when_to_order(mixed: OverTime) -> None:
    own = mixed.own
    assert own.fallback is not None and own.fallback.ask_by is not None and own.gate is not None
    passed, failed, order = _chapter(_story(mixed, "pilot")[1], "After the gate").lines
    gap = own.fallback.way.total.likely - own.total.likely
    assert (passed.tone, failed.tone) == ("good", "err")
    assert str(failed.words).endswith("more" if gap >= 0 else "less")
    is_before = own.fallback.ask_by < own.gate.run.end[0]
    assert ("before the pilot ends" in str(order.words)) == is_before == own.fallback.is_too_late


def test_an_order_that_lies_before_the_gate_is_told_to_be_too_late_after_it(mixed: OverTime) -> None:
    own = mixed.own
    assert own.fallback is not None and own.gate is not None
    chip, gate_day = own.fallback.way.deciding.held.name, float(own.gate.run.end[0])

    def told(ask_by: float, have_by: float) -> str:
        assert own.fallback is not None and own.gate is not None
        early = replace(own, fallback=replace(own.fallback, ask_by=ask_by, have_by=have_by))
        return str(_chapter(story(mixed, early, own.gate.run), "After the gate").lines[-1].words)

    late = "after the gate is too late for the deadline: to keep that chance,"
    day = day_words(own, 10.0)
    assert told(10.0, 40.0) == f"An order {late} order {chip} by {day}, before the pilot ends"
    assert told(10.0, 10.0) == f"A start {late} begin on {chip} by {day}, before the pilot ends"
    assert told(-5.0, 20.0) == f"An order of {chip} is too late for the deadline even on {day_words(own, 0.0)}"
    assert told(gate_day + 1, gate_day + 9).startswith(f"Order {chip} by ")
    assert too_late_words(own, replace(own.fallback, ask_by=None, have_by=None)) == ""


def test_the_way_that_fits_best_is_told_against_the_plan(mixed: OverTime) -> None:
    best = mixed.ways[mixed.best]
    gap = mixed.own.total.likely - best.total.likely
    assert str(headline(mixed)).startswith(f"{best.title} fits best: {Amount(gap, 'USD')} below Mixed, ready ")
    dearer = replace(mixed, ways=mixed.ways[:2], best=0)
    assert " above All-TPU" in str(headline(dearer)) or " below All-TPU" in str(headline(dearer))
    assert (" above " in str(headline(dearer))) == (mixed.ways[0].total.likely > mixed.ways[1].total.likely)
    assert str(headline(replace(mixed, ways=(best,), best=0))).startswith(
        f"{best.title}: {Amount(best.total.likely, 'USD')}"
    )


def test_the_table_of_ways_marks_what_is_late(mixed: OverTime) -> None:
    rows = dict(table(mixed))
    for way, done, kept in zip(mixed.ways, rows["Work done"], rows["Keeps 14 Jun 2027"], strict=True):
        assert way.deadline is not None
        spare = round(way.deadline - way.ready.likely)
        assert (done.tone, kept.tone) == (("err", "err") if spare < 0 else ("", ""))
        assert str(kept.beside) == f"{abs(spare)} days {'late' if spare < 0 else 'to spare'}"
    assert [cell.likely for cell in rows["Porting"]][2] == DASH and rows["Exit bill"][2].beside == "nothing to port"
    assert "Moving data and weights" not in rows
    assert rows["with a failed pilot priced in"][2].beside == "no other path"
    assert str(rows["with a failed pilot priced in"][0].beside).startswith("\u2264 ")
    weeks = mixed.ways[0].porting_days.likely / 7
    assert str(rows["Porting"][0].beside).startswith(f"{weeks:.2g} weeks, ")


def test_without_a_deadline_no_row_speaks_of_it(mixed: OverTime) -> None:
    free = replace(mixed, ways=tuple(replace(way, deadline=None) for way in mixed.ways))
    assert not any(title.startswith("Keeps") for title, _ in table(free))
    assert all(cell.tone == "" for cell in dict(table(free))["Work done"])


def test_advice_counts_what_speaks_for_the_chips(mixed: OverTime) -> None:
    for way in mixed.ways:
        for run in way.runs:
            told = next((one for one in story(mixed, way, run).chapters if one.title == "Common advice"), None)
            line = str(advice_line(mixed, run))
            assert bool(line) == (told is not None)
            if told is None or not told.note:
                continue
            signs = [one.sign for one in told.lines]
            assert (
                str(told.note) == f"{signs.count('+')} of {signs.count('+') + signs.count(chr(0x2212))} for these chips"
            )
            assert all(str(one.words) in line for one in told.lines)


def test_ranges_of_days_are_those_of_the_draws(mixed: OverTime) -> None:
    run, told = _story(mixed, "pilot")
    low, high = np.percentile((run.end - run.begin)[1:], (10, 90))
    assert str(_chapter(told, "Time").note) == f"{days_span(float(low), float(high))} days"
