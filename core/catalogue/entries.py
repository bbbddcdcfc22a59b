"""Entries of the catalogue. Every entry carries its source, its date and whether it is an estimate."""

from __future__ import annotations

from datetime import date
from typing import Literal

from pydantic import BaseModel, ConfigDict

from core.workload.profile import PurchaseModel

ChipKind = Literal["gpu", "tpu", "other"]
Support = Literal["native", "layer", "convert", "none"]
FormatUse = Literal["training", "serving"]
FormatKind = Literal["native", "emulated", "weight-only", "prototype", "partial", "unverified", "none"]
"""How a chip takes a number format: in units made for it; in units of another format; as stored weights whose products
run in 16 bits; in software that calls itself a prototype; in part; nobody says; not at all."""
FormatQuality = Literal["ok", "second-hand", "memory", "estimate"]
Layer = Literal["catalogue", "plan", "book", "stand-in"]
"""Where an entry stands: shipped, entered in the plan, in the user's private price book, or a public price in the place
of a private one (see :mod:`core.catalogue.own.stand_ins`)."""

STAND_IN: Layer = "stand-in"

LAYER_WORDS: dict[Layer, str] = {
    "catalogue": "shipped", "plan": "this plan", "book": "price book", STAND_IN: "a public price that stands in",
}  # fmt: skip

Origin = Literal["listed", "measured", "priced", "derived", "added"]
"""Where a row comes from: a list of its source, a table of measurements, the name in a price alone, other rows of the
catalogue, or what this program needed besides."""

SellerClass = Literal["hyperscaler", "ai_cloud_large", "ai_cloud", "marketplace", "broker", "community", "own"]

CLASS_WORDS: dict[SellerClass, str] = {
    "hyperscaler": "hyperscaler",
    "ai_cloud_large": "large specialised cloud",
    "ai_cloud": "specialised cloud",
    "marketplace": "marketplace",
    "broker": "broker",
    "community": "community of private hosts",
    "own": "own hardware",
}

Way = PurchaseModel | Literal["quota", "burn_in"]
"""What is waited for: capacity under a way to pay, a quota besides, or the test of new servers before hand-over."""

Backing = Literal["ok", "second-hand", "memory", "estimate"]
"""How a fact is known: read in a dated source, told by another party, from general knowledge, or reasoned."""

OWN = "own"
"""Provider of hardware that the user owns or would buy."""


