"""What speaks for a plan as a whole and against it: each a figure of its answer."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.comparison.together.plan_answer import PlanAnswer, answer_of
from core.comparison.together.ways import Beside
from core.ranges import Range
from core.report.plan_reasons import plan_against, plan_for


@pytest.fixture(scope="module")
def answer(results) -> PlanAnswer:
    made = answer_of(list(results.values()))
    assert made is not None
    return made


def other(answer: PlanAnswer, more_usd: float) -> Beside:
    way = replace(answer.way, title="All on GPU")
    return Beside(way, Range(more_usd, more_usd, more_usd), 0.5, 0.1, "worse")


def words(reasons) -> list[str]:
    return [str(reason) for reason in reasons]


def test_a_dearer_way_speaks_for_the_picks_and_a_cheaper_one_against(answer: PlanAnswer) -> None:
    dearer, cheaper = (replace(answer, others=(other(answer, usd),)) for usd in (190_000.0, -180_000.0))
    assert any(line.endswith("below all on GPU") for line in words(plan_for(dearer)))
    assert not any("all on GPU" in line for line in words(plan_against(dearer)))
    assert words(plan_against(cheaper))[0].endswith("above all on GPU")
    assert not any("all on GPU" in line for line in words(plan_for(cheaper)))


def test_a_late_end_and_limits_that_are_missed_speak_against(answer: PlanAnswer) -> None:
    run = next(one for one in answer.picks if one.pick.days_to_finish)
    days = run.pick.days_to_finish
    assert days is not None

    def with_deadline(deadline_days: float) -> PlanAnswer:
        limits = run.profile.limits.model_copy(update={"deadline_days": deadline_days})
        profile = run.profile.model_copy(update={"limits": limits})
        parts = tuple(
            replace(part, profile=profile) if part.profile == run.profile else part for part in answer.way.parts
        )
        return replace(answer, way=replace(answer.way, parts=parts), others=())

    spare, late = with_deadline(days.high + 20), with_deadline(max(days.high - 20, 1))
    assert any("to spare at the late end" in line for line in words(plan_for(spare)))
    assert any("late at the late end" in line for line in words(plan_against(late)))


def test_no_list_is_long(answer: PlanAnswer) -> None:
    many = replace(answer, others=tuple(replace(other(answer, 1e5 * n)) for n in (-3, -2, -1, 1, 2, 3)))
    assert len(plan_for(many)) <= 3 and len(plan_against(many)) == 3
