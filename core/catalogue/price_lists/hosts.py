"""Hosts that quotes are of: those of the catalogue, or new ones made of what the list says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from core.breath import unhurried
from core.catalogue.catalogue import Catalogue
from core.catalogue.checks.units_guard import TpuName, read_tpu_name
from core.catalogue.entries import Accelerator, Host
from core.catalogue.price_lists.changes import plain_name
from core.catalogue.price_lists.chip_names import Read, read_name
from core.catalogue.price_lists.quote import Quote
from core.errors import InputError
from core.reading.limits import MOST_NAME_CHARS

UNKNOWN_CHIP = "an accelerator that the catalogue does not have"
NO_MACHINE_NAME = "no name of a machine"
LONG_NAME = f"a name of more than {MOST_NAME_CHARS} characters"
NO_COUNT = "no number of accelerators"
NOT_WHOLE = "a share of an accelerator"
ODD_CORES = "a TPU with cores that make no whole chips"
OTHERWISE = "another number of accelerators than the same machine has in most rows"

_HOST_OF_SLICE = 4
"""Chips of each host in a TPU slice of several."""


@dataclass(frozen=True, slots=True)
class Placed:
    """A quote and its host; ``n_chips`` are those that its price is for, more than the host's in a TPU slice."""

    quote: Quote
    host: Host
    n_chips: int
    doubts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Unplaced:
    """A quote without a host, of what, and why."""

    quote: Quote
    what: str
    reason: str


@dataclass(frozen=True, slots=True)
class _Fresh:
    """A quote of a machine that the catalogue does not know, with the accelerators that the list gives it."""

    quote: Quote
    read: Read
    n_chips: int


@dataclass(frozen=True, slots=True)
class Origin:
    """Whose list it is, and what its entries say of their source and date."""

    provider: str
    source: str
    as_of: str


@dataclass(frozen=True, slots=True)
class _Known:
    """What the catalogue knows: hosts of the provider by plain name, chips, and names of chips that users added."""

    hosts: Mapping[str, Host]
    chips: Mapping[str, Accelerator]
    own_names: Mapping[str, str]

    def read(self, quote: Quote) -> Read | None:
        """The chip that a quote names, None for one that is not there."""
        name = read_name(quote.chip_name, quote.memory_gb, quote.instance, quote.chip_also)
        if name is None and (own := self.own_names.get(plain_name(quote.chip_name))):
            return Read(own)
        return name if name is not None and name.chip in self.chips else None


def _known(catalogue: Catalogue, provider: str) -> _Known:
    hosts = {plain_name(host.instance): host for host in catalogue.hosts if host.provider == provider}
    added = [chip for chip in catalogue.accelerators if chip.layer != "catalogue"]
    names = {plain_name(name): chip.id for chip in added for name in (chip.name, chip.short_name, chip.id)}
    return _Known(hosts, catalogue.accelerator_by_id, names)


def placed(
    quotes: Iterable[Quote], catalogue: Catalogue, origin: Origin
) -> tuple[tuple[Placed, ...], tuple[Unplaced, ...], tuple[Host, ...]]:
    """Quotes with their hosts, those without one, and the hosts that are new.

    A host of the catalogue keeps its accelerators; a list that says otherwise is in doubt. A new host is made as most
    rows of its name say.
    """
    known = _known(catalogue, origin.provider)
    answers = [_answer(quote, known) for quote in unhurried(quotes)]
    new = [one for one in answers if isinstance(one, _Fresh)]
    fresh = _named_apart(new, known.chips)
    made = _hosts(fresh, origin)
    settled = [*(one for one in answers if not isinstance(one, _Fresh)), *(_settled(one, made) for one in fresh)]
    placed_quotes = tuple(one for one in settled if isinstance(one, Placed))
    return placed_quotes, tuple(one for one in settled if isinstance(one, Unplaced)), tuple(made.values())


def _answer(quote: Quote, known: _Known) -> Placed | Unplaced | _Fresh:
    try:
        tpu = read_tpu_name(quote.chip_name)
    except InputError:
        return Unplaced(quote, quote.chip_name, ODD_CORES)
    host = known.hosts.get(plain_name(quote.instance)) if quote.instance else None
    if tpu is not None and (host is None or host.accelerator_id == tpu.accelerator_id):
        return _slice(quote, tpu, known)
    if not quote.instance:
        return Unplaced(quote, quote.what, NO_MACHINE_NAME)
    if max(map(len, (quote.instance, quote.region, quote.zone, quote.chip_name))) > MOST_NAME_CHARS:
        return Unplaced(quote, quote.what, LONG_NAME)
    if host is None:
        return _fresh(quote, known)
    read = known.read(quote)
    host = _twin(quote, read, host, known) or host
    return Placed(quote, host, host.n_chips, _against(quote, read, host))


