"""Hard limits: what no score can make up for. They filter, and each says what would admit the offer."""

from __future__ import annotations

import math
from collections.abc import Callable

from core.amounts import Amount, Sentence
from core.catalogue.catalogue import Catalogue
from core.catalogue.details.related import support
from core.catalogue.details.source_names import cited
from core.catalogue.entries import OWN, Accelerator, Offer
from core.catalogue.places.distance import route_of
from core.catalogue.places.sale_places import NO_REGION, is_placed, is_within
from core.catalogue.providers import provider_name
from core.flexibility.seller_limits import seller_limits
from core.throughput.chips.run_formats import answering_formats, planned_formats
from core.throughput.types import Reason
from core.workload.jobs.base import ENGINE_WORDS, ServingEngine
from core.workload.profile import FRAMEWORK_WORDS, LIBRARY_WORDS, PURCHASE_WORDS, Profile

INFERENCE_ONLY = ("inf2", "tpu8i")
"""Chips that their vendors sell for inference only."""

ANSWERS_ONLY = "inference only"
"""What the catalogue says of software that is in production on a chip for answers, and no longer for training."""

_PlaceCheck = Callable[[Profile, Catalogue, Offer], Reason | None]
_ChipCheck = Callable[[Profile, Catalogue, Accelerator], Reason | None]


def hard_limits(profile: Profile, catalogue: Catalogue, offer: Offer, accelerator: Accelerator) -> tuple[Reason, ...]:
    """Every hard limit that an offer misses, in a fixed order; empty when it may be compared."""
    return (*place_limits(profile, catalogue, offer), *chip_limits(profile, catalogue, accelerator))


def place_limits(profile: Profile, catalogue: Catalogue, offer: Offer) -> tuple[Reason, ...]:
    """Those of where, how and of whom the offer is had: the same for all offers of the same :func:`place_of`."""
    reasons = (check(profile, catalogue, offer) for check in _PLACE_CHECKS)
    return (*(reason for reason in reasons if reason is not None), *seller_limits(profile, catalogue, offer))


def chip_limits(profile: Profile, catalogue: Catalogue, accelerator: Accelerator) -> tuple[Reason, ...]:
    """Those of the chip, whoever sells it."""
    reasons = (check(profile, catalogue, accelerator) for check in _CHIP_CHECKS)
    return tuple(reason for reason in reasons if reason is not None)


def place_of(offer: Offer) -> tuple[str, str, str, bool, bool]:
    """All of an offer that :func:`place_limits` may look at: provider, region, way to pay, entered by the user, there
    already."""
    is_held = offer.held_chips is not None
    return offer.provider, offer.region, offer.purchase_model, offer.layer != "catalogue", is_held


def _place(profile: Profile, _: Catalogue, offer: Offer) -> Reason | None:
    if profile.places.must_be_on_prem and offer.purchase_model != "owned":
        return Reason(
            "place", "A cloud offer, and the work must stay on premises", "Allow clouds, or enter own hardware"
        )
    return None


def _air_gap(profile: Profile, _: Catalogue, offer: Offer) -> Reason | None:
    """Own hardware keeps an air gap, and so do dedicated servers that the user entered; a cloud is reached by net."""
    is_own = offer.purchase_model == "owned" or (
        offer.purchase_model == "dedicated_monthly" and offer.layer != "catalogue"
    )
    if profile.places.air_gapped and not is_own:
        text = "Reached over a network, and the work is air-gapped"
        return Reason("air_gap", text, "Enter own hardware or a dedicated server, or allow a network")
    return None


def _provider(profile: Profile, _: Catalogue, offer: Offer) -> Reason | None:
    allowed = profile.places.providers
    if allowed and offer.held_chips is None and offer.provider not in allowed:
        seller = provider_name(offer.provider)
        return Reason("provider", f"{seller} is not among the providers allowed", f"Allow {seller}")
    return None


