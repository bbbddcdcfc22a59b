"""Each criterion against its formula, on paper."""

import math
from collections.abc import Callable

import numpy as np
import pytest

from core.amounts import Amount
from core.catalogue.catalogue import Catalogue
from core.flexibility.elasticity import large_score, small_score, wait_score
from core.flexibility.exit_cost import exit_score
from core.flexibility.ops_and_shapes import rewrite_score
from core.flexibility.registry import criteria
from core.flexibility.suppliers import sellers, supplier_score
from core.flexibility.types import CriterionScore
from core.ranges import Range
from core.workload.jobs.kinds import PreTraining
from core.workload.profile import Places, Profile, Stack, Team

Judge = Callable[..., CriterionScore]
PLAIN = Profile()


def test_eight_sellers_are_fully_free_and_one_is_a_third() -> None:
    assert supplier_score(0) == 0
    assert supplier_score(1) == pytest.approx(0.315, abs=0.001)
    assert supplier_score(8) == supplier_score(20) == 1


def test_only_sellers_allowed_count(catalogue: Catalogue, judge: Judge) -> None:
    assert len(sellers(catalogue, "h100-sxm", ())) > 5
    assert sellers(catalogue, "tpu-v5e", ()) == {"gcp"}
    narrow = Profile(places=Places(providers=("gcp", "aws")))
    assert judge("F1", narrow).value.likely == pytest.approx(supplier_score(2))


def test_regions_allowed_leave_fewer_sellers_and_unstated_regions_widen(catalogue: Catalogue, judge: Judge) -> None:
    everywhere = sellers(catalogue, "h100-sxm", ())
    in_europe = sellers(catalogue, "h100-sxm", (), ("europe-",), any_region=False)
    perhaps = sellers(catalogue, "h100-sxm", (), ("europe-",))
    assert in_europe < perhaps < everywhere
    found = judge("F1", Profile(places=Places(region_prefixes=("europe-",)))).value
    assert found.low == found.likely == supplier_score(len(in_europe)) < found.high == supplier_score(len(perhaps))


def test_a_tpu_covers_the_public_cloud_of_two_places_needed(judge: Judge) -> None:
    profile = Profile(places=Places(needed_places=("public_cloud", "workstation")))
    assert judge("F2", profile, "tpu-v6e").value.likely == 0.5
    assert judge("F2", profile, "h100-sxm").value.likely == 0.5
    assert judge("F2", profile, "l40s").value.likely == 1.0


def test_frameworks_take_the_mean_of_native_layer_and_none(judge: Judge) -> None:
    profile = Profile(stack=Stack(framework="pytorch", libraries=("deepspeed",)))
    assert judge("F3", profile, "h100-sxm").value == Range(1.0, 1.0, 1.0)
    assert judge("F3", profile, "tpu-v6e").value.likely == pytest.approx((0.6 + 0.0) / 2)


def test_code_that_must_be_converted_first_is_not_native(judge: Judge) -> None:
    """There are no builds of PyTorch/XLA for GPU any more."""
    found = judge("F3", Profile(stack=Stack(framework="pytorch/xla")), "h100-sxm")
    assert found.value == Range(0.3, 0.3, 0.3)
    assert found.evidence == "PyTorch/XLA: after conversion to PyTorch on CUDA" and not found.estimate


def test_unknown_support_is_an_interval_not_a_guess(judge: Judge) -> None:
    assert judge("F3", PLAIN, "tpu-v6e", without_support=True).value == Range(0.0, 0.5, 1.0)


def test_four_weeks_of_rewriting_leave_37_percent() -> None:
    assert rewrite_score(0) == 1
    assert rewrite_score(4) == pytest.approx(math.exp(-1))


def test_code_that_runs_as_it_is_needs_no_rewriting(judge: Judge) -> None:
    own_kernels = Profile(stack=Stack(custom_kernels=3))
    assert judge("F4", own_kernels, "h100-sxm").value == Range(1.0, 1.0, 1.0)
    assert judge("F4", own_kernels, "h100-sxm").evidence == "Runs as it is"
    assert judge("F4", own_kernels, "tpu-v6e").value.likely < 0.2


def test_debugging_counts_facts_and_unknown_ones_widen(judge: Judge) -> None:
    assert judge("F6", PLAIN, "h100-sxm").value == Range(1.0, 1.0, 1.0)
    tpu, gaudi = judge("F6", PLAIN, "tpu-v6e"), judge("F6", PLAIN, "gaudi3")
    assert tpu.value == Range(2 / 6, 2 / 6, 2 / 6)
    assert gaudi.value.high - gaudi.value.low == pytest.approx(1 / 6)
    assert "a card for the desk" in tpu.evidence


def test_much_debugging_doubles_the_weight_of_debugging(judge: Judge) -> None:
    needy = Profile(team=Team(debug_need="high"))
    assert judge("F6", needy).weight == 2 * judge("F6", PLAIN).weight


def test_leaving_a_tpu_costs_a_port_the_data_and_the_rest_of_a_commitment(judge: Judge) -> None:
    profile = Profile(job=PreTraining(dataset_gb=0.0), team=Team(engineer_usd_per_week=5000.0))
    found = judge("F7", profile, "tpu-v6e", running_usd=60_000.0, waste_usd=1_000.0, months=2.0)
    weeks = dict(found.inputs)["Weeks to port away"]
    share = (weeks.value * 5000 + 1000) / 60_000
    assert found.value.likely == pytest.approx(math.exp(-share / 0.25))


