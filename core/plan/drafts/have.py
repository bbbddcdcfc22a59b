"""Hardware that the user has, as it is typed: in the house, or reserved until a day at a price or paid already."""

from __future__ import annotations

from datetime import date
from typing import ClassVar, Literal

from core.catalogue.catalogue import Catalogue
from core.catalogue.entries import Host, Offer, Server
from core.catalogue.own.layers import OwnEntries
from core.catalogue.places.sale_places import ANY
from core.catalogue.price_lists.changes import offer_id
from core.catalogue.providers import provider_name
from core.plan.drafts.base import Draft, chip_names, described_fields
from core.plan.drafts.host import NOT_KNOWN, SINGLE
from core.plan.drafts.sellers import place_choices, provider_id, region_name, region_of_city
from core.plan.fields import NEEDED, FieldInfo
from core.units import counted, grouped
from core.workload.field_description import described

WHAT, HOW = "What you have", "The reservation"
Where = Literal["house", "reserved"]
WHERE_WORDS = {"house": "In the house", "reserved": "Reserved"}
USUAL_SERVER_CHIPS = 8
_RESERVED = ("provider", "place", "until", "usd_per_chip_hour")


class HaveDraft(Draft):
    """So many chips, in servers of one size. A price of 0 is paid already; in the house only running it is counted."""

    needs: ClassVar[tuple[str, ...]] = ("accelerator_id", "held_chips", "n_chips")

    where: Where = described("house", title="Where it is", help="", group=WHAT, choices=WHERE_WORDS)
    accelerator_id: str = described("", title="Chip", help="", group=WHAT)
    held_chips: int | None = described(
        None, title="Chips in all", help="No option takes more of them", group=WHAT, unit="chips", ge=1,
        le=10_000_000, empty=NEEDED,
    )  # fmt: skip
    n_chips: int | None = described(
        USUAL_SERVER_CHIPS, title="Chips in a server", help="", group=WHAT, ge=1, le=1024, empty=NEEDED
    )
    network_gbit_per_s: float | None = described(
        None, title="Network", help="Between servers, all cards of one together", group=WHAT, unit="Gbit/s", gt=0,
        le=100_000, empty="Usual",
    )  # fmt: skip
    power_kw: float | None = described(
        None, title="Power", help="Of one server under load", group=WHAT, unit="kW", gt=0, le=2000, empty="Usual"
    )
    provider: str = described("", title="Provider", help="Who reserved it for you", group=HOW, max_length=60)
    place: str = described(ANY, title="Place", help="Where it stands", group=HOW)
    until: date = described(..., title="Until", help="Day on which the reservation ends", group=HOW)
    usd_per_chip_hour: float = described(
        0.0, title="Still to pay", help="A chip and hour of use; 0: paid already", group=HOW, unit="USD", ge=0, le=1000
    )
    source: str = described(
        "as you have it", title="Source", help="Such as: contract of 3 November", group="Where the figures come from",
        max_length=200,
    )  # fmt: skip

    def missing(self) -> tuple[str, ...]:
        """As for every draft; of a reservation also who made it."""
        seller = ("provider",) if self.where == "reserved" and not self.provider.strip() else ()
        return (*super().missing(), *seller)


def new_have(today: date) -> HaveDraft:
    """An empty draft; a reservation is taken to last a year until another day is typed."""
    return HaveDraft(as_of=today, until=_next_year(today))


def have_fields(draft: HaveDraft, catalogue: Catalogue) -> list[FieldInfo]:
    """What the form asks."""
    lists = {
        "accelerator_id": chip_names(catalogue),
        "place": place_choices(catalogue, provider_id(catalogue, draft.provider)),
    }
    hidden = ("power_kw",) if draft.where == "reserved" else _RESERVED
    return described_fields(draft, lists, ("based_on", "estimate", *hidden))


def have_words(draft: HaveDraft, _: Catalogue) -> str:
    """How many servers that is; empty while it cannot be said."""
    if not draft.held_chips or not draft.n_chips:
        return ""
    if draft.held_chips % draft.n_chips:
        return f"No whole number of servers of {counted(draft.n_chips, 'chip')}"
    return f"{counted(draft.held_chips // draft.n_chips, 'server')} of {counted(draft.n_chips, 'chip')}"