def _region(profile: Profile, catalogue: Catalogue, offer: Offer) -> Reason | None:
    """Places by human name and beginnings of region names count together; where nobody says where, nothing is proved.

    Own hardware stands where its owner puts it.
    """
    places, prefixes = profile.places.region_places, profile.places.region_prefixes
    is_named = _names_a_region(offer)
    if not (places or prefixes) or offer.provider == OWN or (is_named and offer.region.startswith(prefixes)):
        return None
    if places and is_within(catalogue, offer.provider, offer.region, places):
        return None
    if not (is_placed(catalogue, offer.provider, offer.region) or (prefixes and is_named)):
        text = f"Not proved to be in the places allowed: {_unplaced(offer)}"
        ask = f"Ask {provider_name(offer.provider)} for the place, then enter it as an offer"
        return Reason("region", text, ask, is_unproved=True)
    return Reason("region", f"{offer.region} is outside the places allowed", f"Allow {offer.region}")


def _names_a_region(offer: Offer) -> bool:
    return offer.region not in NO_REGION


def _unplaced(offer: Offer) -> str:
    if _names_a_region(offer):
        return f"no table knows where {offer.region} lies"
    return "the offer does not say where it runs"


def _way(profile: Profile, catalogue: Catalogue, offer: Offer) -> Reason | None:
    """Too far from the users. An offer that does not say where it is counts as in the farthest place of its seller."""
    limit_ms, route = profile.places.round_trip_limit_ms, route_of(profile, catalogue, offer)
    if limit_ms is None or route is None:
        return None
    needed_ms = route.ms(profile.job.time_limits.percentile).likely
    if needed_ms <= limit_ms:
        return None
    told, most, name = Amount(needed_ms, "ms", 2), Amount(limit_ms, "ms"), provider_name(offer.provider)
    allowed = Amount(math.ceil(needed_ms), "ms")
    if route.assumed:
        text = Sentence(
            "Not proved to be within {} of users: {}; {} from {}", most, _unplaced(offer), told, route.assumed
        )
        ask = "Name the site of your own hardware" if offer.provider == OWN else f"Ask {name} for the place"
        return Reason("way", text, Sentence("{}, or allow {} for the way", ask, allowed), is_unproved=True)
    text = Sentence("About {} to users and back, over the {} allowed", told, most)
    return Reason("way", text, Sentence("Fits with {} allowed for the way", allowed))


def _purchase(profile: Profile, _: Catalogue, offer: Offer) -> Reason | None:
    """What the user has need not be paid in a way that is allowed."""
    if offer.held_chips is None and offer.purchase_model not in profile.places.purchase_models:
        words = PURCHASE_WORDS[offer.purchase_model]
        return Reason("purchase", f"Paid as {words}, which is not allowed", f"Allow {words}")
    return None


def _vendor(profile: Profile, _: Catalogue, chip: Accelerator) -> Reason | None:
    allowed = profile.places.vendors
    if allowed and chip.vendor not in allowed:
        text = f"{chip.short_name} is made by {chip.vendor}, which is not among the makers allowed"
        return Reason("vendor", text, f"Allow {chip.vendor}")
    return None


def _announced(profile: Profile, _: Catalogue, chip: Accelerator) -> Reason | None:
    if chip.announced and not profile.limits.include_announced:
        return Reason(
            "announced", f"{chip.short_name} is announced and cannot be rented yet", "Include announced chips"
        )
    return None


def _framework(profile: Profile, catalogue: Catalogue, chip: Accelerator) -> Reason | None:
    framework = profile.stack.framework
    row = support(catalogue, framework, chip)
    words = FRAMEWORK_WORDS[framework]
    if row is not None and row.support == "none":
        return Reason(
            "framework", f"{words} does not run on {chip.short_name}", "Move the code to a framework that does"
        )
    if row is not None and row.production_ready == ANSWERS_ONLY and profile.job.trains:
        origin = cited(f"{row.source}, {row.as_of}", catalogue.sources)
        text = f"{words} trains nothing on {chip.short_name} any more ({origin})"
        return Reason("framework", text, "Move the code to a framework that trains there")
    return None


