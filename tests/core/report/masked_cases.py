"""Plans with private prices of every sort, and all that leaves the house of each."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path

from openpyxl import load_workbook

from core.catalogue.entries import Server
from core.catalogue.loading import load_catalogue
from core.catalogue.own.layers import Discount, OwnEntries, PriceBook, layered
from core.catalogue.prices.dates import OLD_PRICE_DAYS
from core.comparison.as_json import to_json
from core.comparison.evaluate import evaluate
from core.comparison.together.plan_answer import answer_of
from core.plan.drafts.offer import OfferDraft, offer_entries
from core.plan.plan import Plan
from core.plan.sample_plan import sample_plan
from core.report.blocks import Document
from core.report.document import build
from core.report.masking import HandedOut, handed_out
from core.report.plan_words import plan_lines
from core.report.tabular import candidate_csv
from core.report.text import comparison_text
from core.report.whole_json import whole_json
from core.report.workbook.write import sheets_of, write_workbook
from core.workload.library import load_profiles
from core.workload.portfolio import Member, Portfolio
from core.workload.profile import Profile

CHIPS = ("b200-sxm", "h100-sxm", "gh200-96", "tpu-v6e")
_ALL = load_catalogue()
SHIPPED = replace(_ALL, offers=tuple(offer for offer in _ALL.offers if offer.accelerator_id in CHIPS))
"""A part of the shipped offers, which is evaluated sooner."""

TODAY = date(2026, 11, 21)
SELLER, LETTER, WORDS = "Harbour Racks", "Letter of intent 88-K, confidential", "Zebra clause: 12 months, no exit"
SECRETS = (SELLER, "harbour", LETTER, "88-K", WORDS, "Zebra", "Quayside box")
TOP = 40
"""Candidates in tables that take long to write; the CSV has all of them."""

TRAIN, SERVE = sample_plan().profiles
Layers = tuple[OwnEntries, PriceBook | None]


@dataclass(frozen=True)
class Case:
    """A plan with one private price, in USD per chip hour, percent off or USD a server, and another like it."""

    name: str
    plan: Plan
    layers: Callable[[float], Layers]
    price: float
    other: float

    def open(self, price: float) -> HandedOut:
        """The plan with its true answers at a private price."""
        own, book = self.layers(price)
        catalogue = layered(SHIPPED, own, book)
        plan = self.plan.model_copy(update={"own": own, "masks_private_prices": True})
        return HandedOut(plan, {profile.id: evaluate(profile, catalogue) for profile in plan.profiles}, catalogue)


def masked(true: HandedOut) -> HandedOut:
    """What may leave the house of it."""
    return handed_out(true.plan, true.results, true.catalogue, SHIPPED)


def paper(out: HandedOut) -> Document:
    """Every page."""
    return build(out.plan, out.results, out.catalogue, TODAY)


def bills(out: HandedOut) -> Document:
    """Candidates and costs alone, where the formulas of a bill stand with its parts to three digits."""
    return build(out.plan, out.results, out.catalogue, TODAY, ("candidates", "cost"))


def tables(out: HandedOut, folder: Path) -> dict[str, str]:
    """Every table and text besides the paper."""
    told: dict[str, str] = {}
    for name, results in out.results.items():
        told[f"{name} csv"] = candidate_csv(results)
        told[f"{name} json"] = json.dumps(to_json(results, TOP, today=TODAY))
        told[f"{name} text"] = comparison_text(results, TOP, TODAY)
    write_workbook(sheets_of(out.plan, out.results, out.catalogue, TODAY, TOP), folder / "t.xlsx")
    sheets = load_workbook(folder / "t.xlsx").worksheets
    told["plan xlsx"] = repr([list(sheet.iter_rows(values_only=True)) for sheet in sheets])
    answer = answer_of(tuple(out.results.values()))
    return told | {"plan": "\n".join(plan_lines(answer)), "plan json": json.dumps(whole_json(out, TOP, OLD_PRICE_DAYS))}


def _plan(*profiles: Profile, name: str = "Plan") -> Plan:
    shared = Portfolio(members=(Member(workload=profiles[-1].id, pool=f"Racks of {SELLER}"),), shared_chips=64)
    return Plan(id="p", name=name, profiles=profiles, portfolio=shared if len(profiles) > 1 else None)


def _offer(chip: str, price: float, way: str = "dedicated_monthly") -> OwnEntries:
    draft = OfferDraft(
        provider=SELLER, place="user-hk", purchase_model=way, instance="Quayside box", accelerator_id=chip, n_chips=8,
        per="chip_hour", amount_usd=price, source=LETTER, note=WORDS, as_of=TODAY, attested_chips=2048, joined="yes",
    )  # fmt: skip
    return offer_entries(draft, load_catalogue())


def _corrected(price: float) -> Layers:
    listed = next(
        offer for offer in SHIPPED.offers
        if (offer.provider, offer.accelerator_id, offer.purchase_model) == ("lambda", "b200-sxm", "on_demand")
    )  # fmt: skip
    prices = {"usd_per_chip_hour": price, "usd_per_host_hour": price * listed.chips_per_host}
    return OwnEntries(offers=(listed.model_copy(update={**prices, "source": LETTER, "note": WORDS}),)), None


def server_of_ones_own(price: float) -> Layers:
    """A server in the house that is worth so many USD."""
    server = Server(
        instance="Quayside box", accelerator_id="h100-sxm", n_chips=8, low_usd=price, typical_usd=price, high_usd=price,
        power_kw=None, in_house=True, held_chips=64, source=LETTER, as_of="2026-11-21", estimate=False, note=WORDS,
    )  # fmt: skip
    return OwnEntries(servers=(server,)), None


def _discount(percent: float) -> Layers:
    return OwnEntries(), PriceBook(discounts=(Discount(provider="lambda", percent=percent, source=LETTER, note=WORDS),))


CASES = (
    Case("the pick of a training run", _plan(TRAIN), _corrected, 1.11, 2.41),
    Case("the pick of a service", _plan(SERVE, name=f"With {SELLER}"),
         lambda usd: (_offer("b200-sxm", usd), None), 1.31, 3.11),
    Case("a runner-up in three workloads", _plan(TRAIN, SERVE, load_profiles()["resnet50-training"]),
         lambda usd: (_offer("h100-sxm", usd), None), 1.71, 2.59),
    Case("a server of one's own", _plan(SERVE), server_of_ones_own, 198_765.0, 131_234.0),
    Case("a discount", _plan(TRAIN), _discount, 47.37, 13.7),
    Case("a price of the book", _plan(SERVE),
         lambda usd: (OwnEntries(), PriceBook(entries=_offer("b200-sxm", usd))), 2.41, 1.31),
)  # fmt: skip
