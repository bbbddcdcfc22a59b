"""What is said of the pick, and of two options beside it, of every plan that comes with the program: no word and no
figure drifts unseen, whatever the kind of work."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from functools import cache
from typing import Any

import pytest

from core.amounts import Amount, Counted, Sentence, UsdSpan
from core.catalogue.loading import load_catalogue
from core.comparison.as_json import to_json
from core.comparison.evaluate import evaluate
from core.comparison.questions.cash_words import cash_sentences
from core.comparison.questions.cost_answers import answers
from core.comparison.questions.distance_to_users import route_sentence
from core.comparison.questions.explain import explanation
from core.comparison.questions.freedom_order import freedom_order, worth
from core.comparison.questions.leaving import EXIT_WORDS, targets
from core.comparison.questions.number_of_chips import count_curve, curve_sentences
from core.comparison.questions.spot import spot_risk, spot_sentences
from core.comparison.result import CandidateResult, ResultSet
from core.comparison.together.part import part_of
from core.comparison.together.plan_answer import answer_of
from core.comparison.together.plan_json import plan_json
from core.comparison.together.workload_map import leans_at, placed
from core.comparison.what_if.inputs import inputs_of, is_money, is_wish
from core.cost.registry import part_ids
from core.flexibility.porting import porting_weeks
from core.ranges import Range
from core.workload.profile import Profile
from tests.golden import as_plain, assert_kept
from tests.repository_files import ROOT

TODAY = date(2026, 12, 1)
PLANS = {path.stem: path for path in sorted((ROOT / "profiles").glob("*.json")) if path.stem != "sample-plan"}
PLANS |= {path.stem: path for path in sorted((ROOT / "profiles" / "more").glob("*.json"))}
TEXTS = (str, Amount, Counted, Sentence, UsdSpan)


@cache
def _results(name: str) -> ResultSet:
    return evaluate(Profile.model_validate_json(PLANS[name].read_text(encoding="utf-8")), load_catalogue())


@pytest.mark.parametrize("name", PLANS)
def test_what_is_said_of_a_plan_is_kept(name: str) -> None:
    results, told = _results(name), _Told()
    told.add("json", to_json(_without_flips(results), 3, TODAY))
    for number, result in enumerate(_looked_at(results)):
        told.add(f"option {number}", _answers(results, result))
    if results.choice:
        told.add("inputs", _inputs(results, results.choice))
        told.add("count", curve_sentences(results, count_curve(results, results.choice)))
    assert_kept(f"answers_{name}", told.summary)


def test_what_is_said_of_all_together_is_kept() -> None:
    told = _Told()
    told.add("plan", plan_json(answer_of([_results(name) for name in PLANS])))
    for name in PLANS:
        place = placed(_results(name).profile, part_of(_results(name)))
        told.add("map", [place.matrix_pct, place.is_locked, place.stability, place.winner, place.gap, place.call])
        told.add("leans", [leans_at(place.matrix_pct.likely)] if place.matrix_pct else [])
    assert_kept("answers_together", told.summary)


class _Told:
    """Texts as they are, each once; of the numbers of a place how many there are, their sum, and their sum weighed by
    where they stand."""

    def __init__(self) -> None:
        self.texts: dict[str, None] = {}
        self.numbers: dict[str, list[float]] = defaultdict(list)

    def add(self, path: str, value: Any) -> None:
        """All that is in a value."""
        if isinstance(value, TEXTS):
            self.texts[str(value)] = None
        elif isinstance(value, Range):
            self.numbers[path] += [value.low, value.likely, value.high]
        elif isinstance(value, bool | int | float):
            self.numbers[path].append(float(value))
        elif isinstance(value, dict):
            for name, one in value.items():
                self.add(f"{path}.{name}", one)
        elif isinstance(value, list | tuple):
            for one in value:
                self.add(path, one)
        else:
            self.add(path, [] if value is None else as_plain(value))

    @property
    def summary(self) -> dict[str, Any]:
        """What is kept."""
        sums = {
            path: [len(found), sum(found), sum(place * one for place, one in enumerate(found, start=1))]
            for path, found in sorted(self.numbers.items())
        }
        return {"texts": list(self.texts), "numbers": sums}


def _without_flips(results: ResultSet) -> ResultSet:
    """Those take most of the time, and are kept elsewhere."""
    return replace(results, recommendation=replace(results.recommendation, would_change_it=()))


def _looked_at(results: ResultSet) -> Iterator[CandidateResult]:
    """The pick, the best of another kind of chip and the last of all."""
    first = results.choice or results.results[0]
    kind = first.candidate.accelerator.kind
    yield first
    yield from [one for one in results.best_per_accelerator if one.candidate.accelerator.kind != kind][:1]
    yield results.results[-1]


def _answers(results: ResultSet, result: CandidateResult) -> dict[str, Any]:
    explained = {key: explanation(results, result, key) for key in _keys(results, result)}
    order, risk = freedom_order(results, result), spot_risk(results, result)
    return {
        "explained": {key: [one.title, one.value, one.note, one.inputs] for key, one in explained.items() if one},
        "asked": [[one.title, one.amount, one.why_not, one.text] for one in answers(results.profile, result)],
        "order": [order.n_options, order.place, order.first_share, order.flip],
        "worth": worth(results.profile.freedom, result, order.beside) if order.beside else None,
        "spot": spot_sentences(risk) if risk else (),
        "cash": cash_sentences(results, result),
        "route": route_sentence(results.profile, result),
    }


def _keys(results: ResultSet, result: CandidateResult) -> Iterator[str]:
    yield from (f"part:{part}" for part in (*part_ids(), "other"))
    yield from (f"cash:{way}" for way in ("on_demand", "spot", "commit_1y", "commit_3y", "dedicated_monthly", "owned"))
    yield from (f"spot:{line}" for line in ("saved", "unsaved", "rented", "interval"))
    yield from (f"exit:{part}@{one.key}" for part in EXIT_WORDS for one in targets(results))
    yield "unit:"


def _inputs(results: ResultSet, pick: CandidateResult) -> list[Any]:
    """Of every input that may be moved: what it is called, its value and how far it is moved."""
    catalogue, others = load_catalogue(), [one for one in _looked_at(results) if one.feasible and one is not pick]
    chips = [one.candidate.accelerator for one in (pick, *others)]
    efforts = {chip.id: porting_weeks(results.profile, catalogue, chip) for chip in chips}
    inputs = inputs_of(results.profile, pick, others[0] if others else None, efforts, catalogue)
    return [[one.name, is_money(one), is_wish(one), as_plain(one)] for one in inputs]
