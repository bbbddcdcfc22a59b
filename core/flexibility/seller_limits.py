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
    if not allowed or kind in allowed or offer.held_chips is not None:
        return None
    name = provider_name(offer.provider)
    if kind is None:
        text = f"Not proved that {name} is of the sellers allowed: its class is unknown"
        return Reason("seller_class", text, "Allow all sellers, or name another seller", is_unproved=True)
    words = SELLER_WORDS[kind]
    if kind == "own":
        return Reason("seller_class", "Own hardware is not among those that may sell", f"Allow {words.lower()}")
    word = CLASS_WORDS[catalogue.seller_by_provider[offer.provider].seller_class]
    text = f"{name} is a {word}, which may not sell here ({_origin(catalogue, offer.provider)})"
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
        which = "" if len(told) == len(open_ones) else f"{_listed(one for one in open_ones if one in told)} "
        why = f"{which}known from memory only"
    else:
        why = "no source names it" if len(open_ones) == 1 else "no source names them"
    return Reason("certificates", f"{asked} of {name} not proved: {why}", _ask(name, asked), is_unproved=True)


def _availability(profile: Profile, catalogue: Catalogue, offer: Offer) -> Reason | None:
    """The promise must reach what is asked, and stand in a dated source or have been shown to the user."""
    least, promise = profile.places.min_sla_pct, promise_of(catalogue, offer.provider)
    if least is None or _is_settled(profile, offer):
        return None
    name, asked = provider_name(offer.provider), _percent(least)
    change = Sentence("Ask {} for an SLA of {}, then name it as confirmed", name, asked)
    if promise is None:
        text = Sentence("{} a month from {} not proved: no promise of availability is told", asked, name)
        return Reason("sla", text, change, is_unproved=True)
    promised = _percent(promise.pct)
    if not promise.proved:
        text = Sentence("{} a month from {} not proved: {} known from memory only", asked, name, promised)
        return Reason("sla", text, change, is_unproved=True)
    if promise.pct >= least:
        return None
    origin = _origin(catalogue, offer.provider)
    text = Sentence("{} promises {} a month, and {} is asked ({})", name, promised, asked, origin)
    return Reason("sla", text, Sentence("Fits with {} allowed", promised))


def _percent(pct: float) -> Amount:
    return Amount(pct, "%", 6)


def _origin(catalogue: Catalogue, provider: str) -> str:
    seller = catalogue.seller_by_provider[provider]
    return cited(f"{seller.source}, {seller.as_of}", catalogue.sources)


def _is_settled(profile: Profile, offer: Offer) -> bool:
    """Own hardware promises nothing to its owner; a seller who showed his papers to the user has proved them."""
    return offer.provider == OWN or offer.provider in profile.places.confirmed_sellers


def _listed(certificates: Iterable[str]) -> str:
    return ", ".join(CERTIFICATE_WORDS[one] for one in certificates)


def _ask(name: str, asked: str) -> str:
    return f"Ask {name} for {asked}, then name it as confirmed"
