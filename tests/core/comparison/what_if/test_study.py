"""Worlds asked among a few options, and the same worlds among all."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from core.comparison.evaluate import evaluate
from core.comparison.judge.durations import LIKELY
from core.comparison.result import ResultSet
from core.comparison.what_if import contending
from core.comparison.what_if import study as study_module
from core.comparison.what_if.flips import checked, flips
from core.comparison.what_if.inputs import Input
from core.comparison.what_if.study import Study, stood, verdict_of


def test_the_pick_of_now_is_that_of_the_evaluation(study: Study, results: ResultSet) -> None:
    assert study.verdict().pick == results.recommendation.choice


def test_the_gap_of_now_is_that_of_the_results(study: Study) -> None:
    a, b, gap = study.a, study.b, study.gap()
    assert b is not None and gap is not None and a.days_to_finish and b.days_to_finish
    assert gap.cost_usd == pytest.approx(a.cost.total.likely - b.cost.total.likely)
    assert gap.days == pytest.approx(a.days_to_finish.likely - b.days_to_finish.likely)
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


@pytest.mark.parametrize("name", ["price b200-sxm", "job.n_tokens"])
def test_a_flip_is_one_to_an_evaluation_of_all_options(study: Study, inputs: dict[str, Input], name: str) -> None:
    (flip,) = flips(study, [inputs[name]])
    end = flip.nearest
    assert end is not None
    beyond, before = (study.world((flip.input, value)) for value in (end.value, end.before))
    assert verdict_of(*stood(beyond, study.basis)).pick == end.new.pick
    assert verdict_of(*stood(before, study.basis)).chip == study.verdict().chip
    if flip.input.path:
        told = evaluate(beyond.profile, study.basis.catalogue).recommendation
        assert told.choice == end.new.pick


def test_what_the_few_options_miss_is_taken_in(
    results: ResultSet, study: Study, inputs: dict[str, Input], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(contending, "LEAST_WINS", 2.0)
    monkeypatch.setattr(contending, "N_CHIPS", 0)
    monkeypatch.setattr(contending, "N_CHIPS_UNPROVED", 0)
    monkeypatch.setattr(contending, "PASSING", frozenset())
    blind, faster = Study(results, study.a.id, None), (inputs["speed h100-sxm"], 150.0)
    assert blind.verdict(faster).chip == study.verdict().chip
    assert not blind.confirmed(faster)
    assert blind.confirmed(faster)
    assert blind.verdict(faster).pick == study.verdict(faster).pick


def test_a_checked_flip_says_so(study: Study, inputs: dict[str, Input]) -> None:
    told = list(flips(study, [inputs["limits.budget_usd"]]))
    (held,) = checked(study, told)
    assert held == replace(told[0], is_checked=True)


def test_what_is_asked_last_is_kept_where_there_is_no_room_for_all(
    study: Study, inputs: dict[str, Input], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(study_module, "MOST_KEPT", 1)
    monkeypatch.setattr(study_module, "MOST_LATELY", 1)
    price = inputs["price b200-sxm"]
    first = study.verdict((price, 1.01 * price.now))
    assert study.verdict((price, 1.02 * price.now)).chip == first.chip
    assert study.stood((price, 1.02 * price.now)) is study.stood((price, 1.02 * price.now))


def test_results_put_together_by_hand_are_refused(results: ResultSet) -> None:
    with pytest.raises(ValueError, match="basis"):
        Study(replace(results, basis=None), "a", None)
