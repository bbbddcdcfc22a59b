"""Where nothing fits, what is called the nearest is the nearest that can be had."""

import numpy as np

from core.catalogue.loading import load_catalogue
from core.comparison.evaluate import evaluate
from core.plan.sample_plan import sample_plan
from core.plan.scenario import resolve
from core.workload.library import load_profiles


def test_the_nearest_that_can_be_had_misses_the_deadline_by_least() -> None:
    profile = resolve(sample_plan(), "scenario-3").profiles[0]
    results = evaluate(profile, load_catalogue())
    late = [codes == ("deadline",) for codes in results.columns.codes]
    soonest = min(results.columns.days[np.array(late) & (results.columns.trust == 2)])
    assert results.n_feasible == 0
    assert str(results.recommendation.headline).endswith(
        f", on demand: fits with a deadline of {np.ceil(soonest):.0f}\u202fd."
    )


def test_what_answers_too_slowly_is_not_near_beyond_chips_and_budget() -> None:
    """For one chip and $1,000 a year it named 1,540 L4 of nine million: "may fit with a limit of 82.5 ms"."""
    profile = load_profiles()["chat-serving-70b"]
    limits = profile.limits.model_copy(update={"max_chips": 1, "budget_usd": 1000.0})
    results = evaluate(profile.model_copy(update={"limits": limits}), load_catalogue())
    nearest = results.by_id[results.recommendation.nearest or ""]
    assert results.n_feasible == 0 and nearest.candidate.n_chips < 8
    assert str(results.recommendation.headline).endswith("which misses the number of chips and the budget.")
