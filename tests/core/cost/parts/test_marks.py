"""Marks of the parts of the bill: what is an estimate, where a figure comes from, how a part behaves."""

from collections.abc import Callable, Sequence

import pytest

from core.cost.bill.batch import CostBatch
from core.cost.parts.pipeline import pipeline
from core.cost.registry import component_by_part, components
from core.cost.total import lines_of
from core.workload.jobs.kinds import PreTraining
from core.workload.profile import Profile, Team

MakeBatch = Callable[..., CostBatch]
MARKS = {
    "compute": "rent always_listed", "commitment_waste": "rent unused", "idle": "rent unused",
    "interruptions": "rent unused", "porting": "one_off", "pipeline": "one_off", "waiting": "one_off unused",
    "setting_up": "one_off",
}  # fmt: skip
ALWAYS_ESTIMATED = {"energy", "idle", "interruptions", "porting", "support", "waiting"}
"""Parts that rest on figures of ours whatever is typed."""
DATED = {"compute", "commitment_waste", "storage", "egress"}
"""Parts that rest on prices alone, of which none is an estimate here."""


@pytest.mark.parametrize("part", [one.part for one in components()])
def test_a_part_behaves_as_its_marks_say(part: str) -> None:
    one = component_by_part()[part]
    names = ("rent", "one_off", "unused", "always_listed")
    assert {name for name in names if getattr(one, f"is_{name}")} == set(MARKS.get(part, "").split())


def _marks(batch: CostBatch) -> dict[str, Sequence[bool]]:
    return {part: list(line.estimates) for part, line in lines_of(batch).items()}


def test_what_rests_on_our_figures_is_an_estimate_and_a_dated_price_is_none(make_batch: MakeBatch) -> None:
    profile = Profile(job=PreTraining(dataset_gb=1000.0), team=Team(support_plan="business"))
    marks = _marks(make_batch(profile, n_chips=(64.0, 128.0)))
    assert {part for part, marked in marks.items() if marked == [True, True]} >= ALWAYS_ESTIMATED
    assert {part for part, marked in marks.items() if marked == [False, False]} >= DATED


@pytest.mark.parametrize(
    ("part", "field"),
    [("pipeline", "pipeline_weeks"), ("operations", "operations_h_per_month"), ("setting_up", "setting_up_h")],
)
@pytest.mark.parametrize("typed", [None, 0.0, 3.0])
def test_a_typed_effort_is_no_estimate(make_batch: MakeBatch, part: str, field: str, typed: float | None) -> None:
    """A typed zero is typed."""
    line = lines_of(make_batch(Profile(team=Team(**{field: typed})), n_chips=(64.0, 128.0)))[part]
    assert list(line.estimates) == [typed is None] * 2
    assert [("our estimate" in source, "as entered" in source) for source in line.sources] == [
        (typed is None, True)
    ] * 2


def test_weeks_of_the_pipeline_range_with_those_of_porting(make_batch: MakeBatch) -> None:
    """A tenth, three and six tenths of 1, 3 and 6 weeks at 4,000 USD; typed weeks have no range; no porting, none."""
    team = Team(engineer_usd_per_week=4000.0)
    tpu = {"accelerator": "tpu-v6e", "porting_weeks": (1.0, 3.0, 6.0)}
    line = pipeline(make_batch(Profile(team=team), **tpu))
    assert line.usd[0] == pytest.approx((400.0, 3_600.0, 14_400.0))
    inputs = {name: (unit, float(values[0])) for name, unit, values in line.inputs}
    assert inputs == {"Engineer-weeks": ("", pytest.approx(0.9)), "Engineer's week": ("USD", 4000.0)}
    typed = Profile(team=team.model_copy(update={"pipeline_weeks": 2.0}))
    assert pipeline(make_batch(typed, **tpu)).usd[0] == pytest.approx((8_000.0,) * 3)
    assert pipeline(make_batch(typed, **tpu | {"porting_weeks": (0.0, 0.0, 6.0)})).usd[0].tolist() == [0.0] * 3