def test_leaving_is_set_against_twelve_months_of_a_longer_plan(judge: Judge) -> None:
    short = judge("F7", PLAIN, "tpu-v6e", running_usd=1e6, months=12.0)
    long = judge("F7", PLAIN, "tpu-v6e", running_usd=3e6, months=36.0)
    assert short.value.likely == pytest.approx(long.value.likely)


def test_leaving_at_a_quarter_of_a_year_scores_37_percent() -> None:
    assert float(exit_score(np.array(0.25))) == pytest.approx(math.exp(-1))


def test_starting_small_growing_large_and_waiting() -> None:
    assert small_score(1) == 1 and small_score(256) == 0 and small_score(16) == 0.5
    assert large_score(4096) == large_score(9000) == 1 and large_score(64) == 0.5
    assert wait_score(Range(0.0, 7.0, 14.0)).likely == pytest.approx(math.exp(-1))


def test_a_three_year_commitment_is_less_elastic_than_on_demand(judge: Judge) -> None:
    free, bound = (judge("F8", PLAIN, purchase_model=model).value.likely for model in ("on_demand", "commit_3y"))
    assert free - bound == pytest.approx(0.25)


def test_how_far_gpu_clusters_grow_is_not_documented(judge: Judge) -> None:
    gpu, tpu = judge("F8", PLAIN, "h100-sxm").value, judge("F8", PLAIN, "tpu-v5p").value
    assert gpu.high - gpu.low > 0
    assert tpu.high == pytest.approx(tpu.low)


def test_experience_makes_a_team_fit(judge: Judge) -> None:
    fits = [
        judge("F9", Profile(team=Team(xla_experience=x)), "tpu-v6e").value.likely for x in ("none", "some", "expert")
    ]
    assert fits == pytest.approx([1 - 8 / 12, 1 - 3 / 12, 1.0])
    assert judge("F9", PLAIN, "h100-sxm").value == Range(1.0, 1.0, 1.0)


@pytest.mark.parametrize(
    ("experience", "weeks"), [("none", (4.0, 8.0, 12.0)), ("some", (1.0, 3.0, 6.0)), ("expert", (0.0, 0.0, 1.0))]
)
def test_the_fit_falls_to_nothing_in_twelve_weeks_of_learning(
    judge: Judge, experience: str, weeks: tuple[float, float, float]
) -> None:
    found = judge("F9", Profile(team=Team.model_validate({"xla_experience": experience})), "tpu-v6e")
    assert (found.value.low, found.value.likely, found.value.high) == pytest.approx([1 - w / 12 for w in weeks[::-1]])
    assert dict(found.inputs)["Weeks to learn it"] == f"{weeks[1]:g} ({weeks[0]:g}–{weeks[2]:g})"


def test_criteria_are_found_in_order_of_their_ids() -> None:
    ids = [criterion.id for criterion in criteria()]
    assert ids == ["F1", "F2", "F3", "F4", "F6", "F7", "F8", "F9", "F10"]


@pytest.mark.parametrize(("running_usd", "months"), [(1e5, 2.0), (1e6, 24.0), (1e12, 12.0)])
def test_the_exit_bill_is_told_as_its_share_of_a_year(judge: Judge, running_usd: float, months: float) -> None:
    """A plan shorter than a year counts whole; below half a per cent leaving costs little."""
    told = judge("F7", PLAIN, "tpu-v6e", running_usd=running_usd, months=months)
    inputs = {name: text.value for name, text in told.inputs if isinstance(text, Amount)}
    year_usd = running_usd * min(1.0, 12 / months)
    share = inputs["Exit bill"] / year_usd
    assert inputs["Twelve months of the running bill"] == pytest.approx(year_usd)
    words = f"Exit bill {100 * share:.0f} % of a year" if share >= 0.005 else "Leaving costs little"
    assert told.evidence == f"{words} on the last day"
    assert told.value.likely == pytest.approx(math.exp(-share / 0.25))
    assert (told.value.low, told.value.high) == pytest.approx((math.exp(-share * 6), math.exp(-share * 2)))
    assert (share >= 0.005) is (running_usd < 1e12)


def test_leaving_for_something_is_not_free_where_running_is(judge: Judge) -> None:
    """Own chips that are there already: nothing to set the port against."""
    told = judge("F7", PLAIN, "tpu-v6e", running_usd=0.0, months=12.0)
    assert told.value == Range(0.0, 0.0, 0.0)
    assert told.evidence == "Exit bill is all there is to pay on the last day"
    without_data = Profile(job=PreTraining(dataset_gb=0.0))
    assert judge("F7", without_data, "h100-sxm", running_usd=0.0, months=12.0).value.likely == 1.0


def test_leaving_before_the_end_loses_what_is_committed(judge: Judge) -> None:
    """The exit bill is that of the last day, on which nothing of a term may be left."""
    words = "; an earlier end also loses what is committed"
    for model, is_told in (("on_demand", False), ("spot", False), ("commit_1y", True), ("capacity_block", True)):
        told = judge("F7", PLAIN, purchase_model=model, running_usd=1e12, months=12.0).evidence
        assert told == f"Leaving costs little on the last day{words if is_told else ''}"
