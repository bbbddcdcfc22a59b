"""What software runs on which chips."""

from __future__ import annotations

from core.catalogue.catalogue import Catalogue
from core.catalogue.entries import Accelerator, FrameworkSupport


def support(catalogue: Catalogue, framework: str, accelerator: Accelerator) -> FrameworkSupport | None:
    """How a framework or library runs on a chip; a row for the chip goes before that for its family.

    None means unknown, which is not the same as support ``none``.
    """
    rows = catalogue.support_by_framework
    return rows.get((framework, accelerator.id)) or rows.get((framework, accelerator.family))
