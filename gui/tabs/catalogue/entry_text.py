"""An entry of the catalogue as rich text: every figure with its unit, its mark, its source and its date."""

from __future__ import annotations

from datetime import date

from core.catalogue.catalogue import Catalogue
from core.catalogue.details.facts import KIND_WORDS, LAYER_WORDS, MISSING, Fact, facts_of, short_source, sources_of
from core.catalogue.details.names import LIST_WORDS, field_title, title_of
from core.catalogue.entries import OWN, Accelerator, Conflict, Entry, Host, Offer, PricePoint
from core.catalogue.prices.age import price_age
from core.catalogue.prices.dates import as_of_words, is_exact, parse_as_of
from core.catalogue.prices.history import price_points, stale_reason
from core.catalogue.prices.newest import newer_price
from core.catalogue.prices.quality import quality_of
from core.catalogue.todays_prices import day_of, todays_price
from core.units import date_text, small_usd, span
from gui.charts.figure.shown import colour_key, shape_of
from gui.tabs.catalogue.related import Related
from gui.tabs.catalogue.rich_text import RichText
from gui.theme.plain import as_html
from gui.theme.theme import Theme

NOTHING = "Choose a row to see every figure of it, with its source and its date."
_SILENT = {("announced", "no"), ("torus_dims", "0")}
_SHAPES = {"square": "■", "circle": "●"}


