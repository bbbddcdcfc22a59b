"""What would change the pick: on either side of what is told, an evaluation of everything says so."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

import pytest

from core.catalogue.catalogue import Catalogue
from core.comparison.as_json import recommendation_json
from core.comparison.evaluate import evaluate
from core.comparison.recommendation.flip_points import BUDGET, DEADLINE, WEIGHT, FlipPoints, flip_told
from core.comparison.result import FlipPoint, ResultSet
from core.comparison.what_if.study import Study
from core.units import Money, money_here
from core.workload.library import load_profiles, more_profiles

PROFILES = load_profiles() | more_profiles()
NAMES = ("mixtral-8x7b-training", "qlora-70b-one-host", "pool-of-models")


@pytest.fixture(scope="module")
def answers(catalogue: Catalogue) -> dict[str, ResultSet]:
    return {name: evaluate(PROFILES[name], catalogue) for name in NAMES}


@pytest.fixture(scope="module", params=NAMES)
def results(request: pytest.FixtureRequest, answers: dict[str, ResultSet]) -> ResultSet:
    return answers[request.param]


def points_of(results: ResultSet) -> dict[str, FlipPoint]:
    return {point.input_id: point for point in results.recommendation.would_change_it}


def priced(catalogue: Catalogue, chip: str, factor: float) -> Catalogue:
    """The catalogue with another price of all offers of a chip."""

    def at(usd: float) -> float:
        return usd * factor

    offers = tuple(
        one.model_copy(
            update={"usd_per_chip_hour": at(one.usd_per_chip_hour), "usd_per_host_hour": at(one.usd_per_host_hour)}
        )
        if one.accelerator_id == chip
        else one
        for one in catalogue.offers
    )
    return replace(catalogue, offers=offers)


def test_the_price_told_changes_the_pick_and_a_cent_less_does_not(results: ResultSet, catalogue: Catalogue) -> None:
    """All offers of the pick's chip at the price as it is printed."""
    pick = results.choice
    assert pick is not None
    told = next(one for one in results.recommendation.would_change_it if "price" in str(one.input_name).lower())
    usd = float(re.findall(r"[\d.]+", str(told.flips_at))[0])
    chip, now = pick.candidate.accelerator.id, pick.candidate.usd_per_chip_hour
    at, below = (evaluate(results.profile, priced(catalogue, chip, price / now)).choice for price in (usd, usd - 0.01))
    assert below is not None and below.candidate.accelerator.id == chip
    assert at is not None and at.candidate.accelerator.id != chip and at.id == told.new_winner_id


@pytest.mark.parametrize("input_id", [DEADLINE, BUDGET, WEIGHT])
def test_a_field_put_into_the_plan_changes_the_pick_on_one_side_alone(
    answers: dict[str, ResultSet], catalogue: Catalogue, input_id: str
) -> None:
    results = answers["qlora-70b-one-host" if input_id != WEIGHT else "pool-of-models"]
    flip, point = flip_told(results, input_id), points_of(results)[input_id]
    assert flip is not None and flip.nearest is not None and results.choice is not None
    chips = []
    for value in (flip.nearest.value, flip.nearest.before):
        part, name = input_id.split(".")
        owner = getattr(results.profile, part).model_copy(update={name: value})
        choice = evaluate(results.profile.model_copy(update={part: owner}), catalogue).choice
        chips.append(choice.candidate.accelerator.id if choice else None)
    assert chips == [point.new_chip, results.choice.candidate.accelerator.id]
    assert point.value == flip.nearest.value


def test_nothing_changes_the_pick_at_what_it_is_now(results: ResultSet) -> None:
    for point in results.recommendation.would_change_it:
        told = str(point.flips_at)
        assert not told.endswith("+0\u202f%") and told != str(point.now), point.input_name
        assert "+0.0" not in told and not str(point.now).startswith("0\u202fw")


def test_a_deadline_comes_with_its_day_and_a_weight_whole(answers: dict[str, ResultSet]) -> None:
    mixtral = points_of(answers["mixtral-8x7b-training"])[DEADLINE]
    assert mixtral.input_name == "Deadline, days"
    assert re.fullmatch(r"40 \(10 Jan 2027\)", str(mixtral.now))
    assert re.fullmatch(r"[\d.]+, \u2212\d+\u202f% \(\d+ Dec 2026\)", str(mixtral.flips_at))
    weight = points_of(answers["pool-of-models"])[WEIGHT]
    assert weight.value == round(weight.value or 0.5)


def test_a_budget_is_asked_only_where_there_is_one(answers: dict[str, ResultSet], catalogue: Catalogue) -> None:
    assert BUDGET in points_of(answers["mixtral-8x7b-training"])
    profile = PROFILES["mixtral-8x7b-training"]
    free = profile.model_copy(update={"limits": profile.limits.model_copy(update={"budget_usd": None})})
    assert BUDGET not in points_of(evaluate(free, catalogue))


def test_a_single_option_has_nothing_to_flip_to(answers: dict[str, ResultSet], catalogue: Catalogue) -> None:
    pick = answers["pool-of-models"].choice
    assert pick is not None
    offers = tuple(one for one in catalogue.offers if one.id == pick.candidate.offer.id)
    profile = PROFILES["pool-of-models"]
    limits = profile.limits.model_copy(update={"max_chips": pick.candidate.n_chips})
    alone = evaluate(profile.model_copy(update={"limits": limits}), replace(catalogue, offers=offers))
    assert alone.n_feasible == 1 and list(alone.recommendation.would_change_it) == []


def test_it_is_worked_out_once_and_only_when_somebody_looks(
    catalogue: Catalogue, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[Study] = []
    asked = Study.__init__

    def counted(study: Study, *args: object, **named: object) -> None:
        made.append(study)
        asked(study, *args, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(Study, "__init__", counted)
    results = evaluate(PROFILES["qlora-70b-one-host"], catalogue)
    assert not made
    points: Sequence[FlipPoint] = results.recommendation.would_change_it
    assert isinstance(points, FlipPoints) and list(points) == list(points) == list(points[:])
    assert len(made) == 1


def test_a_price_follows_the_currency_and_nothing_is_asked_anew(results: ResultSet) -> None:
    price = results.recommendation.would_change_it[0]
    with money_here(Money("EUR", 0.5)):
        assert str(price.flips_at).startswith("€") and str(price.now).startswith("€")
    assert str(price.flips_at).startswith("$")


def test_json_tells_the_same(results: ResultSet) -> None:
    rows = recommendation_json(results.recommendation)["would_change_it"]
    for row, point in zip(rows, results.recommendation.would_change_it, strict=True):
        assert row["flips_at"] == (str(point.flips_at) if point.flips_at else None)
        assert row["new_winner"] == point.new_winner_id and row["input_id"] == point.input_id
        assert row["value"] == (pytest.approx(point.value) if point.value else None)
        assert (row["new_winner_name"] is None) == (point.new_winner_id is None)
