"""Rich text of the catalogue's detail pane and comparison: sections, tables, marks and links in the theme's colours."""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import quote, unquote

from gui.theme.plain import as_html
from gui.theme.theme import Theme

KEY_WIDTH = "41%"


def strong(words: str) -> str:
    """A text in semibold; bold itself is not among the shipped typefaces and would be smeared."""
    return f'<span style="font-weight:600">{as_html(words)}</span>'


class RichText:
    """Writes in one theme. Texts that come in are plain; what comes out is HTML."""

    def __init__(self, theme: Theme) -> None:
        self._colours = theme.colours

    def coloured(self, words: str, key: str) -> str:
        """A text in a colour of the theme."""
        return f'<span style="color:{self._colours[key]}">{as_html(words)}</span>'

    def warn(self, words: str) -> str:
        """What must be confirmed."""
        return self.coloured(words, "warn")

    def estimate(self, words: str = "estimate") -> str:
        """The mark of an estimate, behind its figure."""
        return f" <i>{self.warn(words)}</i>"

    def link(self, words: str, target: str, *parts: str) -> str:
        """A link that the panel follows: what to show, and which one."""
        href = ":".join([target, *(quote(part, safe="") for part in parts)])
        return f'<a href="{href}" style="color:{self._colours["accent"]};text-decoration:none">{as_html(words)}</a>'

    def title(self, words: str, glyph: str, glyph_key: str) -> str:
        """The first line: a glyph in the chip's colour and the name."""
        mark = f"{self.coloured(glyph, glyph_key)} " if glyph else ""
        return f'<p style="margin:0"><span style="font-size:16px;font-weight:600">{mark}{as_html(words)}</span></p>'

    def line(self, html: str, above_px: int = 2) -> str:
        """A paragraph close to the one before."""
        return f'<p style="margin-top:{above_px}px;margin-bottom:0">{html}</p>'

    def section(self, words: str, aside: str = "") -> str:
        """A heading, with a pale remark behind it."""
        remark = f" &nbsp;{self.coloured(aside, 'ink3')}" if aside else ""
        return f'<p style="margin-top:16px;margin-bottom:3px">{strong(words)}{remark}</p>'

    def facts(self, rows: Iterable[tuple[str, str]]) -> str:
        """Names at left, values as HTML beside them; every table of the pane has the same two columns."""
        lines = "".join(
            f'<tr><td width="{KEY_WIDTH}">{self.coloured(name, "ink2")}</td><td>{value}</td></tr>'
            for name, value in rows
        )
        return f'<table cellspacing="0" cellpadding="2" width="100%">{lines}</table>' if lines else ""

    def prices(self, rows: Iterable[tuple[str, str, str]]) -> str:
        """What, when, how much: three columns as HTML, the amounts at the right edge."""
        lines = "".join(
            f'<tr><td>{what}</td><td width="90">{when}</td><td width="60" align="right">{price}</td></tr>'
            for what, when, price in rows
        )
        return f'<table cellspacing="0" cellpadding="2" width="100%">{lines}</table>' if lines else ""


def link_parts(url: str) -> tuple[str, ...]:
    """What a link of :meth:`RichText.link` asks for."""
    return tuple(unquote(part) for part in url.split(":"))
