"""Hard limits on who sells: of which kind, certified as asked, available as promised. What is not proved is not met."""

from __future__ import annotations

from collections.abc import Iterable

from core.amounts import Amount, Sentence
from core.catalogue.catalogue import Catalogue
from core.catalogue.details.source_names import cited
from core.catalogue.entries import CLASS_WORDS, OWN, Offer
from core.catalogue.providers import provider_name
from core.catalogue.sellers.papers import (
    certificates_from_memory,
    kind_of_seller,
    promise_of,
    proved_certificates,
)
from core.throughput.types import Reason
from core.workload.profile import CERTIFICATE_WORDS, SELLER_WORDS, Profile


def seller_limits(profile: Profile, catalogue: Catalogue, offer: Offer) -> tuple[Reason, ...]:
    """Every limit on sellers that an offer misses, in a fixed order."""
    reasons = (check(profile, catalogue, offer) for check in (_kind, _certificates, _availability))
    return tuple(reason for reason in reasons if reason is not None)


def _kind(profile: Profile, catalogue: Catalogue, offer: Offer) -> Reason | None:
    """A seller of whom nobody says what he is passes only where nothing is asked."""
    allowed, kind = profile.places.seller_classes, kind_of_seller(catalogue, offer.provider)
    if not allowed or kind in allowed:
        return None
    name = provider_name(offer.provider)
    if kind is None:
        text = f"Not proved that {name} is of the sellers allowed: its class is unknown"
        return Reason("seller_class", text, "Allow all sellers, or name another seller")
    words = SELLER_WORDS[kind]
    if kind == "own":
        return Reason("seller_class", "Own hardware is not among those that may sell", f"Allow {words.lower()}")
    seller = catalogue.seller_by_provider[offer.provider]
    origin = cited(f"{seller.source}, {seller.as_of}", catalogue.sources)
    text = f"{name} is a {CLASS_WORDS[seller.seller_class]}, which may not sell here ({origin})"
    return Reason("seller_class", text, f"Allow {words.lower()}")


def _certificates(profile: Profile, catalogue: Catalogue, offer: Offer) -> Reason | None:
    """Each certificate asked for must stand in a dated source, or have been shown to the user."""
    if not profile.places.certificates or _is_settled(profile, offer):
        return None
    open_ones = [one for one in profile.places.certificates if one not in proved_certificates(offer.provider)]
    if not open_ones:
        return None
    name, asked = provider_name(offer.provider), _listed(open_ones)
    told = certificates_from_memory(catalogue, offer.provider).intersection(open_ones)
    if told:
        why = f"{_listed(one for one in open_ones if one in told)} known from memory only"
    else:
        why = "no source names it" if len(open_ones) == 1 else "no source names them"
    return Reason("certificates", f"{asked} of {name} not proved: {why}", _ask(name, asked))


def _availability(profile: Profile, catalogue: Catalogue, offer: Offer) -> Reason | None:
    least, promise = profile.places.min_sla_pct, promise_of(catalogue, offer.provider)
    if least is None or _is_settled(profile, offer) or (promise and promise.proved and promise.pct >= least):
        return None
    name, asked = provider_name(offer.provider), Amount(least, "%", 6)
    if promise is None:
        text = Sentence("Availability of {} promised by {} not proved: no source tells a promise", asked, name)
    elif promise.pct < least:
        known = "" if promise.proved else ", from memory"
        promised = Amount(promise.pct, "%", 6)
        text = Sentence("{} promises {} a month{}, {} is asked", name, promised, known or f" ({promise.origin})", asked)
        if promise.proved:
            return Reason("sla", text, Sentence("Fits with {} allowed", promised))
    else:
        promised = Amount(promise.pct, "%", 6)
        text = Sentence("Availability of {} not proved: the {} of {} are known from memory only", asked, promised, name)
    return Reason("sla", text, Sentence("Ask {} for an SLA of {}, then name it as confirmed", name, asked))


def _is_settled(profile: Profile, offer: Offer) -> bool:
    """Own hardware promises nothing to its owner; a seller who showed his papers to the user has proved them."""
    return offer.provider == OWN or offer.provider in profile.places.confirmed_sellers


def _listed(certificates: Iterable[str]) -> str:
    return ", ".join(CERTIFICATE_WORDS[one] for one in certificates)


def _ask(name: str, asked: str) -> str:
    return f"Ask {name} for {asked}, then name it as confirmed"
