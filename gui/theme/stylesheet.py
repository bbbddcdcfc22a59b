"""One style sheet for all widgets, filled from the tokens of a theme.

Widgets ask for a look by a dynamic property ``kind``: ``primary`` and ``quiet`` buttons, ``note`` and ``kpi`` labels.
"""

from __future__ import annotations

from functools import cache
from string import Template

from core import paths
from gui.theme.icons import icon_file
from gui.theme.theme import Theme


def stylesheet(theme: Theme) -> str:
    """The style sheet of a theme."""
    return _template().substitute(
        theme.colours,
        chevron=icon_file("chevron-down", theme.colours["ink2"]),
        tick=icon_file("check", theme.colours["btnt"]),
    )


@cache
def _template() -> Template:
    return Template((paths.resources() / "theme" / "style.qss").read_text(encoding="utf-8"))
