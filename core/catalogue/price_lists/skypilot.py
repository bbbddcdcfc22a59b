"""SkyPilot's ``vms.csv``: a row a machine and zone, on demand in ``Price`` and spot in ``SpotPrice``.

GCP's file splits a machine into a row of the VM and one of its accelerators; see :mod:`core.catalogue.price_lists.gcp`.
"""

from __future__ import annotations

from core.breath import unhurried
from core.catalogue.price_lists.files import Table
from core.catalogue.price_lists.gcp import joined
from core.catalogue.price_lists.gpu_info import read_gpu_info
from core.catalogue.price_lists.price_list import Skipped
from core.catalogue.price_lists.quote import NO_ACCELERATOR, Cells, Quote, Rows, positive, priced, whole
from core.workload.profile import PurchaseModel

_COLUMNS: tuple[tuple[str, PurchaseModel], ...] = (("Price", "on_demand"), ("SpotPrice", "spot"))
_ZONES_ARE_PLACES = frozenset({"runpod"})
"""Providers whose region is a whole country; the zone is the data centre, and the place."""

_MEMORY_IS_OF_ALL = frozenset({"vast"})
"""Providers whose list has the memory of all chips of a machine where it should be that of one."""


def read_rows(table: Table, provider: str) -> Rows:
    """Quotes of a table, the parts of GCP's machines put together; the other rows with the reason to leave them out."""
    rows = Rows()
    cells = Cells(table.header)
    for row, texts in unhurried(table.rows):
        rows.add(_quote(row, cells.of(texts), provider))
    return joined(rows) if provider == "gcp" else _with_accelerators(rows)


def _quote(row: int, cells: Cells, provider: str) -> Quote | Skipped:
    info = read_gpu_info(cells["GpuInfo"])
    region, zone = cells["Region"].strip(" ,"), cells["AvailabilityZone"]
    is_part = provider == "gcp" and not cells["AcceleratorName"]
    usd, left_out = priced(row, cells, _COLUMNS, may_be_free=is_part)
    return Quote(
        rows=(row,),
        instance=cells["InstanceType"],
        chip_name=cells["AcceleratorName"],
        n_chips=positive(cells["AcceleratorCount"]),
        region=zone if zone and (provider in _ZONES_ARE_PLACES or not region) else region,
        zone=zone,
        usd=usd,
        memory_gb=info.per_chip_gb(provider in _MEMORY_IS_OF_ALL),
        chip_also=info.name,
        n_vcpu=whole(cells["vCPUs"]),
        ram_gb=positive(cells["MemoryGiB"]),
        nvme_tb=_nvme_tb(cells),
        left_out=left_out,
    )


def _nvme_tb(cells: Cells) -> float | None:
    """Local disks of a host, from GB each; None where the list has none or they are no flash."""
    size_gb, n_disks = positive(cells["LocalDiskSize"]), positive(cells["LocalDiskCount"])
    if size_gb is None or n_disks is None or cells["LocalDiskType"].lower() not in ("ssd", "nvme"):
        return None
    return size_gb * n_disks / 1000


def _with_accelerators(rows: Rows) -> Rows:
    """Without the rows that hold a processor alone."""
    kept = Rows(skipped=rows.skipped)
    for quote in rows.quotes:
        kept.add(quote if quote.chip_name else Skipped(quote.rows[0], quote.what, NO_ACCELERATOR))
    return kept
