"""Hard limits: what rules an offer out, in words, with the change that would admit it."""

import pytest

from core.catalogue.catalogue import Catalogue
from core.catalogue.details.related import support
from core.catalogue.entries import Offer
from core.flexibility.limits import chip_limits, hard_limits
from core.workload.jobs.base import ENGINE_WORDS
from core.workload.jobs.kinds import BatchInference, OnlineServing, PreTraining, ReinforcementLearning
from core.workload.profile import Limits, Places, Profile, Stack


def offer_of(catalogue: Catalogue, accelerator: str, purchase_model: str = "on_demand") -> Offer:
    """An offer of the chip; of another chip's terms where the chip is sold nowhere yet."""
    known = catalogue.offers_by_accelerator.get(accelerator) or catalogue.offers_by_accelerator["tpu-v6e"]
    return known[0].model_copy(update={"purchase_model": purchase_model, "accelerator_id": accelerator})


def codes(catalogue: Catalogue, profile: Profile, accelerator: str, purchase_model: str = "on_demand") -> list[str]:
    chip = catalogue.accelerator_by_id[accelerator]
    found = hard_limits(profile, catalogue, offer_of(catalogue, accelerator, purchase_model), chip)
    assert all(reason.text and reason.nearest_change for reason in found)
    return [reason.code for reason in found]


@pytest.mark.parametrize("accelerator", ["h100-sxm", "mi300x", "tpu-v6e", "trn2"])
def test_a_plain_profile_rules_nothing_out(catalogue: Catalogue, accelerator: str) -> None:
    assert codes(catalogue, Profile(), accelerator) == []


@pytest.mark.parametrize(
    ("profile", "accelerator", "code"),
    [
        (Profile(places=Places(providers=("aws",))), "tpu-v6e", "provider"),
        (Profile(places=Places(region_prefixes=("antarctica-",))), "tpu-v6e", "region"),
        (Profile(places=Places(purchase_models=("spot",))), "h100-sxm", "purchase"),
        (Profile(places=Places(must_be_on_prem=True)), "h100-sxm", "place"),
        (Profile(places=Places(vendors=("AMD", "Google"))), "h100-sxm", "vendor"),
        (Profile(stack=Stack(framework="tensorflow")), "tpu7x", "framework"),
        (Profile(stack=Stack(framework="pytorch/xla")), "trn2", "framework"),
        (Profile(stack=Stack(driver_access=True)), "tpu-v6e", "driver"),
        (Profile(stack=Stack(non_ml_use=True)), "tpu-v6e", "non_ml"),
        (Profile(), "inf2", "inference_only"),
        (Profile(), "rubin", "announced"),
        (Profile(job=PreTraining(precision="fp8")), "a100-sxm-80", "format"),
        (Profile(job=PreTraining(precision="fp16")), "tpu-v6e", "format"),
        (Profile(job=OnlineServing(weight_precision="bf16")), "t4", "format"),
        (Profile(job=OnlineServing(weight_precision="fp16", engine="tensorrt-llm")), "v100-sxm2-32", "engine"),
        (Profile(job=OnlineServing(engine="tensorrt-llm")), "tpu-v6e", "engine"),
        (Profile(job=OnlineServing(engine="tensorrt-llm")), "mi300x", "engine"),
        (Profile(job=OnlineServing(engine="jetstream")), "tpu-v6e", "engine"),
        (Profile(job=BatchInference(engine="jetstream")), "tpu7x", "engine"),
        (Profile(job=ReinforcementLearning(rollout_engine="sglang")), "trn2", "engine"),
    ],
)
def test_each_limit_is_told_with_its_code(catalogue: Catalogue, profile: Profile, accelerator: str, code: str) -> None:
    assert code in codes(catalogue, profile, accelerator)


def test_each_limit_lets_through_what_keeps_to_it(catalogue: Catalogue) -> None:
    assert codes(catalogue, Profile(job=PreTraining(precision="fp16")), "v100-sxm2-32") == []
    assert codes(catalogue, Profile(job=OnlineServing(weight_precision="fp8")), "a100-sxm-80") == []
    assert codes(catalogue, Profile(job=OnlineServing(engine="maxtext")), "tpu-v6e") == []
    assert codes(catalogue, Profile(stack=Stack(libraries=("deepspeed",))), "tpu-v6e") == []
    assert codes(catalogue, Profile(places=Places(providers=("gcp",))), "tpu-v6e") == []
    assert codes(catalogue, Profile(job=OnlineServing()), "inf2") == []
    assert codes(catalogue, Profile(job=OnlineServing(), stack=Stack(framework="pytorch/xla")), "trn2") == []
    assert codes(catalogue, Profile(stack=Stack(framework="pytorch/xla")), "h100-sxm") == []
    for chip in ("mi300x", "tpu-v6e"):
        assert codes(catalogue, Profile(places=Places(vendors=("AMD", "Google"))), chip) == []
    assert codes(catalogue, Profile(stack=Stack(driver_access=True, non_ml_use=True)), "h100-sxm") == []
    assert "announced" not in codes(catalogue, Profile(limits=Limits(include_announced=True)), "rubin")


def test_an_engine_that_is_archived_is_refused_with_what_to_use_instead(catalogue: Catalogue) -> None:
    chip = catalogue.accelerator_by_id["tpu-v6e"]
    (reason,) = chip_limits(Profile(job=OnlineServing(engine="jetstream")), catalogue, chip)
    assert "JetStream does not run on Trillium v6e (Archived 2026-02-01; " in reason.words
    assert str(reason.nearest_change) == "Take vLLM through tpu-inference"


