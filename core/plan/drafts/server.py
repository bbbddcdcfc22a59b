"""A server that is there already or would be bought, as it is typed."""

from __future__ import annotations

import re
from datetime import date
from typing import ClassVar, Literal

from core.catalogue.catalogue import Catalogue
from core.catalogue.entries import Server
from core.catalogue.own.layers import OwnEntries
from core.plan.drafts.base import UNKNOWN, Draft, chip_names, described_fields
from core.plan.fields import NEEDED, FieldInfo
from core.units import plain, usd
from core.workload.field_description import described

SERVER, PRICE = "Server", "Price"
_KW_PER_CHIP_MOST = 5.0
HAVE_WORDS = {"buy": "To be bought", "have": "In house already"}


class ServerDraft(Draft):
    """A server of one's own. Only the likely price must be said; the other two make its range."""

    needs: ClassVar[tuple[str, ...]] = ("instance", "accelerator_id", "n_chips", "typical_usd")

    have: Literal["buy", "have"] = described("buy", title="Is it there?", help="", group=SERVER, choices=HAVE_WORDS)
    instance: str = described("", title="Name", help="As you call it", group=SERVER, max_length=80)
    accelerator_id: str = described("", title="Chip", help="", group=SERVER)
    n_chips: int | None = described(
        None, title="Chips", help="In one server", group=SERVER, ge=1, le=1024, empty=NEEDED
    )
    power_kw: float | None = described(
        None,
        title="Power",
        help="Of the whole server under load",
        group=SERVER,
        unit="kW",
        gt=0,
        le=2000,
        empty=UNKNOWN,
    )
    typical_usd: float | None = described(
        None, title="Price", help="Of the whole server", group=PRICE, unit="USD", gt=0, le=1e9, empty=NEEDED
    )
    low_usd: float | None = described(
        None, title="At the least", help="Empty: no range", group=PRICE, unit="USD", gt=0, le=1e9, empty="Same"
    )
    high_usd: float | None = described(
        None, title="At the most", help="Empty: no range", group=PRICE, unit="USD", gt=0, le=1e9, empty="Same"
    )


def server_fields(draft: ServerDraft, catalogue: Catalogue) -> list[FieldInfo]:
    """What the form asks."""
    return described_fields(draft, {"accelerator_id": chip_names(catalogue)}, ("based_on",))


def server_words(draft: ServerDraft, _: Catalogue) -> str:
    """What the price is of: today's worth, or the price to be paid; with the price per chip."""
    what = "What it is worth today" if draft.have == "have" else "Of the whole server"
    if draft.typical_usd is None or not draft.n_chips:
        return what
    return f"{what}: {usd(draft.typical_usd / draft.n_chips)} a chip"


def server_entries(draft: ServerDraft, catalogue: Catalogue) -> OwnEntries:
    """The server; call it once nothing is missing."""
    typical = draft.typical_usd or 0.0
    name = draft.instance.strip()
    entry = Server(
        instance=_key(name, draft.based_on, catalogue),
        accelerator_id=draft.accelerator_id,
        n_chips=draft.n_chips or 1,
        low_usd=draft.low_usd or typical,
        typical_usd=typical,
        high_usd=draft.high_usd or typical,
        power_kw=draft.power_kw,
        in_house=draft.have == "have",
        **draft.origin(),
    )
    return OwnEntries(servers=(entry,))


def server_draft(server: Server, today: date) -> ServerDraft:
    """A draft that begins as an entry: what is typed corrects it."""
    has_range = server.low_usd != server.typical_usd or server.high_usd != server.typical_usd
    return ServerDraft.begun(
        based_on=server.instance,
        have="have" if server.in_house else "buy",
        instance=server.instance,
        accelerator_id=server.accelerator_id,
        n_chips=server.n_chips,
        power_kw=server.power_kw,
        typical_usd=server.typical_usd,
        low_usd=server.low_usd if has_range else None,
        high_usd=server.high_usd if has_range else None,
        as_of=today,
        note=server.note,
    )


def server_doubt(draft: ServerDraft) -> str:
    """What looks odd about the power, in words; empty when nothing does."""
    if draft.power_kw and draft.n_chips and draft.power_kw / draft.n_chips > _KW_PER_CHIP_MOST:
        return f"{plain(draft.power_kw / draft.n_chips)} kW a chip; is the power in watts?"
    return ""


def _key(name: str, based_on: str, catalogue: Catalogue) -> str:
    """The name, with plain blanks; one that only differs in case or blanks from the corrected one is the same."""
    words = re.sub(r"\s+", " ", name)
    same = based_on and words.lower() == based_on.lower() and based_on in catalogue.server_by_instance
    return based_on if same else words
