"""An offer as it is typed: who, where, which host, how it is paid, a price in the unit of the quote, how many."""

from __future__ import annotations

from datetime import date
from typing import ClassVar, Literal

from core.catalogue.catalogue import Catalogue
from core.catalogue.entries import Host, Offer
from core.catalogue.own.layers import OwnEntries
from core.catalogue.places.sale_places import ANY
from core.catalogue.price_lists.changes import offer_id
from core.catalogue.providers import provider_name
from core.constants import HOURS_PER_MONTH
from core.plan.drafts.base import Draft, chip_names, described_fields
from core.plan.drafts.host import NOT_KNOWN, HostDraft, host_of, scaleup_choices
from core.plan.drafts.sellers import hosts_of, place_choices, provider_id, region_name, region_of_city
from core.plan.fields import NEEDED, FieldInfo
from core.units import plain, usd
from core.workload.field_description import described
from core.workload.places import PURCHASE_WORDS, PurchaseModel

OFFER, HOST, PRICE, SIZE = "Offer", "Host", "Price", "What can be had"
NEW_HOST = ""
Per = Literal["host_hour", "chip_hour", "host_month"]
PER_WORDS: dict[str, str] = {
    "host_hour": "A host, an hour",
    "chip_hour": "A chip, an hour",
    "host_month": "A host, a month",
}


Joined = Literal["", "yes", "no"]
JOINED_WORDS: dict[str, str] = {"": "Not said", "yes": "Yes, all of them", "no": "No, each by itself"}
_IS_JOINED: dict[Joined, bool | None] = {"": None, "yes": True, "no": False}


class OfferDraft(Draft):
    """A host at a seller, in a place, paid in some way. ``host`` is the name of a known one, or empty for a new one."""

    needs: ClassVar[tuple[str, ...]] = ("provider", "amount_usd")

    provider: str = described(
        "", title="Provider", help="Such as Lambda, or one that is new", group=OFFER, max_length=60
    )
    place: str = described(ANY, title="Place", help="Where the machine stands", group=OFFER)
    purchase_model: PurchaseModel = described(
        "on_demand",
        title="Way to pay",
        help="",
        group=OFFER,
        choices={key: words.capitalize() for key, words in PURCHASE_WORDS.items() if key != "owned"},
    )
    host: str = described(NEW_HOST, title="Host", help="One that is known, or a new one", group=HOST)
    instance: str = described("", title="Name of the host", help="As the provider calls it", group=HOST, max_length=80)
    accelerator_id: str = described("", title="Chip", help="", group=HOST)
    n_chips: int | None = described(None, title="Chips", help="In one host", group=HOST, ge=1, le=1024, empty=NEEDED)
    scaleup: str = described(NOT_KNOWN, title="Chips connected", help="How they reach each other", group=HOST)
    per: Per = described("host_hour", title="Price for", help="", group=PRICE, choices=PER_WORDS)
    amount_usd: float | None = described(
        None, title="Price", help="Without tax", group=PRICE, unit="USD", gt=0, le=100_000_000, empty=NEEDED
    )
    attested_chips: int | None = described(
        None, title="Chips at once", help="As many as the seller confirmed; more count as plausible only", group=SIZE,
        unit="chips", ge=1, le=10_000_000, empty="Not said",
    )  # fmt: skip
    joined: Joined = described(
        "", title="One network", help="Does a network join so many?", group=SIZE, choices=JOINED_WORDS
    )

    def missing(self) -> tuple[str, ...]:
        """As for every draft; a new host must be described as well."""
        of_host = ("instance", "accelerator_id", "n_chips") if self.host == NEW_HOST else ()
        return (*(name for name in of_host if getattr(self, name) in (None, "")), *super().missing())


def offer_fields(draft: OfferDraft, catalogue: Catalogue) -> list[FieldInfo]:
    """What the form asks; a known host answers for itself."""
    provider = provider_id(catalogue, draft.provider)
    hosts = hosts_of(catalogue, provider)
    lists = {
        "place": place_choices(catalogue, provider),
        "host": {NEW_HOST: "A new host", **{name: name for name in hosts}},
        "accelerator_id": chip_names(catalogue),
        "scaleup": scaleup_choices(draft.scaleup),
    }
    hidden = {"based_on"} | ({"host"} if not hosts else set())
    if draft.host != NEW_HOST:
        hidden |= {"instance", "accelerator_id", "n_chips", "scaleup"}
    elif draft.n_chips == 1:
        hidden |= {"scaleup"}
    return described_fields(draft, lists, tuple(hidden))


def settled(draft: OfferDraft, catalogue: Catalogue) -> OfferDraft:
    """The draft without choices that its seller does not have, and with a month's price where one pays by the month."""
    provider = provider_id(catalogue, draft.provider)
    changes: dict[str, str] = {}
    if draft.purchase_model == "dedicated_monthly" and draft.amount_usd is None:
        changes["per"] = "host_month"
    if draft.host not in hosts_of(catalogue, provider):
        changes["host"] = NEW_HOST
    if draft.place not in place_choices(catalogue, provider):
        changes["place"] = ANY
    return draft.model_copy(update=changes) if changes else draft


