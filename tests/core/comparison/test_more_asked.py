"""What costs an option more when more is asked of it: more requests, answers sooner, or in time for more of them."""

from __future__ import annotations

import pytest

from core.catalogue.catalogue import Catalogue
from core.comparison.evaluate import evaluate
from core.workload.library import load_profiles, more_profiles
from core.workload.profile import Profile

SERVICES = load_profiles() | more_profiles()
ASKED = [
    ("video-service", {"peak_requests_per_s": 0.088}),  # clusters that follow the load closely were passed over
    ("video-service", {"ttft_limit_ms": 160_000}),
    ("code-assistant-speculative", {"ttft_limit_ms": 600}),
    ("sdxl-serving", {"latency_percentile": "p99"}),
    ("sdxl-serving", {"autoscale": False}),
]


def _least_usd(profile: Profile, catalogue: Catalogue) -> dict[str, float]:
    """Each offer's cheapest way to keep the limits, in USD."""
    found, least = evaluate(profile, catalogue), {}
    columns = found.columns
    for row in columns.feasible.nonzero()[0].tolist():
        name, usd = columns.offers[row].id, float(columns.cost_usd[row])
        least[name] = min(usd, least.get(name, usd))
    return least


@pytest.mark.parametrize(("name", "more"), ASKED, ids=str)
def test_no_offer_costs_less_when_more_is_asked_of_it(name: str, more: dict[str, object], catalogue: Catalogue) -> None:
    profile = SERVICES[name]
    assert more.items() - profile.job.model_dump().items()
    asked = profile.model_copy(update={"job": profile.job.model_copy(update=more)})
    now, then = _least_usd(profile, catalogue), _least_usd(asked, catalogue)
    both = now.keys() & then.keys()
    assert len(both) > 50
    assert not [name for name in both if then[name] < now[name] / 1.002]
