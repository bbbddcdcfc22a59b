"""Other ways to run a whole plan: one kind of chip or two, one seller, each with what running apart costs."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from core.catalogue.catalogue import Catalogue
from core.catalogue.loading import load_catalogue
from core.comparison.evaluate import evaluate
from core.comparison.together.moving import CONVERSION_WEEKS, UPKEEP_WEEKS_PER_YEAR, Placed, movings, upkeeps
from core.comparison.together.part import PlanPart, Taken, part_of
from core.comparison.together.plan_answer import PlanAnswer, plan_answer
from core.comparison.together.ways import Way, beside
from core.comparison.together.workload_range import with_range, workload_range
from core.constants import DAYS_PER_YEAR
from core.flexibility.types import CriterionScore
from core.ranges import Range
from core.workload.freedom import Freedom, ScoreOverride
from core.workload.library import load_profiles


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return load_catalogue()


@pytest.fixture(scope="module")
def parts(catalogue: Catalogue) -> list[PlanPart]:
    """A run and a service of one model, which both could have on GPU and on TPU."""
    profiles = load_profiles()
    service = profiles["chat-serving-70b"]
    run = profiles["llama3-70b-finetune"].model_copy(update={"model": service.model})
    return [part_of(evaluate(one, catalogue)) for one in (run, service)]


@pytest.fixture(scope="module")
def answer(parts: list[PlanPart]) -> PlanAnswer:
    made = plan_answer(parts)
    assert made is not None
    return made


def of_kinds(parts: list[PlanPart], *kinds: str) -> Way:
    taken = tuple(part.of_kind[kind] for part, kind in zip(parts, kinds, strict=True))
    return Way("", tuple(parts), taken, parts[0].catalogue)


def test_every_way_is_possible_and_stands_once(answer: PlanAnswer) -> None:
    assert answer.others
    titles = [one.way.title for one in answer.others]
    assert len(set(titles)) == len(titles)
    costs = [one.way.likely_usd for one in answer.others]
    assert costs == sorted(costs)
    for one in answer.others:
        assert all(taken.result.feasible for taken in one.way.taken)
        assert one.more_usd.low <= one.more_usd.likely <= one.more_usd.high
        assert one.more_usd.likely == pytest.approx(one.way.likely_usd - answer.total_usd.likely)


def test_titles_say_what_the_chips_are(answer: PlanAnswer) -> None:
    for one in answer.others:
        kinds = [taken.result.candidate.accelerator.kind for taken in one.way.taken]
        sellers = {taken.result.candidate.offer.provider for taken in one.way.taken}
        if one.way.title.startswith("All on"):
            assert len(set(kinds)) == 1
        elif one.way.title.startswith("All at"):
            assert len(sellers) == 1
        else:
            words = {"gpu": "GPU", "tpu": "TPU", "other": "other chips"}
            assert one.way.title == f"Train on {words[kinds[0]]}, serve on {words[kinds[1]]}"


def test_two_kinds_of_software_cost_a_conversion_and_upkeep(parts: list[PlanPart]) -> None:
    mixed, alike = of_kinds(parts, "gpu", "tpu"), of_kinds(parts, "gpu", "gpu")
    rate = parts[1].profile.team.engineer_usd_per_week
    (move,), (upkeep,) = mixed.apart.moving, mixed.apart.upkeep
    assert move.conversion_usd == CONVERSION_WEEKS.scaled(rate)
    years = min(one.held_days for one in placed(mixed)) / DAYS_PER_YEAR
    assert upkeep.usd == pytest.approx(UPKEEP_WEEKS_PER_YEAR.likely * rate * years)
    assert alike.apart.upkeep == () and all(one.conversion_usd.likely == 0 for one in alike.apart.moving)
    costs = sum(one.result.cost.total.likely for one in mixed.taken)
    assert mixed.likely_usd == pytest.approx(costs + move.usd + upkeep.usd)


def placed(way: Way) -> list[Placed]:
    days = [one.result.time_terms_days["run"] for one in way.taken[:1]] + [DAYS_PER_YEAR]
    return [Placed(p.profile, one.result, d) for p, one, d in zip(way.parts, way.taken, days, strict=True)]


def test_weights_leave_the_trainer_for_another_server(parts: list[PlanPart], catalogue: Catalogue) -> None:
    run, service = placed(of_kinds(parts, "gpu", "gpu"))
    elsewhere = service.result.candidate.offer.model_copy(update={"provider": "nobody-else"})
    moved = replace(
        service, result=replace(service.result, candidate=replace(service.result.candidate, offer=elsewhere))
    )
    (one,) = movings([run, moved], catalogue)
    assert one.gb == pytest.approx(run.profile.model.n_params * 2 / 1e9) and one.egress_usd >= 0.0
    assert movings([run, replace(run, profile=service.profile)], catalogue) == (), "one seller, one software"
    model = service.profile.model.model_copy(update={"name": "another"})
    other = replace(moved, profile=service.profile.model_copy(update={"model": model}))
    assert movings([run, other], catalogue) == ()
    assert upkeeps([run, run]) == ()


def test_better_close_or_worse_follows_from_the_draws(parts: list[PlanPart]) -> None:
    picks = of_kinds(parts, "gpu", "gpu")

    def by(goodness: float) -> str:
        shift = np.float32(goodness)
        taken = tuple(
            replace(one, drawn=replace(one.drawn, goodness=one.drawn.goodness + shift)) for one in picks.taken
        )
        return beside(picks, replace(picks, taken=taken)).call

    assert (by(-0.5), by(0.0), by(0.5)) == ("worse", "close", "better")


def test_nothing_that_lacks_proof_is_called_better(parts: list[PlanPart]) -> None:
    """A way that is far better on paper alone stays a lead."""
    service = parts[1]
    tpu = service.of_kind["tpu"]
    best = replace(tpu, drawn=replace(tpu.drawn, goodness=tpu.drawn.goodness + np.float32(5.0)))

    def rivals(is_proved: bool) -> list[str]:
        of_kind = {**service.of_kind, "tpu": replace(best, is_proved=is_proved)}
        run = replace(parts[0], of_kind={kind: proved(one) for kind, one in parts[0].of_kind.items()})
        made = plan_answer([run, replace(service, of_kind=of_kind)])
        assert made is not None
        return [one.way.title for one in made.rivals if one.call == "better"]

    assert "Train on GPU, serve on TPU" in rivals(is_proved=True)
    assert "Train on GPU, serve on TPU" not in rivals(is_proved=False)


def proved(one: Taken) -> Taken:
    return replace(one, is_proved=True)


def test_the_workload_range_is_the_share_of_hours_at_about_the_best_cost(answer: PlanAnswer) -> None:
    parts = answer.way.parts
    for chip in {chip for part in parts for chip in part.least_usd}:
        judged = workload_range(answer, chip, Freedom())
        assert judged is not None and judged.weight == 12.0
        well = [part.least_usd.get(chip, np.inf) <= 1.5 * min(part.least_usd.values()) for part in parts]
        assert (judged.value.likely > 0) == any(well) and (judged.value.likely == 1) == all(well)
        assert judged.value.low == judged.value.likely == judged.value.high
    first = next(chip for chip, usd in parts[0].least_usd.items() if usd == min(parts[0].least_usd.values()))
    typed = ScoreOverride(accelerator_id=first, criterion_id="F5", points=25, note="Not for us")
    by_hand = workload_range(answer, first, Freedom(preset="equal", overrides=(typed,)))
    assert by_hand is not None and (by_hand.value.likely, by_hand.weight, by_hand.note) == (0.25, 10.0, "Not for us")


def test_a_workload_without_an_answer_widens_the_range(answer: PlanAnswer, parts: list[PlanPart]) -> None:
    chip = next(iter(parts[0].least_usd))
    open_one = replace(answer, unanswered=(("Third", "no option fits"), ("Fourth", "no option fits")))
    known, open_range = workload_range(answer, chip, Freedom()), workload_range(open_one, chip, Freedom())
    assert known is not None and open_range is not None
    assert open_range.value.likely == known.value.likely
    assert open_range.value.high - open_range.value.low == pytest.approx(0.5)


def test_one_workload_has_no_range(parts: list[PlanPart]) -> None:
    alone = plan_answer(parts[:1])
    assert alone is not None and workload_range(alone, next(iter(parts[0].least_usd)), Freedom()) is None


def test_the_score_with_the_range_is_the_weighted_mean(answer: PlanAnswer) -> None:
    whole = answer.way.parts[0]
    assert whole.pick is not None
    one = CriterionScore("F1", "One", Range(0.4, 0.5, 0.6), 30.0, "", (), "", "", False)
    free = replace(whole.pick.result.flexibility, score=Range(40, 50, 60), criteria=(one, replace(one, id="F10")))
    judged = replace(one, id="F5", value=Range(1.0, 1.0, 1.0), weight=20.0)
    joined = with_range(free, judged)
    assert [c.id for c in joined.criteria] == ["F1", "F5", "F10"]
    assert joined.score.likely == pytest.approx((60 * 50 + 20 * 100) / 80)
