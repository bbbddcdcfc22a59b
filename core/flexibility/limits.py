"""Hard limits: what no score can make up for. They filter, and each says what would admit the offer."""

from __future__ import annotations

from collections.abc import Callable

from core.catalogue.catalogue import Catalogue
from core.catalogue.entries import Accelerator, Offer
from core.catalogue.providers import provider_name
from core.catalogue.software import support
from core.throughput.types import Reason
from core.workload.job import BatchInference, OnlineServing
from core.workload.profile import FRAMEWORK_WORDS, LIBRARY_WORDS, PURCHASE_WORDS, Profile

INFERENCE_ONLY = ("inf2", "tpu8i")
"""Chips that their vendors sell for inference only."""

_Check = Callable[[Profile, Catalogue, Offer, Accelerator], Reason | None]


def hard_limits(profile: Profile, catalogue: Catalogue, offer: Offer, accelerator: Accelerator) -> tuple[Reason, ...]:
    """Every hard limit that an offer misses, in a fixed order; empty when it may be compared."""
    found = (check(profile, catalogue, offer, accelerator) for check in _CHECKS)
    return tuple(reason for reason in found if reason is not None)


def _place(profile: Profile, _: Catalogue, offer: Offer, __: Accelerator) -> Reason | None:
    if profile.places.must_be_on_prem and offer.purchase_model != "owned":
        return Reason(
            "place", "A cloud offer, and the work must stay on premises", "Allow clouds, or enter own hardware"
        )
    return None


def _provider(profile: Profile, _: Catalogue, offer: Offer, __: Accelerator) -> Reason | None:
    allowed = profile.places.providers
    if allowed and offer.provider not in allowed:
        seller = provider_name(offer.provider)
        return Reason("provider", f"{seller} is not among the providers allowed", f"Allow {seller}")
    return None


def _region(profile: Profile, _: Catalogue, offer: Offer, __: Accelerator) -> Reason | None:
    prefixes = profile.places.region_prefixes
    if prefixes and offer.region != "any" and not offer.region.startswith(prefixes):
        return Reason("region", f"{offer.region} is outside the regions allowed", f"Allow {offer.region}")
    return None


def _purchase(profile: Profile, _: Catalogue, offer: Offer, __: Accelerator) -> Reason | None:
    if offer.purchase_model not in profile.places.purchase_models:
        words = PURCHASE_WORDS[offer.purchase_model]
        return Reason("purchase", f"Paid as {words}, which is not allowed", f"Allow {words}")
    return None


def _announced(profile: Profile, _: Catalogue, __: Offer, chip: Accelerator) -> Reason | None:
    if chip.announced and not profile.limits.include_announced:
        return Reason(
            "announced", f"{chip.short_name} is announced and cannot be rented yet", "Include announced chips"
        )
    return None


def _framework(profile: Profile, catalogue: Catalogue, _: Offer, chip: Accelerator) -> Reason | None:
    framework = profile.stack.framework
    found = support(catalogue, framework, chip)
    if found is not None and found.support == "none":
        words = FRAMEWORK_WORDS[framework]
        return Reason(
            "framework", f"{words} does not run on {chip.short_name}", "Move the code to a framework that does"
        )
    return None


def _libraries(profile: Profile, catalogue: Catalogue, _: Offer, chip: Accelerator) -> Reason | None:
    """Libraries without a path matter on chips to which porting the code would not replace them."""
    for library in profile.stack.libraries:
        found = support(catalogue, library, chip)
        if found is not None and found.support == "none" and not found.via:
            words = LIBRARY_WORDS.get(library, library)
            return Reason("library", f"{words} has no path on {chip.short_name}", f"Do without {words}")
    return None


def _driver(profile: Profile, _: Catalogue, __: Offer, chip: Accelerator) -> Reason | None:
    if profile.stack.driver_access and chip.kind == "tpu":
        return Reason("driver", "A managed TPU gives no access to drivers", "Do without driver access")
    return None


def _non_ml(profile: Profile, _: Catalogue, __: Offer, chip: Accelerator) -> Reason | None:
    if profile.stack.non_ml_use and chip.kind != "gpu":
        return Reason("non_ml", f"{chip.short_name} runs no graphics or general HPC", "Run that work elsewhere")
    return None


def _inference_only(profile: Profile, _: Catalogue, __: Offer, chip: Accelerator) -> Reason | None:
    if chip.id in INFERENCE_ONLY and not isinstance(profile.job, BatchInference | OnlineServing):
        return Reason("inference_only", f"{chip.short_name} is made for inference only", "Use it for serving")
    return None


_CHECKS: tuple[_Check, ...] = (
    _place, _provider, _region, _purchase, _announced, _framework, _libraries, _driver, _non_ml, _inference_only,
)  # fmt: skip
