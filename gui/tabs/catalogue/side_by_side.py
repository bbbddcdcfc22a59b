"""Chips side by side as rich text: the best of a line is bold and ticked, estimates are marked, sources are listed."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from core.catalogue.catalogue import Catalogue
from core.catalogue.details.facts import sources_of
from core.catalogue.details.names import seller_name
from core.catalogue.details.side_by_side import SideCell, SideRow, side_by_side
from core.catalogue.entries import Accelerator, Offer
from core.catalogue.prices.age import price_age
from core.units import DASH
from gui.charts.figure.shown import colour_key, shape_of
from gui.tabs.catalogue.rich_text import RichText, strong
from gui.theme.plain import as_html
from gui.theme.theme import Theme

BEST = "✓"
_SHAPES = {"square": "■", "circle": "●"}
TITLE_SHARE_PCT = 28


def compared(chips: Sequence[Accelerator], catalogue: Catalogue, theme: Theme, today: date, old_price_days: int) -> str:
    """The comparison as one table, with what its marks mean and where the figures come from below."""
    html, width = RichText(theme), (100 - TITLE_SHARE_PCT) // max(len(chips), 1)
    names = "".join(_name(chip, html, width) for chip in chips)
    lines = [f'<tr><td width="{TITLE_SHARE_PCT}%"></td>{names}</tr>']
    for row in side_by_side(chips, catalogue):
        if row.section:
            lines.append(_section(row.section, len(chips), theme))
        lines.append(_line(row, html, today, old_price_days))
    body = f'<table cellspacing="0" cellpadding="4" width="100%">{"".join(lines)}</table>'
    note = f"{BEST} and bold: best of its line. est.: rests on an estimate. {DASH}: not known, or not offered."
    return body + html.line(html.coloured(note, "ink3"), 10) + _origins(chips, catalogue, html)


def _name(chip: Accelerator, html: RichText, width_pct: int) -> str:
    glyph = html.coloured(_SHAPES[shape_of(chip)], colour_key(chip))
    return f'<td width="{width_pct}%" align="right">{glyph} {strong(chip.short_name)}</td>'


def _line(row: SideRow, html: RichText, today: date, old_price_days: int) -> str:
    unit = f" {html.coloured(row.unit, 'ink3')}" if row.unit else ""
    cells = "".join(_cell(cell, html, today, old_price_days) for cell in row.cells)
    return f"<tr><td>{html.coloured(row.title, 'ink2')}{unit}</td>{cells}</tr>"


def _cell(cell: SideCell, html: RichText, today: date, old_price_days: int) -> str:
    text = strong(f"{BEST} {cell.text}") if cell.is_best else as_html(cell.text)
    mark = html.estimate("est.") if cell.estimate else ""
    detail = f"<br>{_seller(cell.offer, html, today, old_price_days)}" if cell.offer else ""
    return f'<td align="right">{text}{mark}{detail}</td>'


def _seller(offer: Offer, html: RichText, today: date, old_price_days: int) -> str:
    """Who asks the price and when it was read; an old or undated one in the colour of a warning."""
    age = price_age(offer, today, old_price_days)
    flag = f", {age.flag}" if age.is_old else ""
    read = html.coloured(f"{age.day_words}{flag}", "warn" if age.needs_confirming else "ink3")
    return f"{html.coloured(f'{seller_name(offer.provider)}, ', 'ink3')}{read}"


def _section(words: str, n_chips: int, theme: Theme) -> str:
    style = f"border-top:1px solid {theme.colours['line']};padding-top:12px"
    return f'<tr><td colspan="{n_chips + 1}" style="{style}">{strong(words)}</td></tr>'


def _origins(chips: Sequence[Accelerator], catalogue: Catalogue, html: RichText) -> str:
    """Sources of the chips' own figures; prices name theirs in the table."""
    lines = [
        html.line(f"{as_html(chip.short_name)}, as of {as_html(chip.as_of)}: "
                  f"{html.coloured('; '.join(sources_of(chip, catalogue)), 'ink2')}", 4)
        for chip in chips
    ]  # fmt: skip
    return html.section("Sources of the chips' figures") + "".join(lines)