def _libraries(profile: Profile, catalogue: Catalogue, chip: Accelerator) -> Reason | None:
    """A library that does not run on the chip and that nothing replaces there.

    One with something in its place is a part of the port: its effort is in the bill, and its support counts as none.
    """
    for library in profile.stack.libraries:
        row = support(catalogue, library, chip)
        if row is not None and row.support == "none" and not row.via:
            words = LIBRARY_WORDS.get(library, library)
            return Reason("library", f"{words} has no path on {chip.short_name}", f"Do without {words}")
    return None


def _engine(profile: Profile, catalogue: Catalogue, chip: Accelerator) -> Reason | None:
    """A serving engine that does not run on the chip."""
    engine = None if profile.is_in_samples else profile.job.serving_engine
    return _not_running(catalogue, engine, chip, "another serving engine") if engine else None


def _not_running(catalogue: Catalogue, engine: ServingEngine, chip: Accelerator, another: str) -> Reason | None:
    """What the catalogue names beside an engine that does not run is to be used in its place: no engine is ported, and
    speeds are those of the engine that was entered."""
    row = support(catalogue, engine, chip)
    if row is None or row.support != "none":
        return None
    origin = cited(f"{row.source}, {row.as_of}", catalogue.sources)
    told = "; ".join(filter(None, (row.note.rstrip("."), origin)))
    return Reason("engine", f"{ENGINE_WORDS[engine]} does not run on {chip.short_name} ({told})",
                  f"Take {row.via or another}")  # fmt: skip


def _format(profile: Profile, _: Catalogue, chip: Accelerator) -> Reason | None:
    """What the software makes of the job's number format on the chip; an unknown peak is left to the engine."""
    refusal = planned_formats(profile)(chip, profile.job.compute_precision).refusal
    return None if refusal is None or refusal.code == "unknown" else refusal


def _post_training(profile: Profile, catalogue: Catalogue, chip: Accelerator) -> Reason | None:
    """Software that answers, scores and trains in one loop: there is hardly any beyond GPUs, and JAX on TPUs.

    Pairs that are there already are trained on as in fine-tuning: the framework and its formats decide.
    """
    if profile.job.answers_with is None:
        return None
    software = "tunix" if profile.stack.framework == "jax" else "verl"
    row = support(catalogue, software, chip)
    if row is None or row.support != "none":
        return None
    origin, words = cited(f"{row.source}, {row.as_of}", catalogue.sources), FRAMEWORK_WORDS[profile.stack.framework]
    text = f"No software for {words} answers, scores and trains in one loop on {chip.short_name} ({origin})"
    return Reason("post_training", text, row.via or "Take a GPU")


def _answering(profile: Profile, catalogue: Catalogue, chip: Accelerator) -> Reason | None:
    """The engine that generates a step's answers, and its format."""
    asked = profile.job.answers_with
    if asked is None or profile.is_in_samples:
        return None
    engine, precision = asked
    if missing := _not_running(catalogue, engine, chip, "another engine for the answers"):
        return missing
    refusal = answering_formats(engine)(chip, precision).refusal
    return None if refusal is None or refusal.code == "unknown" else refusal


def _driver(profile: Profile, _: Catalogue, chip: Accelerator) -> Reason | None:
    if profile.stack.driver_access and chip.kind == "tpu":
        return Reason("driver", "A managed TPU gives no access to drivers", "Do without driver access")
    return None


def _non_ml(profile: Profile, _: Catalogue, chip: Accelerator) -> Reason | None:
    if profile.stack.non_ml_use and chip.kind != "gpu":
        return Reason("non_ml", f"{chip.short_name} runs no graphics or general HPC", "Run that work elsewhere")
    return None


def _inference_only(profile: Profile, _: Catalogue, chip: Accelerator) -> Reason | None:
    if chip.id in INFERENCE_ONLY and profile.job.trains:
        return Reason("inference_only", f"{chip.short_name} is made for inference only", "Use it for serving")
    return None


_PLACE_CHECKS: tuple[_PlaceCheck, ...] = (_place, _air_gap, _provider, _region, _way, _purchase)
_CHIP_CHECKS: tuple[_ChipCheck, ...] = (
    _vendor,
    _announced,
    _framework,
    _libraries,
    _engine,
    _format,
    _post_training,
    _answering,
    _driver,
    _non_ml,
    _inference_only,
)
