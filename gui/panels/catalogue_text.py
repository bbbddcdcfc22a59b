"""An entry, or chips side by side, as rich text: every figure with its unit, its mark and its source."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date
from html import escape

from core.catalogue.catalogue import Catalogue
from core.catalogue.entries import Accelerator, Entry, Host, Offer, PricePoint
from core.catalogue.facts import LAYER_WORDS, MISSING, Fact, facts_of, sources_of
from core.catalogue.price_age import price_age
from core.catalogue.price_history import price_points, stale_reason
from core.catalogue.providers import provider_name
from core.catalogue.side_by_side import SideCell, best_offer, side_by_side
from core.units import small_usd
from core.workload.profile import PURCHASE_WORDS
from gui.theme.theme import Theme

NOTHING = "Choose a row to see every figure of it, with its source and its date."


class EntryText:
    """Writes for one catalogue, theme and day."""

    def __init__(self, catalogue: Catalogue, theme: Theme, today: date, old_price_days: int) -> None:
        self._catalogue, self._colours = catalogue, theme.colours
        self._today, self._old_days = today, old_price_days

    def nothing(self) -> str:
        """Before a row is chosen."""
        return f'<p style="color:{self._colours["ink3"]}">{NOTHING}</p>'

    def entry(self, entry: Entry) -> str:
        """Title, figures, what else is known, and where it comes from."""
        parts = [self._title(title_of(entry, self._catalogue), LAYER_WORDS[entry.layer]), self._facts(entry)]
        if isinstance(entry, Accelerator):
            parts.append(self._cheapest(entry))
        if isinstance(entry, Offer | Host):
            parts.append(self._history(entry))
        if isinstance(entry, Offer):
            parts.append(self._age(entry))
        parts.append(self._origin(entry))
        return "".join(parts)

    def compared(self, chips: Sequence[Accelerator]) -> str:
        """Chips side by side: the best of a line is bold and marked, estimates are marked."""
        head = "".join(f'<th align="right">{escape(chip.short_name)}</th>' for chip in chips)
        lines = [f"<tr><th></th>{head}</tr>"]
        for row in side_by_side(chips, self._catalogue):
            if row.section:
                lines.append(self._section_row(row.section, len(chips)))
            cells = "".join(self._side_cell(cell) for cell in row.cells)
            unit = f' <span style="color:{self._colours["ink3"]}">{escape(row.unit)}</span>' if row.unit else ""
            lines.append(f"<tr><td>{escape(row.title)}{unit}</td>{cells}</tr>")
        note = "▲ best of its line. <i>est.</i> rests on an estimate. – not known or not offered."
        names = "; ".join(f"{chip.short_name}: {', '.join(self._sources(chip))}" for chip in chips)
        body = f'<table cellspacing="0" cellpadding="5" width="100%">{"".join(lines)}</table>'
        return f"{body}<p>{note}</p>{self._small(f'Figures of the chips from {escape(names)}')}"

    def _title(self, words: str, below: str) -> str:
        return f"<p><b style='font-size:16px'>{escape(words)}</b><br>{self._ink3(below)}</p>"

    def _facts(self, entry: Entry) -> str:
        return _table(self._fact(fact) for fact in facts_of(entry, self._catalogue) if _tells(fact))

    def _fact(self, fact: Fact) -> str:
        mark = self._estimate() if fact.estimate else ""
        other = f"<br>{self._ink3(f'another source: {fact.other}')}" if fact.other else ""
        title = f'<td style="color:{self._colours["ink2"]}">{escape(fact.title)}</td>'
        return f"<tr>{title}<td>{escape(fact.words)}{mark}{other}</td></tr>"

    def _cheapest(self, chip: Accelerator) -> str:
        """The cheapest offer under each way to pay."""
        found = [(words, best_offer(self._catalogue, chip, paid)) for paid, words in PURCHASE_WORDS.items()]
        rows = [self._offer_row(words, offer) for words, offer in found if offer]
        return self._section("Cheapest, a chip and hour") + (
            _table(rows) if rows else self._ink3("No price is known for this chip.")
        )

    def _offer_row(self, words: str, offer: Offer) -> str:
        where = f"{provider_name(offer.provider)} {'' if offer.region == 'any' else offer.region}"
        flag = price_age(offer, self._today, self._old_days).flag
        marks = (self._estimate() if offer.estimate else "") + (self._warn(flag) if flag else "")
        text = f"<b>{small_usd(offer.usd_per_chip_hour)}</b> {escape(where)}{marks}"
        return f'<tr><td style="color:{self._colours["ink2"]}">{words.capitalize()}</td><td>{text}</td></tr>'

    def _history(self, entry: Offer | Host) -> str:
        """Prices of the host over time, where more than the present one is known."""
        paid = entry.purchase_model if isinstance(entry, Offer) else "on_demand"
        points = price_points(self._catalogue, entry.provider, entry.instance, paid)
        if not any(point.valid_until for point in points):
            return ""
        shown = [p for p in points if isinstance(entry, Host) or p.region in (entry.region, "any")] or list(points)
        return self._section("The host's price over time, an hour") + _table(self._point(point) for point in shown)

    def _point(self, point: PricePoint) -> str:
        start = f"from {point.valid_from}" if point.valid_from else "before"
        end = f" until {point.valid_until}" if point.valid_until else ", still so"
        when = f"{start}{end}" if point.valid_from or not point.valid_until else f"until {point.valid_until}"
        place = f'<td style="color:{self._colours["ink2"]}">{escape(point.region)}</td>'
        return f"<tr>{place}<td>{small_usd(point.usd_per_host_hour)}</td><td>{when}</td></tr>"

    def _age(self, offer: Offer) -> str:
        age = price_age(offer, self._today, self._old_days)
        words = [w for w in (age.flag, stale_reason(offer, self._catalogue) or "") if w]
        return "".join(f"<p>{self._warn(word[:1].upper() + word[1:])}</p>" for word in words)

    def _origin(self, entry: Entry) -> str:
        where = "<br>".join(escape(source) for source in self._sources(entry))
        mark = f"<p>{self._warn('Rests on an estimate')}</p>" if entry.estimate else ""
        note = f"<p>{escape(entry.note)}</p>" if entry.note else ""
        dated = self._ink3(f"As of {entry.as_of}" if entry.as_of else "No date given")
        return f"{self._section('Source')}<p>{where}<br>{dated}</p>{mark}{note}"

    def _sources(self, entry: Entry) -> Iterable[str]:
        return sources_of(entry, self._catalogue)

    def _side_cell(self, cell: SideCell) -> str:
        text = f"<b>▲ {escape(cell.text)}</b>" if cell.is_best else escape(cell.text)
        return f'<td align="right">{text}{" <i>est.</i>" if cell.estimate else ""}</td>'

    def _section_row(self, words: str, n_chips: int) -> str:
        line = f"border-top:1px solid {self._colours['line']}"
        return f'<tr><td colspan="{n_chips + 1}" style="{line};padding-top:12px"><b>{escape(words)}</b></td></tr>'

    def _section(self, words: str) -> str:
        return f"<p style='margin-top:14px'><b>{escape(words)}</b></p>"

    def _estimate(self) -> str:
        return f' <i style="color:{self._colours["warn"]}">estimate</i>'

    def _warn(self, words: str) -> str:
        return f' <span style="color:{self._colours["warn"]}">{escape(words)}</span>'

    def _ink3(self, words: str) -> str:
        return f'<span style="color:{self._colours["ink3"]}">{escape(words)}</span>'

    def _small(self, html: str) -> str:
        return f'<p style="color:{self._colours["ink3"]}; font-size:12px">{html}</p>'


def title_of(entry: Entry, catalogue: Catalogue) -> str:
    """An entry by the name people know it by."""
    chip = catalogue.accelerator_by_id.get(getattr(entry, "accelerator_id", ""))
    if isinstance(entry, Accelerator):
        return entry.name
    if isinstance(entry, Offer) and chip:
        return f"{entry.chips_per_host} × {chip.short_name}, {provider_name(entry.provider)}"
    for name in ("instance", "place", "slice_name", "framework", "name"):
        if getattr(entry, name, ""):
            return str(getattr(entry, name)).replace("_", " ")
    return type(entry).__name__


def _table(rows: Iterable[str]) -> str:
    return f'<table cellspacing="0" cellpadding="2">{"".join(rows)}</table>'


def _tells(fact: Fact) -> bool:
    """False for what is not known, and for what only says that something is not there."""
    return fact.text != MISSING and (fact.field, fact.text) not in {("announced", "no"), ("torus_dims", "0")}
