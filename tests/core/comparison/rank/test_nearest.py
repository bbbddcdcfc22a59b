"""Where nothing fits, what is called the nearest is the nearest that can be had."""

import numpy as np

from core.catalogue.loading import load_catalogue
from core.comparison.evaluate import evaluate
from core.plan.sample_plan import sample_plan
from core.plan.scenario import resolve


def test_the_nearest_that_can_be_had_misses_the_deadline_by_least() -> None:
    profile = resolve(sample_plan(), "scenario-3").profiles[0]
    results = evaluate(profile, load_catalogue())
    late = [codes == ("deadline",) for codes in results.columns.codes]
    soonest = min(results.columns.days[np.array(late) & (results.columns.trust == 2)])
    assert results.n_feasible == 0
    assert str(results.recommendation.headline).endswith(
        f", on demand: fits with a deadline of {np.ceil(soonest):.0f}\u202fd."
    )
