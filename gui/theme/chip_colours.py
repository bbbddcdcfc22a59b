"""Which colour a chip keeps everywhere, by name: no Qt, so that figures can be made without a window."""

from __future__ import annotations

from core.catalogue.chip_families import chip_families

NEUTRAL, TEXT_OF = "ctl", "_label_text"
"""Token of marks without a colour of their own; what follows a mark's token in that of the text beside it."""


def chip_key(kind: str, vendor: str) -> str:
    """Token of the colour that a chip keeps everywhere: its family's, by the family's id, or the neutral one."""
    family = chip_families().of_maker(kind, vendor)
    return family.id if family.light and family.dark else NEUTRAL


def chip_colours(name: str) -> dict[str, str]:
    """Colours of marks, and of the texts beside them, of the families that have some."""
    colours: dict[str, str] = {}
    for row in chip_families().rows:
        if row.light and row.dark:
            colours[row.id], colours[f"{row.id}{TEXT_OF}"] = row.light if name == "light" else row.dark
    return colours
