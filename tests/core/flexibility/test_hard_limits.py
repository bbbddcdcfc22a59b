"""Hard limits: what rules an offer out, in words, with the change that would admit it."""

import pytest

from core.catalogue.catalogue import Catalogue
from core.catalogue.entries import Offer
from core.flexibility.limits import hard_limits
from core.workload.job import OnlineServing
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
        (Profile(stack=Stack(framework="tensorflow")), "tpu7x", "framework"),
        (Profile(stack=Stack(driver_access=True)), "tpu-v6e", "driver"),
        (Profile(stack=Stack(non_ml_use=True)), "tpu-v6e", "non_ml"),
        (Profile(), "inf2", "inference_only"),
        (Profile(), "rubin", "announced"),
    ],
)
def test_each_limit_is_told_with_its_code(catalogue: Catalogue, profile: Profile, accelerator: str, code: str) -> None:
    assert code in codes(catalogue, profile, accelerator)


def test_each_limit_lets_through_what_keeps_to_it(catalogue: Catalogue) -> None:
    assert codes(catalogue, Profile(places=Places(providers=("gcp",))), "tpu-v6e") == []
    assert codes(catalogue, Profile(job=OnlineServing()), "inf2") == []
    assert codes(catalogue, Profile(stack=Stack(driver_access=True, non_ml_use=True)), "h100-sxm") == []
    assert "announced" not in codes(catalogue, Profile(limits=Limits(include_announced=True)), "rubin")


def test_owned_hardware_may_stay_on_premises(catalogue: Catalogue) -> None:
    profile = Profile(places=Places(must_be_on_prem=True, purchase_models=("owned",)))
    assert codes(catalogue, profile, "h100-sxm", "owned") == []


def test_spot_is_ruled_out_until_it_is_allowed(catalogue: Catalogue) -> None:
    assert codes(catalogue, Profile(), "h100-sxm", "spot") == ["purchase"]


def test_several_limits_are_all_told(catalogue: Catalogue) -> None:
    profile = Profile(places=Places(providers=("aws",)), stack=Stack(driver_access=True, non_ml_use=True))
    assert codes(catalogue, profile, "tpu-v6e") == ["provider", "driver", "non_ml"]
