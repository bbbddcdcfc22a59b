"""A host as it is typed."""

from __future__ import annotations

from datetime import date
from typing import ClassVar

from core.catalogue.catalogue import Catalogue
from core.catalogue.entries import Host
from core.catalogue.own.layers import OwnEntries
from core.catalogue.providers import provider_name
from core.plan.drafts.base import UNKNOWN, Draft, chip_names, described_fields
from core.plan.drafts.sellers import provider_id
from core.plan.fields import NEEDED, FieldInfo
from core.workload.field_description import described

HOST = "Host"
SINGLE, TOGETHER, BY_PCIE, NOT_KNOWN = "single chip", "NVSwitch in host", "PCIe", "unknown"
SCALEUP_WORDS = {NOT_KNOWN: "Not known", TOGETHER: "Through switches in the host", BY_PCIE: "Over PCIe"}


class HostDraft(Draft):
    """One machine of a seller: its chips and what stands around them."""

    needs: ClassVar[tuple[str, ...]] = ("provider", "instance", "accelerator_id", "n_chips")

    provider: str = described("", title="Provider", help="Who lets it", group=HOST, max_length=60)
    instance: str = described("", title="Name", help="As the provider calls it", group=HOST, max_length=80)
    accelerator_id: str = described("", title="Chip", help="", group=HOST)
    n_chips: int | None = described(None, title="Chips", help="In one host", group=HOST, ge=1, le=1024, empty=NEEDED)
    scaleup: str = described(NOT_KNOWN, title="Chips connected", help="How they reach each other", group=HOST)
    n_vcpu: int | None = described(None, title="Virtual CPUs", help="", group=HOST, ge=1, le=4096, empty=UNKNOWN)
    ram_gb: float | None = described(
        None, title="Memory", help="Of the host, not of its chips", group=HOST, unit="GB", gt=0, le=100_000,
        empty=UNKNOWN,
    )  # fmt: skip
    local_nvme_tb: float | None = described(
        None, title="Local disks", help="NVMe", group=HOST, unit="TB", ge=0, le=10_000, empty=UNKNOWN
    )
    network_gbit_per_s: float | None = described(
        None, title="Network", help="Between hosts, all cards together", group=HOST, unit="Gbit/s", gt=0, le=100_000,
        empty=UNKNOWN,
    )  # fmt: skip


def host_fields(draft: HostDraft, catalogue: Catalogue) -> list[FieldInfo]:
    """What the form asks."""
    lists = {"accelerator_id": chip_names(catalogue), "scaleup": scaleup_choices(draft.scaleup)}
    hidden = ("based_on", *(("scaleup",) if draft.n_chips == 1 else ()))
    return described_fields(draft, lists, hidden)


def host_entries(draft: HostDraft, catalogue: Catalogue) -> OwnEntries:
    """The host; call it once nothing is missing. Figures that a correction leaves alone stay marked as estimates."""
    made = host_of(draft, provider_id(catalogue, draft.provider))
    base = next((one for one in catalogue.hosts if f"{one.provider} {one.instance}" == draft.based_on), None)
    if base is not None:
        kept = tuple(name for name in base.estimated_fields if getattr(made, name) == getattr(base, name))
        made = made.model_copy(update={"scaleup": draft.scaleup, "estimated_fields": kept})
    return OwnEntries(hosts=(made,))


def host_of(draft: HostDraft, provider: str) -> Host:
    """The entry that a complete draft stands for."""
    return Host(
        provider=provider,
        instance=draft.instance.strip(),
        accelerator_id=draft.accelerator_id,
        n_chips=draft.n_chips or 1,
        n_vcpu=draft.n_vcpu,
        ram_gb=draft.ram_gb,
        local_nvme_tb=draft.local_nvme_tb,
        network_gbit_per_s=draft.network_gbit_per_s,
        scaleup=SINGLE if draft.n_chips == 1 else draft.scaleup,
        **draft.origin(),
    )


def host_draft(host: Host, today: date) -> HostDraft:
    """A draft that begins as an entry: what is typed corrects it."""
    return HostDraft.begun(
        based_on=f"{host.provider} {host.instance}",
        provider=provider_name(host.provider),
        as_of=today,
        note=host.note,
        **{
            name: getattr(host, name)
            for name in (
                "instance", "accelerator_id", "n_chips", "n_vcpu", "ram_gb", "local_nvme_tb", "network_gbit_per_s",
                "scaleup",
            )
        },
    )  # fmt: skip


def scaleup_choices(now: str) -> dict[str, str]:
    """Ways in which the chips of a host are connected, with the one in use where it is another."""
    return SCALEUP_WORDS if now in SCALEUP_WORDS else {now: now or "Not said", **SCALEUP_WORDS}
