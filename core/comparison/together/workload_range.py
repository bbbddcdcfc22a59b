"""F5: how much of the plan's own work a chip runs at about the best cost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from core.comparison.together.part import PlanPart
from core.comparison.together.plan_answer import PlanAnswer
from core.comparison.together.ways import held_days
from core.constants import HOURS_PER_DAY
from core.flexibility.criterion import sure
from core.flexibility.judgements import TYPED
from core.flexibility.taken_range import ID, TITLE, WEIGHT
from core.flexibility.types import CriterionScore, Flexibility
from core.ranges import Range
from core.units import counted
from core.workload.freedom import EQUAL_WEIGHT, Freedom, ScoreOverride

FORMULA = "hours within 1.5 × the best cost / hours of all workloads"
WITHIN = 1.5
"""Cost over that of the cheapest chip up to which a chip runs a workload well (our proposal)."""
FEWEST = 2
"""Of a single workload the share says no more than its cost."""


def workload_range(answer: PlanAnswer, accelerator_id: str, freedom: Freedom) -> CriterionScore | None:
    """``hours of the workloads that run within 1.5 x of their best cost / hours of all``; None below two workloads.

    Hours are those for which a workload's pick holds its chips. Workloads without an answer are left out, and count as
    not run at the low end and as run at the high end, with the mean hours of the others.
    """
    known = [part for part in answer.way.parts if part.least_usd]
    if len(known) < FEWEST:
        return None
    hours = [_hours(part) for part in known]
    run = [is_run_well(part, accelerator_id) for part in known]
    share = sum(h for h, good in zip(hours, run, strict=True) if good) / sum(hours)
    answered = len(known) / answer.n_workloads
    value = Range(share * answered, share, share * answered + (1.0 - answered))
    typed = freedom.override(accelerator_id, ID)
    return CriterionScore(
        id=ID,
        title=TITLE,
        value=sure(typed.points / 100) if typed else value,
        weight=weight_of(freedom),
        formula=FORMULA,
        inputs=tuple(_input(part, accelerator_id, h) for part, h in zip(known, hours, strict=True)),
        evidence=f"Set by hand: {typed.note}" if typed else f"{sum(run)} of {counted(len(known), 'workload')}",
        source=TYPED if typed else "costs of this plan's workloads",
        estimate=False,
        note=typed.note if typed else "",
    )


def taken(answer: PlanAnswer, freedom: Freedom, chips: Sequence[str], day: str) -> tuple[ScoreOverride, ...]:
    """All scores by hand with the workload range of every chip among them, as it is now, to whole points; its note says
    from how many workloads and when. As they were below two workloads."""
    plain = freedom.model_copy(update={"overrides": freedom.without_criterion(ID)})
    told = {chip: judged for chip in chips if (judged := workload_range(answer, chip, plain)) is not None}
    note = f"Range of this plan's {answer.n_workloads} workloads on {day}"
    new = [
        ScoreOverride(accelerator_id=chip, criterion_id=ID, points=float(round(100 * one.value.likely)), note=note)
        for chip, one in told.items()
    ]
    return (*plain.overrides, *new) if new else freedom.overrides


def weight_of(freedom: Freedom) -> float:
    """The weight set for it, else that of the set of weights."""
    own = freedom.weight_of(ID)
    return own if own is not None else EQUAL_WEIGHT if freedom.preset == "equal" else WEIGHT


def is_run_well(part: PlanPart, accelerator_id: str) -> bool:
    """True where the chip's cheapest candidate costs at most 1.5 times as much as the cheapest of all."""
    own = part.least_usd.get(accelerator_id)
    return own is not None and own <= WITHIN * min(part.least_usd.values())


def with_range(free: Flexibility, judged: CriterionScore) -> Flexibility:
    """The same with the workload range in its place: score ``(W x score + w x 100 x value) / (W + w)``."""
    ordered = sorted((*free.criteria, judged), key=lambda one: (len(one.id), one.id))
    return replace(free, score=_joined(free, judged), criteria=tuple(ordered))


def _joined(free: Flexibility, judged: CriterionScore) -> Range:
    others = sum(one.weight for one in free.criteria)
    whole = others + judged.weight
    ends = ((getattr(free.score, end), getattr(judged.value, end)) for end in ("low", "likely", "high"))
    return Range(*((others * own + judged.weight * 100 * value) / whole if whole else 0.0 for own, value in ends))


def _hours(part: PlanPart) -> float:
    assert part.pick is not None
    return max(held_days(part.profile, part.pick.result), 1 / HOURS_PER_DAY) * HOURS_PER_DAY


def _input(part: PlanPart, accelerator_id: str, hours: float) -> tuple[str, str]:
    own, best = part.least_usd.get(accelerator_id), min(part.least_usd.values())
    times = "does not fit" if own is None else f"{own / best:.1f} × the best cost" if best > 0 else "free"
    return part.profile.name, f"{counted(round(hours), 'hour')}, {times}"
