"""Where it may run, where its users and its data are, and how it may be paid."""

from __future__ import annotations

from typing import Literal

from core.workload.field_description import Described, described

_PLACES = "Places and limits"
WHO = "Who may sell"
"""Group of what is asked of sellers."""

PurchaseModel = Literal[
    "on_demand", "spot", "flex_start", "capacity_block", "commit_1y", "commit_3y", "dedicated_monthly", "owned"
]

PURCHASE_WORDS = {
    "on_demand": "on demand",
    "spot": "spot",
    "flex_start": "flex start",
    "capacity_block": "capacity block",
    "commit_1y": "1-year",
    "commit_3y": "3-year",
    "dedicated_monthly": "monthly",
    "owned": "owned",
}

SellerKind = Literal["hyperscaler", "specialised", "marketplace", "broker", "own"]

SELLER_WORDS: dict[str, str] = {
    "hyperscaler": "Hyperscalers",
    "specialised": "Specialised clouds",
    "marketplace": "Marketplaces",
    "broker": "Brokers",
    "own": "Own hardware",
}

Certificate = Literal["soc2", "iso27001", "hipaa", "pci", "gdpr", "soc3", "soc1", "hds", "secnumcloud"]

CERTIFICATE_WORDS: dict[str, str] = {
    "soc2": "SOC 2",
    "iso27001": "ISO 27001",
    "hipaa": "HIPAA",
    "pci": "PCI DSS",
    "gdpr": "GDPR",
    "soc3": "SOC 3",
    "soc1": "SOC 1",
    "hds": "HDS",
    "secnumcloud": "SecNumCloud",
}


Vendor = Literal["NVIDIA", "AMD", "Intel", "Google", "AWS"]

VENDOR_WORDS: dict[str, str] = {name: name for name in ("NVIDIA", "AMD", "Intel", "Google", "AWS")}


class Places(Described):
    """Where it may run; an empty choice means anywhere."""

    providers: tuple[str, ...] = described(
        (),
        title="Providers allowed",
        help="None chosen means every provider",
        group=_PLACES,
        essential=True,
        empty="All",
    )
    vendors: tuple[Vendor, ...] = described(
        (),
        title="Makers of chips allowed",
        help="None chosen means every maker",
        group=_PLACES,
        empty="All",
        choices=VENDOR_WORDS,
    )
    region_places: tuple[str, ...] = described(
        (), title="Places allowed", help="Cities or continents; none chosen means anywhere", group=_PLACES, empty="All"
    )
    region_prefixes: tuple[str, ...] = described(
        (),
        title="Region names allowed",
        help="Beginnings such as us- or europe-, besides the places above",
        group=_PLACES,
        empty="All",
    )
    purchase_models: tuple[PurchaseModel, ...] = described(
        ("on_demand", "flex_start", "capacity_block", "commit_1y", "commit_3y", "dedicated_monthly"),
        title="Ways to pay",
        help="Spot is left out until you allow it",
        group=_PLACES,
        essential=True,
        choices=PURCHASE_WORDS,
    )
    commitment_reuse_pct: float = described(
        0.0,
        title="Rest of a commitment used",
        help="Share of committed or owned time that this plan leaves free and other work takes over",
        group=_PLACES,
        unit="%",
        ge=0,
        le=100,
    )
    user_places: tuple[str, ...] = described(
        (),
        title="Users are in",
        help="Their way to the chips and back counts in the time limit",
        group=_PLACES,
        empty="Not told",
        job_trait="answers_users",
    )
    round_trip_limit_ms: float | None = described(
        None,
        title="Way within",
        help="Round trip to the users; an estimate from the distance",
        group=_PLACES,
        unit="ms",
        gt=0,
        le=10_000,
        job_trait="answers_users",
    )
    needed_places: tuple[str, ...] = described(
        ("public_cloud",),
        title="Places it must be able to run",
        help="Now or later; counts for flexibility",
        group=_PLACES,
        choices={
            "public_cloud": "Public cloud",
            "private_cloud": "Private cloud",
            "dedicated": "Dedicated servers",
            "on_prem": "On premises",
            "workstation": "Workstation",
        },
    )
    must_be_on_prem: bool = described(
        False, title="On premises only", help="Hard limit: cloud offers are ruled out", group=_PLACES
    )
    air_gapped: bool = described(
        False,
        title="Air-gapped",
        help="Hard limit: only hardware of your own, or dedicated servers that you entered",
        group=_PLACES,
    )
    data_provider: str = described(
        "", title="Data lies at", help="Provider that holds the data now; moving it costs egress", group=_PLACES
    )
    data_region: str = described(
        "",
        title="Data lies in",
        help="Region of that provider; moving within the provider has a price of its own",
        group=_PLACES,
        needs="data_provider",
    )
    egress_gb_per_month: float = described(
        0.0, title="Egress", help="Data leaving the provider each month", group=_PLACES, unit="GB", ge=0, le=1e9
    )
    seller_classes: tuple[SellerKind, ...] = described(
        (),
        title="Kinds of sellers",
        help="None chosen means all; choose one to compare like with like, GPU and TPU of the same class",
        group=WHO,
        empty="All",
        essential=True,
        choices=SELLER_WORDS,
    )
    min_sellers: int = described(
        1,
        title="Sellers of the chip",
        help="Fewest independent ones that can really sell it to this job; resellers and own hardware do not count",
        group=WHO,
        unit="sellers",
        ge=1,
        le=20,
    )
    certificates: tuple[Certificate, ...] = described(
        (),
        title="Certificates",
        help="Hard limit: each must stand in a dated source, memory is no proof; own hardware is yours to prove",
        group=WHO,
        empty="None asked for",
        choices=CERTIFICATE_WORDS,
    )
    min_sla_pct: float | None = described(
        None,
        title="Availability promised",
        help="Least share of a month in the seller's SLA; hard limit, proved by a dated source",
        group=WHO,
        unit="%",
        gt=0,
        le=100,
    )
    confirmed_sellers: tuple[str, ...] = described(
        (),
        title="Confirmed to you by",
        help="Sellers who have shown you the certificates and the SLA asked for: proof for them",
        group=WHO,
        empty="Nobody",
        needs="asks_for_papers",
    )

    @property
    def asks_for_papers(self) -> bool:
        """True where sellers must prove something on paper."""
        return bool(self.certificates) or self.min_sla_pct is not None
