"""Ways that break hard limits: never best, told with what they break, and what may be signed."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from core.amounts import Amount
from core.comparison.over_time.answer import OverTime, over_time
from core.comparison.over_time.held import held_by
from core.comparison.over_time.limits_words import broken_shortly, limits_lines
from core.comparison.over_time.over_time_json import over_time_json
from core.comparison.over_time.way import Failed
from core.comparison.over_time.words import as_planned, headline, owned_words, story, table
from core.comparison.result import ResultSet
from core.throughput.types import Reason
from core.workload.phases import Measure, Phase

ON_PREMISES = "A cloud offer, and the work must stay on premises"
NO_SPOT = "Paid as spot, which is not allowed"


def _answer(bank: ResultSet, *phases: Phase) -> OverTime:
    answer = over_time(phases, {bank.profile.id: bank})
    assert answer is not None
    return answer


def _phase(name: str, **more: Any) -> Phase:
    return Phase(id=name, name=name, workload="bank-on-premises", **{"stage": "serve"} | more)


@pytest.fixture(scope="module")
def piloted(bank: ResultSet) -> OverTime:
    """Pilot of 60 days, then serve: on the pick, which is bought."""
    return _answer(bank, _phase("pilot", stage="pilot", days=60.0, measures=(Measure(),)), _phase("serve"))


def test_a_way_that_breaks_hard_limits_is_never_the_best_however_cheap(piloted: OverTime) -> None:
    own, tpu = piloted.ways
    assert tpu.title == "All-TPU" and tpu.total.likely < own.total.likely
    assert piloted.best == 0 and piloted.breaking == (tpu,) and piloted.rivals == ()
    assert [one.code for one in tpu.broken] == ["place", "purchase"] and not own.broken


def test_what_is_broken_is_told_wherever_the_way_is(piloted: OverTime) -> None:
    line = str(headline(piloted))
    assert line.startswith("All-GPU fits best: $") and "; All-TPU breaks 2 hard limits. " in line
    assert "below" not in line and line.endswith("To be proved before signing: 8 × MI300X.")
    assert str(as_planned(piloted)) == "All-GPU, as planned, fits best: no other way keeps the hard limits"
    (told,) = limits_lines(piloted)
    assert str(told).startswith(f"All-TPU breaks 2 hard limits: {ON_PREMISES}; ") and NO_SPOT in str(told)
    kept, broken = dict(table(piloted))["Hard limits"]
    assert (str(kept.likely), str(broken.likely), broken.tone) == ("kept", "broken", "err")
    assert NO_SPOT in str(broken.beside)
    notes = story(piloted, piloted.ways[1], piloted.ways[1].runs[0]).chapters[0]
    assert notes.title == "Hard limits broken"
    assert "Allow spot" in [str(one.words) for one in notes.lines]


def test_json_says_it_too(piloted: OverTime) -> None:
    told = json.loads(json.dumps(over_time_json(piloted)))
    own, tpu = told["ways"]
    assert told["fits_best"] == "All-GPU" and own["breaks_limits"] == [] and own["to_be_proved"] == ["8 × MI300X"]
    assert [one["code"] for one in tpu["breaks_limits"]] == ["place", "purchase"]
    assert all(ON_PREMISES in phase["note"] and NO_SPOT in phase["note"] for phase in tpu["phases"])
    assert all(phase["note"] == "" for phase in own["phases"])
    first, last = own["phases"]
    assert first["bought_usd"]["likely"] > 0 == first["worth_back_usd"]["likely"]
    assert last["worth_back_usd"]["likely"] > 0 == last["bought_usd"]["likely"]
    assert "bought_usd" not in tpu["phases"][0]


def test_where_no_way_keeps_the_limits_none_is_best(bank: ResultSet) -> None:
    tpu = next(one for one in bank.results if one.candidate.accelerator.kind == "tpu")
    gpu = next(one for one in bank.results[bank.n_feasible :] if one.candidate.accelerator.kind == "gpu")
    answer = _answer(bank, _phase("serve", candidate=tpu.id))
    assert answer.own.title == "All-TPU" and answer.best == 1
    assert str(as_planned(answer)).startswith("All-TPU, as planned, breaks a hard limit: A cloud offer")
    assert str(as_planned(answer)).endswith("; All-GPU keeps all")
    assert str(headline(answer)).startswith("All-GPU fits best: $")
    both = _answer(bank, _phase("a", candidate=tpu.id), _phase("b", candidate=gpu.id))
    alone = replace(both, ways=both.ways[:1], best=None)
    assert both.own.broken and str(headline(alone)).startswith("Mixed breaks ")
    none = replace(both, ways=(both.own, replace(both.own, title="Other")), best=None)
    assert str(headline(none)).startswith("No way can be signed: Mixed breaks ")
    assert json.loads(json.dumps(over_time_json(none)))["fits_best"] is None


def test_the_workload_s_own_deadline_is_no_limit_of_a_phase_and_that_of_an_option_is(bank: ResultSet) -> None:
    late = Reason("deadline", "A day past the deadline.")
    dear = Reason("budget", "$1 over budget.")
    row = bank.n_feasible
    for reasons, codes in (((late,), []), ((late, dear), ["budget"])):
        option = replace(bank.results[row], feasible=False, reasons=reasons)
        known = replace(bank, results=[*bank.results[:row], option, *bank.results[row + 1 :]])
        held = held_by(known, _phase("serve", candidate=option.id))
        assert held is not None and [one.code for one in held.broken] == codes
        trial = held_by(known, _phase("explore", stage="explore", candidate=option.id))
        assert trial is not None and trial.broken == ()


def test_what_follows_a_failed_pilot_is_told_where_it_breaks_a_limit(piloted: OverTime) -> None:
    own, tpu = piloted.ways
    failed = replace(own, fallback=Failed(tpu, None, None))
    lines = [str(one) for one in limits_lines(replace(piloted, ways=(failed, tpu)))]
    assert lines[1].startswith("Where the pilot fails, what follows breaks 2 hard limits: ")
    assert failed.priced_in_usd is None
    assert str(dict(table(replace(piloted, ways=(failed,), best=0)))["with a failed pilot priced in"][0].beside) == (
        "a hard limit is broken"
    )


def test_ways_that_keep_all_are_told_nothing(mixed: OverTime) -> None:
    assert limits_lines(mixed) == () and broken_shortly(mixed.ways) == "" and owned_words(mixed) == ""
    assert "Hard limits" not in dict(table(mixed))


def test_a_story_of_bought_hardware_adds_up(piloted: OverTime) -> None:
    for run in piloted.own.runs:
        cost = next(one for one in story(piloted, piloted.own, run).chapters if one.title == "Cost")
        values = [one.value.value for one in cost.lines if isinstance(one.value, Amount)]
        signed = [-usd if one.sign == "\u2212" else usd for one, usd in zip(cost.lines, values, strict=True)]
        assert sum(signed[:-1]) == pytest.approx(signed[-1]) == pytest.approx(run.cost.likely)