def _twin(quote: Quote, read: Read | None, host: Host, known: _Known) -> Host | None:
    """The host of the same name with the chip that the list says, told apart when an earlier list was read."""
    if read is None or read.guess or read.chip == host.accelerator_id:
        return None
    return known.hosts.get(plain_name(_with_chip(quote, known.chips[read.chip])))


def _slice(quote: Quote, tpu: TpuName, known: _Known) -> Placed | Unplaced | _Fresh:
    """The host of the size of the slice, else the one that slices of several hosts are made of."""
    hosts = [host for host in known.hosts.values() if host.accelerator_id == tpu.accelerator_id]
    if alone := [host for host in hosts if host.n_chips == tpu.n_chips]:
        return Placed(quote, alone[0], tpu.n_chips)
    members = [host for host in hosts if host.n_chips == _HOST_OF_SLICE and tpu.n_chips % _HOST_OF_SLICE == 0]
    if members:  # the catalogue lists hosts of pods behind those that stand alone
        return Placed(quote, members[-1], tpu.n_chips)
    if tpu.accelerator_id not in known.chips:
        return Unplaced(quote, quote.chip_name, UNKNOWN_CHIP)
    return _Fresh(replace(quote, instance=quote.chip_name), Read(tpu.accelerator_id), tpu.n_chips)


def _fresh(quote: Quote, known: _Known) -> Unplaced | _Fresh:
    read = known.read(quote)
    if read is None:
        return Unplaced(quote, quote.chip_name, UNKNOWN_CHIP)
    if quote.n_chips is None:
        return Unplaced(quote, quote.what, NO_COUNT)
    if quote.n_chips != int(quote.n_chips):
        return Unplaced(quote, quote.what, NOT_WHOLE)
    return _Fresh(quote, read, int(quote.n_chips))


def _against(quote: Quote, read: Read | None, host: Host) -> tuple[str, ...]:
    """What the list says otherwise than the catalogue of a host that both know."""
    doubts = []
    if quote.n_chips is not None and quote.n_chips != host.n_chips:
        doubts.append(f"the list counts {quote.n_chips:g} accelerators; the machine has {host.n_chips}")
    if read is None:
        doubts.append(f"the list calls its accelerator {quote.chip_name}")
    elif read.chip != host.accelerator_id and not read.guess:
        doubts.append(f"the list names another accelerator, {quote.chip_name}")
    return tuple(doubts)


def _named_apart(fresh: Sequence[_Fresh], chips: Mapping[str, Accelerator]) -> list[_Fresh]:
    """New machines, those of one name but several chips (A100 of 40 and of 80 GB) told apart.

    The most frequent chip keeps the name; the others get the name of their chip behind it.
    """
    counts: dict[str, Counter[str]] = {}
    for one in fresh:
        counts.setdefault(plain_name(one.quote.instance), Counter())[one.read.chip] += 1
    usual = {name: count.most_common(1)[0][0] for name, count in counts.items()}
    return [
        one
        if usual[plain_name(one.quote.instance)] == one.read.chip
        else replace(one, quote=replace(one.quote, instance=_with_chip(one.quote, chips[one.read.chip])))
        for one in fresh
    ]


def _with_chip(quote: Quote, chip: Accelerator) -> str:
    return f"{quote.instance} {chip.short_name}"


def _hosts(fresh: Iterable[_Fresh], origin: Origin) -> dict[str, Host]:
    """New hosts by name, each with as many chips as most of its rows say."""
    members: dict[str, list[_Fresh]] = {}
    for one in fresh:
        members.setdefault(plain_name(one.quote.instance), []).append(one)
    hosts = {}
    for name, group in members.items():
        [(most, _)] = Counter(map(_shape, group)).most_common(1)
        hosts[name] = _made(next(one for one in group if _shape(one) == most), origin)
    return hosts


def _shape(one: _Fresh) -> tuple[str, int]:
    return one.read.chip, one.n_chips


def _made(one: _Fresh, origin: Origin) -> Host:
    quote = one.quote
    return Host(
        provider=origin.provider,
        instance=quote.instance,
        accelerator_id=one.read.chip,
        n_chips=one.n_chips,
        n_vcpu=quote.n_vcpu,
        ram_gb=quote.ram_gb,
        local_nvme_tb=quote.nvme_tb,
        network_gbit_per_s=None,
        scaleup="",
        estimated_fields=("accelerator_id",) if one.read.guess else (),
        source=origin.source,
        as_of=origin.as_of,
        estimate=bool(one.read.guess),
        origin="added",
        note=f"From a price list, which calls its accelerator {quote.chip_name}.",
    )


def _settled(one: _Fresh, made: Mapping[str, Host]) -> Placed | Unplaced:
    host = made[plain_name(one.quote.instance)]
    if _shape(one) != (host.accelerator_id, host.n_chips):
        return Unplaced(one.quote, one.quote.what, OTHERWISE)
    guess = one.read.guess
    return Placed(
        one.quote, host, one.n_chips, (f"the list does not say which form; taken for {guess}",) if guess else ()
    )
