"""What sellers can show: their kind, their certificates and their promise of availability, each with its proof.

A fact from general knowledge proves nothing: it counts only from a dated source (quality ``ok`` or ``second-hand``).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from core.catalogue.catalogue import Catalogue
from core.catalogue.entries import OWN, Backing, Entry, Seller, SellerClass
from core.catalogue.tables import read_entries
from core.paths import resources
from core.workload.profile import CERTIFICATE_WORDS, Certificate, SellerKind

PROVES: tuple[Backing, ...] = ("ok", "second-hand")
"""How a fact must be known to prove something."""

KIND_OF_CLASS: dict[SellerClass, SellerKind] = {
    "hyperscaler": "hyperscaler",
    "ai_cloud_large": "specialised",
    "ai_cloud": "specialised",
    "marketplace": "marketplace",
    "community": "marketplace",
    "broker": "broker",
    "own": "own",
}
"""The kinds that a profile asks for, by the classes of ``sellers.csv``: large and small specialised clouds are one
kind, and a community of private hosts is a marketplace."""


class CertificateRow(Entry):
    """Certificates that a source names of a seller."""

    provider: str
    certificates: tuple[Certificate, ...]
    quality: Backing


@dataclass(frozen=True, slots=True)
class Promise:
    """Availability that a seller promises a month, in percent; ``proved`` where a dated source says so."""

    pct: float
    proved: bool


def kind_of_seller(catalogue: Catalogue, provider: str) -> SellerKind | None:
    """What kind of seller a provider is; None for one that no row tells of."""
    if provider == OWN:
        return "own"
    seller = catalogue.seller_by_provider.get(provider)
    return None if seller is None else KIND_OF_CLASS[seller.seller_class]


def proved_certificates(provider: str) -> frozenset[str]:
    """Certificates of a seller that a dated source names."""
    rows = _certificates().get(provider, ())
    return frozenset(one for row in rows if row.quality in PROVES for one in row.certificates)


def certificates_from_memory(catalogue: Catalogue, provider: str) -> frozenset[str]:
    """Certificates that are told of a seller from general knowledge alone."""
    seller = catalogue.seller_by_provider.get(provider)
    told = seller.certifications if seller else ""
    named = {one for one, words in CERTIFICATE_WORDS.items() if words.removesuffix(" DSS") in told}
    return frozenset(named - proved_certificates(provider))


def promise_of(catalogue: Catalogue, provider: str) -> Promise | None:
    """What availability a seller promises; None where nothing is told."""
    seller = catalogue.seller_by_provider.get(provider)
    if seller is None or seller.sla_monthly_pct is None:
        return None
    return Promise(seller.sla_monthly_pct, is_sourced(seller, "sla_monthly_pct"))


def is_sourced(seller: Seller, field: str) -> bool:
    """True where a dated source backs a field of ``sellers.csv``; all others are from memory."""
    return field in seller.sourced_fields and seller.quality in PROVES


def certificate_rows() -> tuple[CertificateRow, ...]:
    """The shipped table ``certificates.csv``. Raises InputError naming the row when it is damaged."""
    return read_entries(resources() / "catalogue" / "certificates.csv", CertificateRow)


@lru_cache(maxsize=1)
def _certificates() -> dict[str, tuple[CertificateRow, ...]]:
    by_seller: dict[str, tuple[CertificateRow, ...]] = {}
    for row in certificate_rows():
        by_seller[row.provider] = (*by_seller.get(row.provider, ()), row)
    return by_seller
