"""Worlds asked among a few options, and the same worlds among all."""

from __future__ import annotations

import gc
from dataclasses import replace

import numpy as np
import pytest

from core.catalogue.loading import load_catalogue
from core.comparison.chance.contest import Contest
from core.comparison.chance.errors import N_SCREENED
from core.comparison.columns import trusted_rows
from core.comparison.evaluate import evaluate
from core.comparison.judge.durations import LIKELY
from core.comparison.rank.standings import contest_alone, standings
from core.comparison.result import ResultSet
from core.comparison.search.options import Option
from core.comparison.what_if import contending
from core.comparison.what_if import study as study_module
from core.comparison.what_if.checked import checked
from core.comparison.what_if.few import MOST_OF_ALL, Everyone, Few, Pair, Proved
from core.comparison.what_if.flips import flips, nearest_of
from core.comparison.what_if.inputs import Input
from core.comparison.what_if.study import Study, stood, verdict_in
from core.comparison.what_if.tilts import option_key
from core.comparison.what_if.words import value_words
from core.comparison.what_if.world import World
from core.throughput.types import Throughput
from core.workload.library import load_profiles, more_profiles


def test_the_pick_of_now_is_that_of_the_evaluation(study: Study, results: ResultSet) -> None:
    assert study.verdict().pick == results.recommendation.choice


def test_the_gap_of_now_is_that_of_the_results(study: Study) -> None:
    a, b, gap = study.a, study.b, study.gap()
    assert b is not None and gap is not None and a.days_to_finish and b.days_to_finish
    assert gap.cost_usd == pytest.approx(a.cost.total.likely - b.cost.total.likely)
    assert gap.time == pytest.approx(a.days_to_finish.likely - b.days_to_finish.likely)
    assert a.chance and b.chance and a.chance.regret_usd is not None and b.chance.regret_usd is not None
    assert gap.regret_usd == pytest.approx(a.chance.regret_usd - b.chance.regret_usd, rel=1e-4)


def test_a_dearer_chip_costs_more_and_a_slower_one_runs_longer(study: Study, inputs: dict[str, Input]) -> None:
    def of_a(*moves: tuple[Input, float]) -> tuple[float, float, float]:
        judged, rows = study.sides(*moves)
        row = rows[0]
        listed = judged.shortlisted
        return (
            float(judged.bills.part("compute")[row]),
            float(listed.run_h[row, LIKELY]),
            float(listed.waiting_days[row, LIKELY]),
        )

    price, speed, wait = (inputs[f"{quantity} b200-sxm"] for quantity in ("price", "speed", "wait"))
    now = np.array(of_a())
    assert np.array(of_a((price, 2 * price.now))) / now == pytest.approx([2.0, 1.0, 1.0])
    slower = np.array(of_a((speed, 50.0))) / now
    assert slower[1] == pytest.approx(2.0, rel=0.05)
    assert slower[2] == 1.0
    assert np.array(of_a((wait, 3 * wait.now))) / now == pytest.approx([1.0, 1.0, 3.0])


def test_a_tilted_speed_keeps_its_evidence(study: Study, inputs: dict[str, Input]) -> None:
    judged, rows = study.sides((inputs["speed b200-sxm"], 80.0))
    assert judged.shortlisted.throughput(rows[0]).evidence is study.a.evidence


def test_a_quick_study_asks_few_draws_and_takes_what_all_of_them_said(
    results: ResultSet, study: Study, inputs: dict[str, Input]
) -> None:
    whole = Study(results, study.a.id, study.b.id if study.b else None)
    quick, price = whole.quick, inputs["price b200-sxm"]
    assert quick.quick is quick and quick.verdict() == whole.verdict()
    known, unknown = (price, price.high), (price, price.low)
    of_all = whole.verdict(known)
    assert quick.verdict(known) == of_all
    of_few = quick.verdict(unknown)
    contest = quick.met(unknown)[1]
    assert contest is not None and contest.n_draws == N_SCREENED
    assert (of_few.pick, of_few.lead_usd) == (
        whole.verdict(unknown).pick,
        pytest.approx(whole.verdict(unknown).lead_usd, rel=0.02),
    )
    assert of_few.lead_usd != whole.verdict(unknown).lead_usd


