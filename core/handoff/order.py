"""What is handed over: a candidate of a workload, in the words that every tool asks for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import ceil

from core.catalogue.catalogue import Catalogue
from core.comparison.result import CandidateResult
from core.handoff.text import comment, slug
from core.units import counted
from core.workload.profile import Profile

ANY = "any"
SPOT = "spot"

RESOURCES = {
    "NVIDIA": "nvidia.com/gpu", "AMD": "amd.com/gpu", "Google": "google.com/tpu", "AWS": "aws.amazon.com/neuron",
    "Intel": "habana.ai/gaudi",
}  # fmt: skip
"""What the device plug-in of a maker calls its chips in Kubernetes, as their documentation has it (2026-11)."""


_CONTRACT = "The price rests on a contract with the seller, which no command signs: agree on it first."
_WAYS: dict[str, tuple[str, ...]] = {
    "on_demand": (),
    SPOT: ("Spot: the seller may take the machines back at any time.",),
    "owned": ("Owned machines: nothing here buys or books them.",),
    "flex_start": ("FILL IN: the options of flex start, at whose price this was compared; they do not stand here.",),
}


@dataclass(frozen=True)
class Order:
    """A candidate with its workload. ``machine`` is the catalogue's name of the host, empty where it knows none with
    as many chips as each host takes: sellers of single chips price one of them."""

    profile: Profile
    result: CandidateResult
    machine: str

    @property
    def name(self) -> str:
        """A name for clusters, jobs and files, which no other workload of the plan has: ``chat-serving-70b``."""
        return slug(self.profile.id)

    @property
    def provider(self) -> str:
        """The seller's id."""
        return self.result.candidate.offer.provider

    @property
    def region(self) -> str:
        """The region; empty where the offer holds in several or names none."""
        offer = self.result.candidate.offer
        return "" if offer.region == ANY or self.result.candidate.regions else offer.region

    @property
    def n_hosts(self) -> int:
        """Hosts in all."""
        return self.result.candidate.n_hosts

    @property
    def chips_per_host(self) -> int:
        """Chips of a host that are used: all, or the few that are asked for."""
        return _chips_per_host(self.result)

    @property
    def is_spot(self) -> bool:
        """True for chips that the seller may take back."""
        return self.result.candidate.offer.purchase_model == SPOT

    @property
    def is_tpu(self) -> bool:
        """True for Google's TPUs, which come as slices."""
        return self.result.candidate.accelerator.kind == "tpu"

    @property
    def ends(self) -> bool:
        """True for work that is done at some time; services run on."""
        return self.profile.job.service is None or self.profile.job.trains

    @property
    def topology(self) -> str:
        """The shape of one slice: ``4x4``; empty without one."""
        shape = self.result.throughput.system.slice
        return "x".join(map(str, shape.dims)) if shape else ""

    @property
    def slice_chips(self) -> int:
        """Chips of one slice; all of them where there is none."""
        shape = self.result.throughput.system.slice
        return shape.n_chips if shape else self.result.candidate.n_chips

    @property
    def hosts_of_slice(self) -> int:
        """Hosts that one slice spans."""
        return max(self.slice_chips // self.chips_per_host, 1)

    @property
    def n_slices(self) -> int:
        """Equal slices in all."""
        return ceil(self.result.candidate.n_chips / self.slice_chips)

    @property
    def slice_number(self) -> str:
        """The number in a slice's name, which counts chips or cores as its maker does: ``16``; empty without one."""
        shape = self.result.throughput.system.slice
        return shape.slice_name.rpartition("-")[2] if shape else ""

    @property
    def spans_hosts(self) -> bool:
        """True where one copy of the model needs the chips of several hosts."""
        layout = self.result.throughput.layout
        return layout.tp * layout.pp > self.chips_per_host

    def together(self, what: str) -> list[str]:
        """A comment on what machines that work as one need besides, which no command here asks for; none for others."""
        is_one = self.n_hosts > 1 and (self.ends or self.spans_hosts)
        return [comment(f"FILL IN, as the machines work as one: {what}. It does not stand here.")] if is_one else []

    @property
    def resource(self) -> str:
        """What Kubernetes calls the chips; empty where that is not known."""
        return RESOURCES.get(self.result.candidate.accelerator.vendor, "")

    @property
    def _unknown_machine(self) -> str:
        offer = self.result.candidate.offer
        if offer.chips_per_host >= self.chips_per_host:
            return "not known to the catalogue"
        return f"FILL IN, one of {self.chips_per_host} chips (the price is that of {offer.instance})"

    @property
    def head(self) -> list[str]:
        """Comments at the top of each file: what it is for, what it rests on, that nobody has tried it."""
        candidate = self.result.candidate
        each = "" if self.n_hosts == 1 else " each"
        of_chips = f"{counted(self.n_hosts, 'host')}, {counted(self.chips_per_host, 'chip')}{each}"
        lines = [
            f"{self.profile.name}: {candidate.name}, {candidate.place}",
            f"Machine type: {self.machine or self._unknown_machine}; {of_chips}",
            *candidate.region_lines,
            "Written by Roofplan from a comparison. Nobody has run it: read it, and fill in what is marked FILL IN.",
            *_WAYS.get(candidate.offer.purchase_model, (_CONTRACT,)),
        ]
        return [comment(line) for line in lines]


def _chips_per_host(result: CandidateResult) -> int:
    """As many as the hosts of the layout hold; an offer may be that of a single chip."""
    candidate = result.candidate
    return max(min(candidate.offer.chips_per_host, candidate.n_chips), ceil(candidate.n_chips / candidate.n_hosts))


def order_of(profile: Profile, result: CandidateResult, catalogue: Catalogue) -> Order:
    """The order of a candidate; its machine type is a host of the catalogue that holds its chips, or nothing."""
    offer = result.candidate.offer
    is_known = (offer.provider, offer.instance) in catalogue.host_by_instance
    holds_all = offer.chips_per_host >= _chips_per_host(result)
    return Order(profile, result, offer.instance if is_known and holds_all else "")


Target = Callable[[Order], str | None]
"""The text of one file; None where the seller, the chip or the work is not its own."""