def host_of_offer(draft: OfferDraft, catalogue: Catalogue) -> Host | None:
    """The known host that was chosen."""
    return hosts_of(catalogue, provider_id(catalogue, draft.provider)).get(draft.host)


def chips_of(draft: OfferDraft, catalogue: Catalogue) -> int | None:
    """Chips in a host of the offer; None while nobody has said it."""
    known = host_of_offer(draft, catalogue)
    return known.n_chips if known else draft.n_chips


def usd_per_host_hour(amount_usd: float, per: str, n_chips: int) -> float:
    """USD per hour of a whole host: the amount, times its chips, or over the 730 hours of a month."""
    if per == "chip_hour":
        return amount_usd * n_chips
    return amount_usd / HOURS_PER_MONTH if per == "host_month" else amount_usd


def price_words(draft: OfferDraft, catalogue: Catalogue) -> str:
    """The price in the units that were not typed; empty while it cannot be said."""
    n_chips = chips_of(draft, catalogue)
    if draft.amount_usd is None or not n_chips:
        return ""
    hour = usd_per_host_hour(draft.amount_usd, draft.per, n_chips)
    words = {
        "host_hour": f"{usd(hour)} a host and hour",
        "chip_hour": f"{usd(hour / n_chips)} a chip and hour",
        "host_month": f"{usd(hour * HOURS_PER_MONTH)} a host and month of {plain(HOURS_PER_MONTH)} h",
    }
    return f"That is {', '.join(text for per, text in words.items() if per != draft.per)}"


def offer_entries(draft: OfferDraft, catalogue: Catalogue) -> OwnEntries:
    """The offer with its new host and place, if any; call it once nothing is missing."""
    provider = provider_id(catalogue, draft.provider)
    known = host_of_offer(draft, catalogue)
    host = known or host_of(_as_host(draft), provider)
    region = region_of_city(draft.place, draft.as_of)
    is_new_region = region is not None and (region.provider, region.region) not in catalogue.region_by_name
    return OwnEntries(
        hosts=() if known else (host,),
        offers=(_offer(draft, host, provider, catalogue),),
        regions=(region,) if region is not None and is_new_region else (),
    )


def offer_draft(offer: Offer, today: date) -> OfferDraft:
    """A draft that begins as an entry: what is typed corrects it. A price by the month is asked for a month."""
    by_month = offer.purchase_model == "dedicated_monthly"
    amount = offer.usd_per_host_hour * (HOURS_PER_MONTH if by_month else 1)
    return OfferDraft.begun(
        based_on=offer.id,
        provider=provider_name(offer.provider),
        place=offer.region,
        purchase_model=offer.purchase_model,
        host=offer.instance,
        per="host_month" if by_month else "host_hour",
        amount_usd=round(amount, 6),
        attested_chips=offer.attested_chips,
        joined=next(word for word, is_joined in _IS_JOINED.items() if is_joined is offer.joined),
        as_of=today,
        note="" if offer.layer == "catalogue" else offer.note,
    )


def answer_draft(offer: Offer, n_chips: int, usd_per_chip_hour: float, catalogue: Catalogue, today: date) -> OfferDraft:
    """A draft for what a seller answers when asked for so many chips of an offer: all as in the offer, at today's price
    of a chip, and that size; the network and where it is written are for the user to say."""
    begun = offer_draft(offer, today).model_copy(
        update={"per": "chip_hour", "amount_usd": round(usd_per_chip_hour, 4), "attested_chips": n_chips}
    )
    if offer.instance in hosts_of(catalogue, offer.provider):
        return begun
    host = {"instance": offer.instance, "accelerator_id": offer.accelerator_id, "n_chips": offer.chips_per_host}
    return begun.model_copy(update={"host": NEW_HOST, **host})


def _offer(draft: OfferDraft, host: Host, provider: str, catalogue: Catalogue) -> Offer:
    hour = usd_per_host_hour(draft.amount_usd or 0.0, draft.per, host.n_chips)
    region = region_name(draft.place)
    return Offer(
        id=_id(draft, provider, host.instance, region, catalogue),
        provider=provider,
        instance=host.instance,
        accelerator_id=host.accelerator_id,
        chips_per_host=host.n_chips,
        region=region,
        purchase_model=draft.purchase_model,
        usd_per_chip_hour=hour / host.n_chips,
        usd_per_host_hour=hour,
        quality="entered",
        attested_chips=draft.attested_chips,
        joined=_IS_JOINED[draft.joined],
        **draft.origin(),
    )


def _id(draft: OfferDraft, provider: str, instance: str, region: str, catalogue: Catalogue) -> str:
    """The id of the same offer in the catalogue, which is corrected then; a new one where there is none."""
    wanted = (provider, instance, region, draft.purchase_model)
    same = [one for one in catalogue.offers if (one.provider, one.instance, one.region, one.purchase_model) == wanted]
    match = next((one for one in same if one.id == draft.based_on), same[0] if same else None)
    return match.id if match else offer_id(*wanted)


def _as_host(draft: OfferDraft) -> HostDraft:
    names = ("instance", "accelerator_id", "n_chips", "scaleup", "source", "as_of", "estimate", "note")
    return HostDraft(**{name: getattr(draft, name) for name in names})
