"""What leaving takes: weeks of work off a compiled chip, and their bill with the data set's way out."""

from dataclasses import replace

import pytest

from core.catalogue.catalogue import Catalogue
from core.catalogue.cost_inputs import cost_input
from core.flexibility.exit_cost import exit_weeks, leaving_usd
from core.workload.jobs.kinds import PreTraining
from core.workload.profile import Profile, Stack, Team


@pytest.mark.parametrize(
    ("framework", "experience", "share"),
    [("pytorch", "some", 0.5), ("pytorch", "none", 0.5), ("pytorch", "expert", 0.5), ("pytorch/xla", "some", 0.5),
     ("jax", "some", 0.0), ("jax", "none", 0.0), ("tensorflow", "some", 0.0)],
)  # fmt: skip
def test_off_a_tpu_a_layer_is_taken_out_and_code_that_runs_on_gpu_too_leaves_as_it_is(
    catalogue: Catalogue, framework: str, experience: str, share: float
) -> None:
    profile = Profile(stack=Stack(framework=framework), team=Team(xla_experience=experience))
    usual = cost_input(catalogue, "porting_effort", "model").typical
    assert usual
    weeks = {chip: exit_weeks(profile, catalogue, catalogue.accelerator_by_id[chip]) for chip in ("tpu-v6e", "mi300x")}
    assert weeks == {"tpu-v6e": pytest.approx(usual * share), "mi300x": 0.0}


def test_without_a_gpu_to_go_to_leaving_is_not_counted(catalogue: Catalogue) -> None:
    tpus = replace(catalogue, accelerators=tuple(one for one in catalogue.accelerators if one.kind == "tpu"))
    assert exit_weeks(Profile(), tpus, tpus.accelerator_by_id["tpu-v6e"]) == 0.0


@pytest.mark.parametrize("provider", ["aws", "gcp"])
def test_leaving_costs_the_weeks_and_the_way_out_of_the_data(catalogue: Catalogue, provider: str) -> None:
    offer = next(one for one in catalogue.offers if one.provider == provider)
    profile = Profile(job=PreTraining(dataset_gb=2_000.0), team=Team(engineer_usd_per_week=7_000.0))
    per_gb = cost_input(catalogue, "egress_internet", provider).typical
    assert per_gb
    assert leaving_usd(profile, catalogue, offer, 3.0) == pytest.approx(21_000.0 + 2_000 * per_gb)
