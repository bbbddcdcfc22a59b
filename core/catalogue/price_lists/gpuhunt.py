"""gpuhunt's ``<provider>.csv``: a row a machine, place and way to pay; the price is of the whole machine and hour.

The first layout has 11 columns; later ones add flags, processor kind and the provider's own data, which are not needed.
"""

from __future__ import annotations

import re

from core.breath import unhurried
from core.catalogue.price_lists.files import Table
from core.catalogue.price_lists.price_list import Skipped
from core.catalogue.price_lists.quote import NO_ACCELERATOR, Cells, Quote, Rows, number, positive, priced, whole
from core.workload.profile import PurchaseModel

NO_WAY_TO_PAY = "spot is neither True nor False"

_SPOT: dict[str, PurchaseModel] = {"true": "spot", "false": "on_demand", "": "on_demand"}
_TPU = re.compile(r"(?:tpu-?)?v\d+(?:litepod|[a-z])?")
_ZONE = re.compile(r"-[a-z]$")


def read_rows(table: Table, provider: str) -> Rows:
    """Quotes of a table; rows without an accelerator or a readable way to pay with the reason to leave them out."""
    rows = Rows()
    cells = Cells(table.header)
    for row, texts in unhurried(table.rows):
        rows.add(_quote(row, cells.of(texts), provider))
    return rows


def _quote(row: int, cells: Cells, provider: str) -> Quote | Skipped:
    instance, location = cells["instance_name"], cells["location"]
    what = f"{instance} {location}".strip()
    paid = _SPOT.get(cells["spot"].lower())
    if number(cells["gpu_count"]) == 0 or not (cells["gpu_name"] or cells["gpu_count"]):
        return Skipped(row, what, NO_ACCELERATOR)
    if paid is None:
        return Skipped(row, what, NO_WAY_TO_PAY)
    usd, left_out = priced(row, cells, (("price", paid),))
    return Quote(
        rows=(row,),
        instance=instance,
        chip_name=instance if _is_tpu(cells) else cells["gpu_name"],
        n_chips=positive(cells["gpu_count"]),
        region=_ZONE.sub("", location) if provider == "gcp" else location,
        zone=location,
        usd=usd,
        memory_gb=positive(cells["gpu_memory"]),
        n_vcpu=whole(cells["cpu"]),
        ram_gb=positive(cells["memory"]),
        left_out=left_out,
    )


def _is_tpu(cells: Cells) -> bool:
    """By its maker, or by its name where the list has no column for makers; the instance's name tells the size."""
    return cells["gpu_vendor"].lower() == "google" or _TPU.fullmatch(cells["gpu_name"].lower()) is not None