class Entry(BaseModel):
    """Base of every entry: ``source`` ids resolve in the sources table; ``as_of`` is a date, month or words."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    source: str
    as_of: str
    estimate: bool
    note: str = ""
    layer: Layer = "catalogue"
    origin: Origin = "listed"


class Accelerator(Entry):
    """One chip. Peaks are dense, in TFLOP/s (TOP/s for int8); links are one way, per chip, in GB/s."""

    id: str
    vendor: str
    kind: ChipKind
    name: str
    short_name: str
    announced: bool
    release_date: str
    fp32_tflops: float | None
    tf32_tflops: float | None
    bf16_tflops: float | None
    fp16_tflops: float | None
    fp8_tflops: float | None
    int8_tops: float | None
    fp4_tflops: float | None
    measured_bf16_tflops: float | None
    measured_fp8_tflops: float | None
    memory_gb: float
    memory_bandwidth_gbps: float
    scaleup_link: str
    scaleup_gbps_one_way: float
    scaleup_domain_chips: int
    torus_dims: Literal[0, 2, 3]
    link_gbps_one_way: float | None
    pcie_gbps: float
    tdp_w: float | None
    tdp_estimate: bool
    matrix_tile: int
    family: str
    estimated_fields: tuple[str, ...] = ()
    memory_type: str = ""
    on_chip_memory: str = ""
    vendor_link_gbps_both_ways: float | None = None
    """As vendors like to quote it: all links of a chip, both ways together."""


class Host(Entry):
    """A server, or the virtual machine of a TPU slice."""

    provider: str
    instance: str
    accelerator_id: str
    n_chips: int
    n_vcpu: int | None
    ram_gb: float | None
    local_nvme_tb: float | None
    network_gbit_per_s: float | None
    scaleup: str
    estimated_fields: tuple[str, ...] = ()


class SliceShape(Entry):
    """A rentable TPU slice: its torus dims and which axes wrap around."""

    accelerator_id: str
    slice_name: str
    dims: tuple[int, ...]
    n_chips: int
    wraps: tuple[bool, ...]


class Offer(Entry):
    """A host at a provider, in a region, under a purchase model, at a dated price per chip and hour.

    Of an offer that a user typed, ``attested_chips`` is how many chips at once the seller confirmed, ``joined`` whether
    one network joins them; None where nobody said.
    """

    id: str
    provider: str
    instance: str
    accelerator_id: str
    chips_per_host: int
    region: str
    purchase_model: PurchaseModel
    usd_per_chip_hour: float
    usd_per_host_hour: float
    quality: str
    attested_chips: int | None = None
    joined: bool | None = None
    held_chips: int | None = None
    """Chips that the user has, in the house or reserved, never more; None for what is for sale."""
    held_until: date | None = None
    """The day on which a reservation of the user ends."""


class Server(Entry):
    """A server that can be bought: price of the whole server in USD, low, typical and high, and its power."""

    instance: str
    accelerator_id: str
    n_chips: int
    low_usd: float
    typical_usd: float
    high_usd: float
    power_kw: float | None
    in_house: bool = False
    """True for one that is there already: it need not be delivered, and its price is what it is worth today; at
    price 0 only what running it adds is counted."""
    held_chips: int | None = None
    """Chips that are there in all; None for any number."""
    network_gbit_per_s: float | None = None
    """Between servers, all cards together; None for the usual one."""


class Region(Entry):
    """A place: coordinates, grid carbon and the chips that can be had there."""

    provider: str
    region: str
    place: str
    country: str
    latitude_deg: float | None
    longitude_deg: float | None
    carbon_g_per_kwh: float | None
    pue: float | None
    accelerator_ids: tuple[str, ...]
    carbon_free_share: float | None = None
    """Share of its electricity that is free of carbon over the year, hour by hour, as the provider publishes it."""


class FrameworkSupport(Entry):
    """How a framework or library runs on a family of chips."""

    framework: str
    chip_family: str
    support: Support
    via: str
    production_ready: str


class FormatRow(Entry):
    """What software does with a number format on the chips of a generation, when it trains or serves.

    ``format``: a precision of the forms, or ``mxfp8``. ``runs_in``: the format whose units an emulated one runs in;
    ``speed_share``: what that leaves of their speed, None for all. ``quality``: how the support is known.
    """

    generation: str
    accelerator_ids: tuple[str, ...]
    format: str
    use: FormatUse
    software: str
    support: FormatKind
    runs_in: str
    speed_share: float | None
    quality: FormatQuality


class CostInput(Entry):
    """One input of total cost of ownership with its low, typical and high value."""

    name: str
    scope: str
    low: float | None
    typical: float | None
    high: float | None
    unit: str


class PricePoint(Entry):
    """What an hour of a whole host cost from one day to another, both included.

    ``valid_from`` None: since before the record begins. ``valid_until`` None: still so. A row with a ``seller_class``
    is the median of a month over ``n`` sellers (regions, days: the note says so) of that class, for one chip of any
    host: of any of them, or, where a ``provider`` is named, by his list alone.
    """

    provider: str
    instance: str
    accelerator_id: str
    n_chips: int
    region: str
    purchase_model: PurchaseModel
    valid_from: date | None
    valid_until: date | None
    usd_per_host_hour: float
    seller_class: SellerClass | None = None
    quality: Backing = "ok"
    low_usd: float | None = None
    high_usd: float | None = None
    n: int | None = None


class PriceSpread(Entry):
    """How far medians of a chip drift from each other: spread of their log ratios over months that lie apart.

    80 % of the ratios of medians ``lag_months`` apart lie within ``exp(+-log_spread)``.
    """

    purchase_model: PurchaseModel
    lag_months: int
    n_ratios: int
    log_spread: float


class PartPrice(Entry):
    """Price of a part of a machine per hour, such as an accelerator without its VM; nobody can rent it alone."""

    provider: str
    part: str
    accelerator_id: str
    n_chips: int
    region: str
    purchase_model: PurchaseModel
    usd_per_hour: float


class Conflict(Entry):
    """Two sources that disagree about a figure: the value in use and the other one, as their sources write them.

    ``table`` and ``row`` say where: the table's name and the row's key (see :mod:`core.catalogue.conflicts`).
    """

    table: str
    row: str
    field: str
    used: str
    other: str


class Seller(Entry):
    """Who sells: of which class, on which network between machines, and in which sizes.

    ``quality`` is that of the fields named in ``sourced_fields``; all others are from memory. ``fabric`` is ``none``
    where machines are let one by one, empty where it is unknown; it joins machines of ``cluster_chips``, all where
    that is empty. ``self_service_chips`` can be had without a contract, under ``self_service_ways`` (all if empty).
    """

    provider: str
    seller_class: SellerClass
    headquarters: str
    fabric: str
    fabric_gbit_per_host: float | None
    cluster_chips: tuple[str, ...]
    largest_cluster_chips: int | None
    self_service_chips: int | None
    self_service_ways: tuple[PurchaseModel, ...]
    min_cluster_days: float | None
    sla_monthly_pct: float | None
    certifications: str
    sourced_fields: tuple[str, ...]
    quality: Backing


class CapacityWait(Entry):
    """Days until capacity is there: by class of seller, way to pay, chips and size.

    ``chips`` are beginnings of chip ids, or ``any``; the row holds from ``from_chips`` on, until the next one.
    ``provider`` is ``any`` for the whole class. ``refused``: not to be had this way, whatever the days.
    """

    seller_class: SellerClass
    way: Way
    provider: str
    chips: tuple[str, ...]
    from_chips: int
    low_days: float
    likely_days: float
    high_days: float
    refused: bool
    kind: Literal["limit", "measured", "story", "estimate"]
    quality: Backing
    days_quality: str
