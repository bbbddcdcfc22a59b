"""What leaving takes: weeks of work off a compiled chip, and their bill with the data set's way out."""

import pytest

from core.catalogue.catalogue import Catalogue
from core.catalogue.cost_inputs import cost_input
from core.flexibility.exit_cost import exit_weeks, leaving_usd
from core.workload.jobs.kinds import PreTraining
from core.workload.profile import Profile, Stack, Team


@pytest.mark.parametrize(
    ("framework", "experience", "factor"),
    [("pytorch", "some", 1.0), ("pytorch", "none", 1.4), ("pytorch", "expert", 0.6), ("jax", "some", 0.5),
     ("jax", "none", 0.7)],
)  # fmt: skip
def test_a_model_is_ported_off_a_tpu_and_jax_code_runs_half_way(
    catalogue: Catalogue, framework: str, experience: str, factor: float
) -> None:
    profile = Profile(stack=Stack(framework=framework), team=Team(xla_experience=experience))
    usual = cost_input(catalogue, "porting_effort", "model").typical
    assert usual
    weeks = {chip: exit_weeks(profile, catalogue, catalogue.accelerator_by_id[chip]) for chip in ("tpu-v6e", "mi300x")}
    assert weeks == {"tpu-v6e": pytest.approx(usual * factor), "mi300x": 0.0}


@pytest.mark.parametrize("provider", ["aws", "gcp"])
def test_leaving_costs_the_weeks_and_the_way_out_of_the_data(catalogue: Catalogue, provider: str) -> None:
    offer = next(one for one in catalogue.offers if one.provider == provider)
    profile = Profile(job=PreTraining(dataset_gb=2_000.0), team=Team(engineer_usd_per_week=7_000.0))
    per_gb = cost_input(catalogue, "egress_internet", provider).typical
    assert per_gb
    assert leaving_usd(profile, catalogue, offer, 3.0) == pytest.approx(21_000.0 + 2_000 * per_gb)
