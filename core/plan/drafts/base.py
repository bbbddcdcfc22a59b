"""What every draft has: where its figures come from, and what must be said before it can be taken."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from typing import Any, ClassVar, Self

from pydantic import PrivateAttr, ValidationError

from core.catalogue.catalogue import Catalogue
from core.catalogue.entries import Layer
from core.catalogue.own.layers import KEYS, OwnEntries
from core.catalogue.places.distance import region_of
from core.catalogue.prices.dates import is_to_come
from core.plan.fields import FieldInfo, fields
from core.units import date_text
from core.workload.field_description import Described, described

ORIGIN = "Where the figures come from"
UNKNOWN = "Unknown"


class Draft(Described):
    """Base of drafts. An empty field is allowed while one types; ``needs`` names those that must be filled at the end.

    ``based_on`` is the key of the entry that is corrected, as :data:`core.catalogue.own.layers.KEYS` makes it.
    """

    needs: ClassVar[tuple[str, ...]] = ()
    _untaken: dict[str, Any] = PrivateAttr(default_factory=dict)

    based_on: str = ""
    source: str = described(
        "", title="Source", help="Where does this figure come from? Such as: quote of 3 November", group=ORIGIN,
        max_length=200,
    )  # fmt: skip
    as_of: date = described(..., title="Date", help="The day on which it was so", group=ORIGIN)
    estimate: bool = described(False, title="Estimate", help="Marked as one wherever it counts", group=ORIGIN)
    note: str = described("", title="Note", help="For yourself and readers", group=ORIGIN, max_length=300)

    @classmethod
    def begun(cls, **values: Any) -> Self:
        """A draft that begins with what an entry says. What no form takes, such as a name that is too long, is left
        empty and stands in ``untaken``; raises ValidationError where that is not possible."""
        try:
            return cls(**values)
        except ValidationError as error:
            untaken = {str(fault["loc"][0]): fault["input"] for fault in error.errors() if fault["loc"]}
            draft = cls(**{name: value for name, value in values.items() if name not in untaken})
            draft._untaken.update(untaken)
            return draft

    @property
    def untaken(self) -> Mapping[str, Any]:
        """Figures of the entry that the form refuses, by field, until something is typed."""
        return self._untaken

    def missing(self) -> tuple[str, ...]:
        """Names of the fields that must still be filled."""
        return tuple(name for name in (*self.needs, "source") if getattr(self, name) in (None, ""))

    def faults_of_day(self, catalogue_date: str, today: date | None) -> dict[str, str]:
        """What stands against the day, by field: a figure can have been read on no day to come."""
        if not is_to_come(self.as_of, catalogue_date, today):
            return {}
        return {"as_of": f"Found {date_text(self.as_of)}, a day to come. Expected today or a day before."}

    def origin(self) -> dict[str, Any]:
        """What an entry says about its own origin."""
        return {
            "source": self.source.strip(),
            "as_of": self.as_of.isoformat(),
            "estimate": self.estimate,
            "note": self.note.strip(),
            "origin": "added",
        }


def described_fields(draft: Draft, lists: Mapping[str, Mapping[str, str]], hidden: tuple[str, ...]) -> list[FieldInfo]:
    """The fields of a draft in form order, those of ``lists`` as choices, without the ``hidden`` ones."""
    shown = []
    for info in fields(draft):
        if info.path in hidden:
            continue
        if info.path in lists:
            info = replace(info, type="choice", choices=dict(lists[info.path]))
        shown.append(replace(info, essential=True))
    own = [info for info in shown if info.group != ORIGIN]
    return [*own, *(info for info in shown if info.group == ORIGIN)]


def chip_names(catalogue: Catalogue) -> dict[str, str]:
    """Chips by id with the names that people know, in the order of their names; announced ones say so."""
    named = [
        (f"{chip.vendor} {chip.name}".strip(), " (announced)" if chip.announced else "", chip.id)
        for chip in catalogue.accelerators
    ]
    return {chip: f"{name}{mark}" for name, mark, chip in sorted(named, key=lambda one: (bool(one[1]), one[0].lower()))}


def with_entries(own: OwnEntries, added: OwnEntries) -> OwnEntries:
    """Own entries with others added; one of the same key takes the place of the one there."""
    merged = {}
    for table, key in KEYS.items():
        coming = {key(entry): entry for entry in getattr(added, table)}
        kept = [coming.pop(key(entry), entry) for entry in getattr(own, table)]
        merged[table] = (*kept, *coming.values())
    return OwnEntries(**merged)


def without_entry(own: OwnEntries, table: str, key: object) -> OwnEntries:
    """Own entries without the one of that key."""
    kept = tuple(entry for entry in getattr(own, table) if KEYS[table](entry) != key)
    return own.model_copy(update={table: kept})


def self_standing(added: OwnEntries, catalogue: Catalogue, layer: Layer) -> OwnEntries:
    """The entries with the hosts, chips and places of another own layer that they stand on.

    An offer of the plan must not lean on a host that only the price book of this machine knows, and the other way
    round: wherever one of the two is missing, the offer would be left out.
    """
    other = {"plan": "book", "book": "plan"}.get(layer, "")
    hosts = [catalogue.host_by_instance.get((one.provider, one.instance)) for one in added.offers]
    needed = [host for host in dict.fromkeys(hosts) if host is not None and host.layer == other]
    of_hosts = [host.accelerator_id for host in (*needed, *added.hosts)]
    chip_ids = dict.fromkeys([*of_hosts, *(server.accelerator_id for server in added.servers)])
    chips = [catalogue.accelerator_by_id.get(one) for one in chip_ids]
    places = dict.fromkeys(region_of(catalogue, one.provider, one.region) for one in added.offers)
    return with_entries(
        OwnEntries(
            accelerators=tuple(chip for chip in chips if chip is not None and chip.layer == other),
            hosts=tuple(needed),
            regions=tuple(place for place in places if place is not None and place.layer == other),
        ),
        added,
    )


def n_entries(own: OwnEntries) -> int:
    """How many entries there are in all tables."""
    return sum(len(getattr(own, table)) for table in KEYS)