def have_entries(draft: HaveDraft, catalogue: Catalogue) -> OwnEntries:
    """The server, or the reserved host and its offer; call it once nothing is missing."""
    return (
        _reserved(draft, catalogue) if draft.where == "reserved" else OwnEntries(servers=(_server(draft, catalogue),))
    )


def have_draft(entry: Server | Offer, today: date) -> HaveDraft:
    """A draft that begins as an entry: what is typed corrects it."""
    begun = {
        "accelerator_id": entry.accelerator_id, "held_chips": entry.held_chips, "source": entry.source,
        "note": entry.note, "as_of": today, "until": _next_year(today),
    }  # fmt: skip
    if isinstance(entry, Server):
        own = {"n_chips": entry.n_chips, "network_gbit_per_s": entry.network_gbit_per_s, "power_kw": entry.power_kw}
        return HaveDraft.begun(**begun, **own, based_on=entry.instance)
    reserved = {
        "where": "reserved", "n_chips": entry.chips_per_host, "provider": provider_name(entry.provider),
        "place": entry.region, "usd_per_chip_hour": entry.usd_per_chip_hour, "based_on": entry.id,
        "until": entry.held_until or _next_year(today),
    }  # fmt: skip
    return HaveDraft.begun(**{**begun, **reserved})


def _server(draft: HaveDraft, catalogue: Catalogue) -> Server:
    """At price 0: the money is spent, whatever is decided now."""
    return Server(
        instance=_name(draft, catalogue),
        accelerator_id=draft.accelerator_id,
        n_chips=draft.n_chips or 1,
        low_usd=0.0,
        typical_usd=0.0,
        high_usd=0.0,
        power_kw=draft.power_kw,
        in_house=True,
        held_chips=draft.held_chips,
        network_gbit_per_s=draft.network_gbit_per_s,
        **draft.origin(),
    )


def _reserved(draft: HaveDraft, catalogue: Catalogue) -> OwnEntries:
    provider, n_chips, name = provider_id(catalogue, draft.provider), draft.n_chips or 1, _name(draft, catalogue)
    host = Host(
        provider=provider,
        instance=name,
        accelerator_id=draft.accelerator_id,
        n_chips=n_chips,
        n_vcpu=None,
        ram_gb=None,
        local_nvme_tb=None,
        network_gbit_per_s=draft.network_gbit_per_s,
        scaleup=SINGLE if n_chips == 1 else NOT_KNOWN,
        **draft.origin(),
    )
    region, name_of_region = region_of_city(draft.place, draft.as_of), region_name(draft.place)
    is_new = region is not None and (region.provider, region.region) not in catalogue.region_by_name
    offer = Offer(
        id=draft.based_on or offer_id(provider, name, name_of_region, "on_demand"),
        provider=provider,
        instance=name,
        accelerator_id=draft.accelerator_id,
        chips_per_host=n_chips,
        region=name_of_region,
        purchase_model="on_demand",
        usd_per_chip_hour=draft.usd_per_chip_hour,
        usd_per_host_hour=draft.usd_per_chip_hour * n_chips,
        quality="entered",
        held_chips=draft.held_chips,
        held_until=draft.until,
        **draft.origin(),
    )
    return OwnEntries(hosts=(host,), offers=(offer,), regions=(region,) if region is not None and is_new else ())


def _name(draft: HaveDraft, catalogue: Catalogue) -> str:
    """As it is called: the one that is corrected keeps its name."""
    if draft.based_on in catalogue.server_by_instance:
        return draft.based_on
    offer = next((one for one in catalogue.offers if draft.based_on and one.id == draft.based_on), None)
    if offer is not None:
        return offer.instance
    return f"yours, {grouped(draft.held_chips or 0)} of {draft.accelerator_id}"


def _next_year(day: date) -> date:
    return date(day.year + 1, day.month, min(day.day, 28))