class EntryText:
    """Writes for one catalogue, theme and day."""

    def __init__(self, catalogue: Catalogue, theme: Theme, today: date, old_price_days: int) -> None:
        self._catalogue, self._html = catalogue, RichText(theme)
        self._today, self._old_days = today, old_price_days
        self._related = Related(catalogue, self._html, today, old_price_days)

    def nothing(self) -> str:
        """Before a row is chosen."""
        return self._html.line(self._html.coloured(NOTHING, "ink3"))

    def entry(self, entry: Entry) -> str:
        """Title, what to beware of, figures, what belongs to it, and where the figures come from."""
        facts = self._html.facts(self._fact(fact) for fact in facts_of(entry, self._catalogue) if _is_told(fact))
        history = self._history(entry) if isinstance(entry, Offer | Host) else ""
        return "".join(
            (self._head(entry), self._html.section("Figures"), facts, history,
             self._price_today(entry), self._related.of(entry), self._origin(entry))
        )  # fmt: skip

    def _head(self, entry: Entry) -> str:
        chip = entry if isinstance(entry, Accelerator) else None
        chip = chip or self._catalogue.accelerator_by_id.get(getattr(entry, "accelerator_id", ""))
        glyph, key = (_SHAPES[shape_of(chip)], colour_key(chip)) if chip else ("", "ink")
        layer = LAYER_WORDS[entry.layer]
        below = [_what(entry), f"{layer[:1].lower()}{layer[1:]}" if _what(entry) else layer]
        lines = [self._html.line(self._html.coloured(", ".join(one for one in below if one), "ink3"))]
        lines += [self._html.line(self._html.warn(words), 4) for words in self._warnings(entry)]
        return self._html.title(title_of(entry, self._catalogue), glyph, key) + "".join(lines)

    def _warnings(self, entry: Entry) -> list[str]:
        """What must be known before a figure of it is used, in sentences."""
        remarks = []
        if isinstance(entry, Accelerator) and entry.announced:
            remarks.append("Announced, not yet for rent: left out of plans unless you ask for it.")
        if isinstance(entry, Offer):
            age = price_age(entry, self._today, self._old_days)
            if age.is_undated:
                remarks.append("The price is undated: confirm it with the seller.")
            elif age.is_old:
                remarks.append(f"The price is {age.flag}, read {age.day_words}: confirm it with the seller.")
            newer = newer_price(entry, self._catalogue)
            if newer:
                remarks.append(f"Superseded: {small_usd(newer.usd_per_chip_hour)} a chip hour was read later.")
            stale = stale_reason(entry, self._catalogue)
            remarks += [f"{stale[:1].upper()}{stale[1:]}."] if stale else []
            warning = quality_of(entry).warning
            remarks += [f"{warning}."] if warning else []
        if entry.estimate and not getattr(entry, "estimated_fields", ()):
            remarks.append("Estimate: judged or worked out, not read from a source.")
        return remarks

    def _fact(self, fact: Fact) -> tuple[str, str]:
        mark = self._html.estimate() if fact.estimate else ""
        other = f"<br>{self._html.coloured(f'another source says {fact.other}', 'ink3')}" if fact.other else ""
        return fact.title, f"{as_html(fact.words)}{mark}{other}"

    def _price_today(self, entry: Entry) -> str:
        """What it is taken to cost on the day of the catalogue, within which range, and why."""
        if not isinstance(entry, Offer) or entry.provider == OWN:
            return ""
        price = todays_price(self._catalogue, entry)
        today = price.of(entry)
        rows = [
            ("Chip hour, listed", as_html(small_usd(entry.usd_per_chip_hour))),
            ("Chip hour, today", as_html(small_usd(today.likely)) + (self._html.estimate() if price.is_moved else "")),
            ("Between", as_html(span(small_usd(today.low), small_usd(today.high)))),
        ]
        whose = f" ({short_source(self._catalogue.sources[price.source])})" if price.source else ""
        why = self._html.line(self._html.coloured(f"{price.basis}{whose}", "ink3"))
        head = self._html.section("Price today", f"on {date_text(day_of(self._catalogue))}")
        return head + self._html.facts(rows) + why

    def _history(self, entry: Offer | Host) -> str:
        """Prices of the host over time, where more than the present one is known."""
        paid = entry.purchase_model if isinstance(entry, Offer) else "on_demand"
        points = price_points(self._catalogue, entry.provider, entry.instance, paid)
        shown = [p for p in points if isinstance(entry, Host) or p.region in (entry.region, "any")] or list(points)
        if not any(point.valid_until for point in shown):
            return ""
        rows = (self._point(point) for point in shown)
        return self._html.section("Host hour over time", "oldest first in each region") + self._html.prices(rows)

    def _point(self, point: PricePoint) -> tuple[str, str, str]:
        since = f"from {date_text(point.valid_from)} " if point.valid_from else ""
        until = f"until {date_text(point.valid_until)}" if point.valid_until else "still so"
        region = as_html(point.region)
        mark = self._html.estimate() if point.estimate else ""
        when = self._html.coloured(f"{since}{until}", "ink3")
        return f"{region}<br>{when}{mark}", "", as_html(small_usd(point.usd_per_host_hour))

    def _origin(self, entry: Entry) -> str:
        """Where all figures come from that name no other source."""
        sources = [self._html.line(as_html(source)) for source in sources_of(entry, self._catalogue)]
        note = self._html.line(as_html(entry.note), 6) if entry.note else ""
        read = parse_as_of(entry.as_of)
        day = as_of_words(entry.as_of) if is_exact(entry.as_of) else entry.as_of
        words = f"As of {day}" if read else f"As of: {day or 'undated'}"
        dated = self._html.line(self._html.coloured(words, "ink2"), 4)
        of_what = "of the other value" if isinstance(entry, Conflict) else "of all figures that name no other"
        return f"{self._html.section('Source', of_what)}{''.join(sources)}{dated}{note}"


def _is_told(fact: Fact) -> bool:
    return fact.text != MISSING and (fact.field, fact.text) not in _SILENT


def _what(entry: Entry) -> str:
    """What kind of entry it is, in a word or two."""
    if isinstance(entry, Accelerator):
        return f"{entry.vendor} {KIND_WORDS[entry.kind]}"
    if isinstance(entry, Conflict):
        return f"{LIST_WORDS.get(entry.table, entry.table)}: {field_title(entry)}"
    return ""