@pytest.mark.parametrize("engine", ENGINE_WORDS)
def test_no_plan_rests_on_an_engine_that_does_not_run(catalogue: Catalogue, engine: str) -> None:
    """Whatever the catalogue names beside it: no engine is ported."""
    profile = Profile(job=OnlineServing.model_validate({"engine": engine}))
    for chip in catalogue.accelerators:
        row = support(catalogue, engine, chip)
        told = [one.code for one in chip_limits(profile, catalogue, chip)]
        assert row is None or ("engine" in told) >= (row.support == "none")


def test_owned_hardware_may_stay_on_premises(catalogue: Catalogue) -> None:
    profile = Profile(places=Places(must_be_on_prem=True, purchase_models=("owned",)))
    assert codes(catalogue, profile, "h100-sxm", "owned") == []


def test_spot_is_ruled_out_until_it_is_allowed(catalogue: Catalogue) -> None:
    assert codes(catalogue, Profile(), "h100-sxm", "spot") == ["purchase"]


def test_several_limits_are_all_told(catalogue: Catalogue) -> None:
    profile = Profile(places=Places(providers=("aws",)), stack=Stack(driver_access=True, non_ml_use=True))
    assert codes(catalogue, profile, "tpu-v6e") == ["provider", "driver", "non_ml"]


def _serving(**places: object) -> Profile:
    return Profile(job=OnlineServing(), places=Places.model_validate(places))


def _reasons(catalogue: Catalogue, profile: Profile, **changes: object) -> list[str]:
    offer = catalogue.offers_by_accelerator["tpu-v6e"][0].model_copy(update={"provider": "gcp", **changes})
    found = hard_limits(profile, catalogue, offer, catalogue.accelerator_by_id["tpu-v6e"])
    assert all(reason.text and reason.nearest_change for reason in found)
    return [reason.code for reason in found]


def test_air_gapped_work_runs_on_hardware_of_ones_own_or_on_entered_servers(catalogue: Catalogue) -> None:
    profile = Profile(
        places=Places(air_gapped=True, purchase_models=("on_demand", "dedicated_monthly", "owned", "commit_3y"))
    )
    assert _reasons(catalogue, profile, purchase_model="on_demand") == ["air_gap"]
    assert _reasons(catalogue, profile, purchase_model="dedicated_monthly") == ["air_gap"]
    assert _reasons(catalogue, profile, purchase_model="dedicated_monthly", layer="plan") == []
    assert _reasons(catalogue, profile, purchase_model="commit_3y", layer="book") == ["air_gap"]
    assert _reasons(catalogue, profile, purchase_model="owned") == []


def test_places_are_allowed_by_human_name_whatever_the_seller_calls_them(catalogue: Catalogue) -> None:
    tokyo = Profile(places=Places(region_places=("asia/jp/tokyo",)))
    assert _reasons(catalogue, tokyo, region="asia-northeast1") == []
    assert _reasons(catalogue, tokyo, provider="aws", region="ap-northeast-1") == []
    assert _reasons(catalogue, tokyo, region="us-central1") == ["region"]
    assert _reasons(catalogue, tokyo, provider="nobody", region="mars-1") == ["region"]


@pytest.mark.parametrize("region", ["any", "global", "", "mars-1"])
def test_an_unknown_place_proves_no_residency(catalogue: Catalogue, region: str) -> None:
    tokyo = Profile(places=Places(region_places=("asia/jp/tokyo",)))
    offer = catalogue.offers_by_accelerator["tpu-v6e"][0].model_copy(update={"provider": "gcp", "region": region})
    (reason,) = hard_limits(tokyo, catalogue, offer, catalogue.accelerator_by_id["tpu-v6e"])
    assert reason.code == "region"
    assert "Not proved" in str(reason.text)
    assert "Ask GCP" in str(reason.nearest_change)
    for beginning in ("asia-", "a", "g"):
        beginnings = Profile(places=Places(region_prefixes=(beginning,)))
        assert _reasons(catalogue, beginnings, region=region) == ["region"]


def test_own_hardware_stands_where_its_owner_puts_it(catalogue: Catalogue) -> None:
    tokyo = Profile(places=Places(region_places=("asia/jp/tokyo",), purchase_models=("owned",)))
    assert _reasons(catalogue, tokyo, provider="own", region="any", purchase_model="owned") == []


def test_places_and_beginnings_of_names_count_together(catalogue: Catalogue) -> None:
    both = Profile(places=Places(region_places=("asia",), region_prefixes=("us-",)))
    assert _reasons(catalogue, both, region="us-central1") == []
    assert _reasons(catalogue, both, region="asia-east1") == []
    assert _reasons(catalogue, both, region="europe-west4") == ["region"]


def test_too_long_a_way_to_users_rules_out_and_so_does_an_unknown_place(catalogue: Catalogue) -> None:
    profile = _serving(user_places=("hong-kong",), round_trip_limit_ms=60)
    assert _reasons(catalogue, profile, region="asia-northeast1") == []
    assert _reasons(catalogue, profile, region="us-central1") == ["way"]
    assert _reasons(catalogue, profile, region="any") == ["way"]
    assert _reasons(catalogue, _serving(user_places=("hong-kong",), round_trip_limit_ms=1000), region="any") == []
    assert _reasons(catalogue, Profile(places=profile.places), region="us-central1") == []


def test_99_of_100_requests_count_the_farthest_users(catalogue: Catalogue) -> None:
    users = {"user_places": ("tokyo", "london"), "round_trip_limit_ms": 100}
    half, most = _serving(**users), _serving(**users)
    most = most.model_copy(update={"job": OnlineServing(latency_percentile="p99")})
    assert _reasons(catalogue, half, region="asia-northeast1") == []
    assert _reasons(catalogue, most, region="asia-northeast1") == ["way"]
