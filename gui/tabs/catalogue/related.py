"""What belongs to an entry, as rich text: prices by seller, software, slices, servers to buy, and places."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Literal

from core.catalogue.catalogue import Catalogue
from core.catalogue.conflicts import ROW_KEYS
from core.catalogue.details.names import (
    FORMAT_WORDS,
    SUPPORT_WORDS,
    conflict_entry,
    conflict_title,
    seller_name,
    software_name,
)
from core.catalogue.details.related import (
    by_seller,
    formats_on,
    offers_at,
    offers_of_host,
    places_of,
    rented,
    servers_of,
    software_on,
)
from core.catalogue.entries import OWN, Accelerator, Conflict, Entry, FormatUse, Host, Offer, Region, Server
from core.catalogue.places.sale_places import Neighbour, nearest_places
from core.catalogue.prices.age import price_age
from core.comparison.questions.distance_to_users import ms_text
from core.units import NO_BREAK, counted, grouped, small_usd, span, usd
from core.workload.profile import PURCHASE_WORDS
from gui.tabs.catalogue.rich_text import RichText
from gui.theme.plain import as_html

MOST_PRICES = 14
MOST_REGIONS = 8
MOST_NEAR = 4
MOST_CHIPS = 5
Tells = Literal["all", "chip", "seller"]
"""What a line of a price says: seller, region and way to pay; the chip in place of the seller; or the seller alone."""
_FORMATS_SHOWN: tuple[tuple[str, FormatUse, str], ...] = (
    ("Trains", "training", "vendor"),
    ("Serves", "serving", "vllm"),
)
_VIEWS = {"accelerators": "chips", "regions": "places", "cost_inputs": "inputs"}
"""List that holds the entries of a table, where it is not called like the table."""


class Related:
    """Writes for one catalogue and day; links lead to the entries named."""

    def __init__(self, catalogue: Catalogue, html: RichText, today: date, old_price_days: int) -> None:
        self._catalogue, self._html = catalogue, html
        self._today, self._old_days = today, old_price_days

    def of(self, entry: Entry) -> str:
        """Everything that belongs to an entry."""
        if isinstance(entry, Accelerator):
            return self._of_chip(entry)
        if isinstance(entry, Offer):
            return self._of_offer(entry)
        if isinstance(entry, Host):
            offers = offers_of_host(self._catalogue, entry.provider, entry.instance)
            return self._prices("Chip hour of this host", "cheapest first", offers, entry.instance)
        if isinstance(entry, Region):
            offers = by_seller(offers_at(self._catalogue, entry))
            here = self._prices("Chip hour here", "cheapest first", offers, entry.region, "chip")
            return here + self._chips(entry) + self._near(entry)
        if isinstance(entry, Server):
            return self._owned_hour(entry)
        return self._doubted(entry) if isinstance(entry, Conflict) else ""

    def _of_chip(self, chip: Accelerator) -> str:
        offers = by_seller(rented(self._catalogue, chip.id))
        none = self._html.line(self._html.coloured("No price is known for this chip.", "ink3"))
        prices = self._prices("Chip hour by seller and way to pay", "cheapest first", offers, chip.short_name)
        return "".join(
            (prices or self._html.section("Chip hour by seller") + none, self._to_buy(chip), self._software(chip),
             self._formats(chip), self._slices(chip), self._places(chip))
        )  # fmt: skip

    def _of_offer(self, offer: Offer) -> str:
        """The other prices of its chip, so that it can be judged."""
        others = [one for one in by_seller(rented(self._catalogue, offer.accelerator_id)) if one.id != offer.id]
        same = [one for one in others if one.purchase_model == offer.purchase_model]
        chip = self._catalogue.accelerator_by_id[offer.accelerator_id]
        words = f"{chip.short_name} {PURCHASE_WORDS[offer.purchase_model]} elsewhere"
        about = self._html.section("Chip") + self._html.line(self._html.link(chip.name, "chips", chip.id))
        return self._prices(words, "chip hour", same, chip.short_name, "seller") + about

    def _prices(self, words: str, aside: str, offers: Sequence[Offer], search: str, tells: Tells = "all") -> str:
        if not offers:
            return ""
        rows = self._html.prices(self._price(offer, tells) for offer in offers[:MOST_PRICES])
        more = len(offers) - MOST_PRICES
        link = self._html.line(
            self._html.link(f"All offers, {more} more sellers or ways to pay", "list", "offers", search)
        )
        return self._html.section(words, aside) + rows + (link if more > 0 else "")

    def _price(self, offer: Offer, tells: Tells) -> tuple[str, str, str]:
        """Seller and way to pay, when the price was read, and the price of a chip."""
        age = price_age(offer, self._today, self._old_days)
        chip = self._catalogue.accelerator_by_id[offer.accelerator_id]
        first = chip.short_name if tells == "chip" else seller_name(offer.provider)
        region = "" if offer.region == "any" or tells == "chip" else f" {offer.region}"
        paid = "" if tells == "seller" else f", {PURCHASE_WORDS[offer.purchase_model]}"
        name = self._html.link(first, "offers", offer.id)
        where = self._html.coloured(f"{region}{paid}", "ink2")
        read = self._html.coloured(age.day_words.replace(" ", NO_BREAK), "warn" if age.needs_confirming else "ink3")
        price = as_html(small_usd(offer.usd_per_chip_hour))
        if offer.estimate:
            return f"{name}{where}{self._html.estimate('est.')}", read, f"<i>{price}</i>"
        return f"{name}{where}", read, price

    def _to_buy(self, chip: Accelerator) -> str:
        rows = [
            (counted(server.n_chips, "chip"), self._html.link(span(usd(server.low_usd), usd(server.high_usd)),
             "servers", server.instance) + (self._html.estimate() if server.estimate else ""))
            for server in servers_of(self._catalogue, chip.id)
        ]  # fmt: skip
        return self._html.section("Server to buy") + self._html.facts(rows) if rows else ""

    def _software(self, chip: Accelerator) -> str:
        """Names by how they run, the best way first."""
        supported = software_on(self._catalogue, chip)
        rows = []
        for support, words in SUPPORT_WORDS.items():
            names = [
                self._name(software_name(row.framework), row.estimate) for row in supported if row.support == support
            ]
            rows += [(words, ", ".join(names))] if names else []
        if not rows:
            return ""
        return self._html.section("Software", "details in the list Software") + self._html.facts(rows)

    def _formats(self, chip: Accelerator) -> str:
        """What trains and serves in which way, by the software that most people take."""
        rows = [
            (f"{verb} {FORMAT_WORDS[kind]}", ", ".join(self._name(name, not sure) for name, sure in names))
            for verb, use, software in _FORMATS_SHOWN
            for kind, names in formats_on(chip, use, software).items()
            if names
        ]
        return self._html.section("Number formats", "PyTorch and vLLM; engines differ") + self._html.facts(rows)

    def _name(self, name: str, is_estimate: bool) -> str:
        return as_html(name) + (self._html.estimate("est.") if is_estimate else "")

    def _slices(self, chip: Accelerator) -> str:
        shapes = self._catalogue.slices_by_accelerator.get(chip.id, ())
        if not shapes:
            return ""
        words = (
            f"{counted(len(shapes), 'shape')}, {grouped(shapes[0].n_chips)} to {counted(shapes[-1].n_chips, 'chip')}"
        )
        return self._html.section("Slices") + self._html.line(self._html.link(words, "list", "slices", chip.short_name))

    def _places(self, chip: Accelerator) -> str:
        """Sellers with their regions; those that name none at the end, on one line."""
        regions_of_seller = {
            seller: regions for seller, regions in places_of(self._catalogue, chip.id).items() if seller != OWN
        }
        rows = [
            (seller_name(seller), _regions_words(regions)) for seller, regions in regions_of_seller.items() if regions
        ]
        others = [seller_name(seller) for seller, regions in regions_of_seller.items() if not regions]
        rows += [("No region named", as_html(", ".join(others)))] if others else []
        return self._html.section("Where it can be had") + self._html.facts(rows) if rows else ""

    def _chips(self, region: Region) -> str:
        chips = [self._catalogue.accelerator_by_id[one] for one in region.accelerator_ids]
        links = ", ".join(self._html.link(chip.short_name, "chips", chip.id) for chip in chips)
        return self._html.section("Chips that are there") + self._html.line(links) if links else ""

    def _near(self, region: Region) -> str:
        """The nearest other places with a price, by the way there and back, each with its chips."""
        nearest = nearest_places(self._catalogue, region, MOST_NEAR + 1)
        others = [one for one in nearest if region not in one.place.regions][:MOST_NEAR]
        rows = [(one.place.name, self._near_words(one)) for one in others]
        head = self._html.section("Nearest places with prices", "there and back")
        return head + self._html.facts(rows) if rows else ""

    def _near_words(self, near: Neighbour) -> str:
        chips = self._catalogue.accelerator_by_id
        names = ", ".join(chips[one.accelerator_id].short_name for one in near.chips[:MOST_CHIPS])
        more = f" and {len(near.chips) - MOST_CHIPS} more" if len(near.chips) > MOST_CHIPS else ""
        way = self._html.link(ms_text(near.round_trip_ms.likely), "list", "places", near.place.name)
        return f"{way}{self._html.estimate('est.')}<br>{self._html.coloured(f'{names}{more}', 'ink3')}"

    def _owned_hour(self, server: Server) -> str:
        """What an hour of it comes to over its life, as it stands among the offers of a plan."""
        owned = (one for one in self._catalogue.offers if one.provider == OWN and one.instance == server.instance)
        offer = next(owned, None)
        if offer is None:
            return ""
        note = self._html.line(self._html.coloured(offer.note, "ink3")) if offer.note else ""
        rows = [("Share of an hour, a chip", as_html(small_usd(offer.usd_per_chip_hour)))]
        return self._html.section("Owned", "price over its life") + self._html.facts(rows) + note

    def _doubted(self, conflict: Conflict) -> str:
        entry = conflict_entry(conflict, self._catalogue)
        if entry is None:
            return ""
        view, key = _VIEWS.get(conflict.table, conflict.table), ROW_KEYS[conflict.table](entry)
        link = self._html.link(conflict_title(conflict, self._catalogue), view, key)
        return self._html.section("Entry") + self._html.line(link)


def _regions_words(regions: Sequence[str]) -> str:
    shown = ", ".join(regions[:MOST_REGIONS])
    more = len(regions) - MOST_REGIONS
    return as_html(f"{shown} and {more} more" if more > 0 else shown)