def test_a_study_at_rest_keeps_verdicts_alone(results: ResultSet, study: Study, inputs: dict[str, Input]) -> None:
    whole = Study(results, study.a.id, study.b.id if study.b else None)
    move = (inputs["speed b200-sxm"], 90.0)
    told = whole.verdict(move), whole.quick.verdict((inputs["speed b200-sxm"], 95.0))
    whole.rest()
    assert not whole._lately and not whole.quick._lately
    assert told == (whole.verdict(move), whole.quick.verdict((inputs["speed b200-sxm"], 95.0)))


@pytest.mark.parametrize("profile_id", ["llama3-70b-pretraining", "chat-serving-70b"])
def test_a_gap_among_the_contenders_is_that_of_both_alone(profile_id: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether A and B are found among what was judged anyway, or are judged apart: the same to the last bit."""
    answer = evaluate(load_profiles()[profile_id], load_catalogue())
    pick = answer.choice
    assert pick is not None
    other = next(one for one in answer.best_trusted if one.candidate.accelerator is not pick.candidate.accelerator)
    asked = Study(answer, pick.id, other.id)
    moves = [(one, value) for one in asked.inputs[:12] for value in (one.low, one.high)]
    among = [asked.gap(move) for move in moves]
    monkeypatch.setattr(Pair, "_rows_among", lambda *_: None)
    assert among == [asked.gap(move) for move in moves]


@pytest.mark.parametrize("name", ["price b200-sxm", "job.n_tokens"])
def test_a_flip_is_one_to_an_evaluation_of_all_options(study: Study, inputs: dict[str, Input], name: str) -> None:
    (flip,) = flips(study, [inputs[name]])
    end = flip.nearest
    assert end is not None
    beyond, before = (study.world((flip.input, value)) for value in (end.value, end.before))
    assert verdict_in(beyond, study.basis).pick == end.new.pick
    assert verdict_in(before, study.basis).chip == study.verdict().chip
    if flip.input.path:
        told = evaluate(beyond.profile, study.basis.catalogue).recommendation
        assert told.choice == end.new.pick


@pytest.fixture
def blind(results: ResultSet, study: Study, monkeypatch: pytest.MonkeyPatch) -> Study:
    """A study that keeps nothing but what A's chip has."""
    monkeypatch.setattr(contending, "LEAST_WINS", 2.0)
    monkeypatch.setattr(contending, "N_CHIPS", 0)
    monkeypatch.setattr(contending, "N_CHIPS_UNPROVED", 0)
    monkeypatch.setattr(contending, "PASSING", frozenset())
    return Study(results, study.a.id, None)


def test_what_the_few_options_miss_all_of_them_tell(study: Study, blind: Study, inputs: dict[str, Input]) -> None:
    faster = (inputs["speed h100-sxm"], 150.0)
    assert blind.verdict(faster).chip == study.verdict().chip
    assert blind.verdict_of_all(faster).pick == study.verdict(faster).pick


@pytest.mark.parametrize("name", ["price b200-sxm", "limits.budget_usd"])
def test_a_checked_flip_holds_whatever_the_few_say(
    study: Study, blind: Study, inputs: dict[str, Input], name: str
) -> None:
    told = list(flips(study, [inputs[name]]))
    (held,) = checked(study, told)
    (seeing,) = checked(blind, flips(blind, [inputs[name]]))
    assert held.is_checked and held.nearest == seeing.nearest
    near, few = held.nearest, told[0].nearest
    assert near is not None and few is not None
    assert abs(near.value - few.value) <= abs(few.value - few.before), "the same flip, told more exactly"
    assert str(value_words(held.input, near.value)) != str(value_words(held.input, near.before))


def test_a_checked_flip_is_true_on_both_sides_where_an_option_wins_that_is_none_of_the_few() -> None:
    """A budget so low that only what nobody proved fits: the few do not hold the one that wins there."""
    results = evaluate(more_profiles()["hackathon-week"], load_catalogue())
    assert results.choice is not None
    study = Study(results, results.choice.id, None)
    budget = next(one for one in study.inputs if one.id == "limits.budget_usd")
    (held,) = checked(study, flips(study, [budget]))
    assert held.down is not None and held.up is None
    beyond, before = (verdict_in(study.world((budget, at)), study.basis) for at in (held.down.value, held.down.before))
    assert (beyond.pick, before.chip) == (held.down.new.pick, study.verdict().chip)


def test_the_pick_changes_at_the_value_as_it_is_printed(study: Study, inputs: dict[str, Input]) -> None:
    (held,) = checked(study, flips(study, [inputs["price b200-sxm"]]))
    assert held.up is not None and held.up.value == round(held.up.value, 2)
    assert held.up.value - held.up.before == pytest.approx(0.01)


def test_what_is_asked_last_is_kept_where_there_is_no_room_for_all(
    study: Study, inputs: dict[str, Input], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(study_module, "MOST_KEPT", 1)
    monkeypatch.setattr(study_module, "MOST_LATELY", 1)
    for few in (Few, Everyone, Proved):
        monkeypatch.setattr(few, "most_searches", 1)
    price = inputs["price b200-sxm"]
    first = study.verdict((price, 1.01 * price.now))
    assert study.verdict((price, 1.02 * price.now)).chip == first.chip
    assert study.met((price, 1.02 * price.now)) is study.met((price, 1.02 * price.now))


def test_a_study_that_rests_keeps_nothing_it_worked_with_and_says_the_same(
    results: ResultSet, study: Study, inputs: dict[str, Input]
) -> None:
    assert study.b is not None
    resting = Study(results, study.a.candidate.id, study.b.candidate.id)
    move = inputs["job.n_tokens"], 2e12
    first = resting.verdict(move), resting.verdict_of_all(move), resting.gap(move)
    before = _worked_with()
    resting.rest()
    assert before - _worked_with() > 100
    assert (resting.met(move)[1] is None) == (study.met(move)[1] is None)
    assert (resting.verdict(move), resting.verdict_of_all(move), resting.gap(move)) == first


def _worked_with() -> int:
    """Predictions that are kept anywhere."""
    gc.collect()
    return sum(isinstance(one, Throughput) for one in gc.get_objects())


def test_results_put_together_by_hand_are_refused(results: ResultSet) -> None:
    with pytest.raises(ValueError, match="basis"):
        Study(replace(results, basis=None), "a", None)


@pytest.fixture(scope="module")
def nightly() -> ResultSet:
    return evaluate(load_profiles()["nightly-batch-scoring"], load_catalogue())


def test_the_cheapest_hours_of_each_chip_take_part_where_there_is_more_to_do(nightly: ResultSet) -> None:
    """Larger batches: cheap chips that are too few for today's load win before those that lead today."""
    assert nightly.choice is not None
    study = Study(nightly, nightly.choice.id, None)
    one = next(one for one in study.inputs if one.id == "job.requests_per_batch")
    first = nearest_of(study, next(flips(study, [one])))
    (flip,) = checked(study, [first])
    assert first.up is not None and flip.up is not None
    beyond = [share * first.up.value for share in (1.05, 1.3)]  # where few and all are told apart by more than a dollar
    further = [(one.settled(value), study.verdict((one, value)).chip) for value in beyond]
    for value, chip in ((flip.up.before, study.verdict().chip), (flip.up.value, flip.up.new.chip), *further):
        choice = evaluate(study.world((one, value)).profile, study.basis.catalogue).choice
        assert choice is not None and choice.candidate.accelerator.id == chip


def test_the_cheapest_hours_of_each_chip_that_wins_are_among_those_that_lead(nightly: ResultSet) -> None:
    """They are seldom among the first of their chip: too many for the work of today."""
    assert nightly.basis is not None
    judged, ranking = stood(World(nightly.profile), nightly.basis)
    kept, contest = contending.leading(judged, ranking), ranking.contest
    assert contest is not None
    of_chip: dict[str, Option] = {}
    for row in ranking.rows[trusted_rows(ranking.results.columns, ranking.n_ranked)].tolist():
        option = judged.shortlisted.option(row)
        known = of_chip.setdefault(option.accelerator.id, option)
        if option.usd_per_chip_hour < known.usd_per_chip_hour:
            of_chip[option.accelerator.id] = option
    winning = {judged.batch.accelerators[row].id for row in contest.rows[contest.wins >= 0.01].tolist()}
    assert len(winning) > 3 and {chip for chip in winning if option_key(of_chip[chip]) not in kept} == set()


def test_an_option_with_room_has_room_for_more_work_too(nightly: ResultSet) -> None:
    roomy = nightly.by_id["gh200-96-3x-lambda-any-on_demand"]
    study = Study(nightly, roomy.id, None)
    one = next(one for one in study.inputs if one.id == "job.requests_per_batch")
    judged, (row,) = study.sides((one, one.high))
    assert judged.shortlisted.n_chips[row] == max(judged.shortlisted.n_chips) > roomy.candidate.n_chips


@pytest.mark.parametrize("profile_id", ["nightly-batch-scoring", "video-service", "startup-endpoint"])
def test_a_service_that_turns_out_slow_uses_the_room_it_has_and_makes_no_more(profile_id: str) -> None:
    """At the low end of the speed's range a start-up paid 12 chips for the 6 it had, half of them room for that."""
    results = evaluate((load_profiles() | more_profiles())[profile_id], load_catalogue())
    pick = results.choice
    assert pick is not None
    study = Study(results, pick.id, None)
    speed = next(one for one in study.inputs if one.id.startswith("speed"))
    n_chips = []
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        judged, (row,) = study.sides((speed, speed.low + share * (speed.now - speed.low)))
        n_chips.append(int(judged.shortlisted.n_chips[row]))
    assert n_chips == sorted(n_chips, reverse=True) and n_chips[-1] == pick.candidate.n_chips
    assert n_chips[0] <= 1.5 * n_chips[-1], "latencies rise faster than chips are slower, by less than half here"


@pytest.mark.parametrize("name", ["price gh200-96", "weights.time", "limits.budget_usd", "job.window_h"])
def test_all_options_say_what_an_evaluation_says_where_only_the_proved_are_asked(nightly: ResultSet, name: str) -> None:
    assert nightly.choice is not None
    study = Study(nightly, nightly.choice.id, None)
    one = next(one for one in study.inputs if one.id == name)
    told, known = study.verdict_of_all((one, one.high)), verdict_in(study.world((one, one.high)), study.basis)
    assert replace(told, lead_usd=None) == replace(known, lead_usd=None)
    assert told.lead_usd == pytest.approx(known.lead_usd)


def test_where_nothing_proved_fits_all_others_are_asked() -> None:
    profile = more_profiles()["bank-on-premises"]
    results = evaluate(profile, load_catalogue())
    assert results.choice is not None and not results.choice.is_firm
    study = Study(results, results.choice.id, None)
    assert study.verdict_of_all().pick == results.choice.id


@pytest.mark.parametrize("name", ["weights.cost", "job.sequence_length", "limits.deadline_days"])
def test_a_contest_asked_alone_is_that_of_the_whole_order_to_the_last_bit(
    study: Study, inputs: dict[str, Input], name: str
) -> None:
    judged, alone = study.met((inputs[name], inputs[name].high))
    _assert_same(alone, standings(judged.profile, judged).contest)


def test_a_contest_among_all_options_is_that_of_the_whole_order(nightly: ResultSet) -> None:
    assert nightly.basis is not None
    judged, ranking = stood(World(nightly.profile), nightly.basis)
    _assert_same(contest_alone(nightly.profile, judged), ranking.contest)


def _assert_same(one: Contest | None, other: Contest | None) -> None:
    assert one is not None and other is not None
    for name in ("rows", "worst", "means", "wins", "ceiling"):
        assert np.array_equal(getattr(one, name), getattr(other, name)), name
    assert (one.pick, one.runner_up, one.beats) == (other.pick, other.runner_up, other.beats)


def test_few_searches_of_all_options_are_kept(results: ResultSet, study: Study, inputs: dict[str, Input]) -> None:
    """A study of a large service took 138 MB while it kept all of them, and 96 worlds."""
    assert study.b is not None
    asked = Study(results, study.a.candidate.id, study.b.candidate.id)
    for number in range(MOST_OF_ALL + 2):
        asked.verdict_of_all((inputs["job.n_tokens"], (2 + number / 10) * 1e12))
    assert len(asked._everyone._worths) == len(asked._proved._worths) == MOST_OF_ALL
