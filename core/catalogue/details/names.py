"""Entries, families of chips and figures by the names that people know them by."""

from __future__ import annotations

from core.catalogue.catalogue import Catalogue
from core.catalogue.chip_families import chip_families
from core.catalogue.conflicts import ROW_KEYS
from core.catalogue.details.field_words import FIELDS
from core.catalogue.entries import (
    CLASS_WORDS,
    Accelerator,
    CapacityWait,
    Conflict,
    CostInput,
    Entry,
    FormatKind,
    FormatRow,
    FrameworkSupport,
    Offer,
    PartPrice,
    PricePoint,
    PriceSpread,
    Region,
    Seller,
    Server,
)
from core.catalogue.per_catalogue import per_catalogue
from core.catalogue.places.distance import DEDICATED
from core.catalogue.providers import PROVIDER_NAMES, provider_name
from core.workload.jobs.base import PRECISION_WORDS
from core.workload.profile import PURCHASE_WORDS
from core.workload.stack import FRAMEWORK_WORDS, LIBRARY_WORDS

LIST_WORDS = {
    "accelerators": "Chips",
    "hosts": "Hosts",
    "offers": "Offers",
    "regions": "Places",
    "servers": "To buy",
    "slices": "Slices",
    "frameworks": "Software",
    "cost_inputs": "Cost inputs",
}
"""Tables as lists are called on screen."""

SUPPORT_WORDS = {
    "native": "Native",
    "layer": "Through a layer",
    "convert": "After conversion",
    "none": "Does not run",
}
"""How software runs on a chip."""

FORMAT_WORDS: dict[FormatKind, str] = {
    "native": "natively",
    "prototype": "as a prototype",
    "weight-only": "from stored weights",
    "emulated": "emulated",
    "partial": "in part only",
    "unverified": "not verified",
    "none": "not at all",
}
"""How a number format runs, after ``Trains`` or ``Serves``."""

SOFTWARE_WORDS = {
    **LIBRARY_WORDS,
    **FRAMEWORK_WORDS,
    "bitsandbytes": "bitsandbytes",
    "cuda-kernels": "CUDA kernels",
    "jetstream": "JetStream",
    "pallas-kernels": "Pallas kernels",
    "pallas-operand-types": "Pallas operand types",
    "sglang": "SGLang",
    "tensorrt-llm": "TensorRT-LLM",
    "torchtpu": "TorchTPU",
    "triton-kernels": "Triton kernels",
    "tunix": "Tunix",
    "verl": "verl",
    "vllm": "vLLM",
}
"""Software as its makers write it."""

_FIELD_TITLES = {name: one.title for fields in FIELDS.values() for name, one in fields.items()}


def title_of(entry: Entry, catalogue: Catalogue) -> str:
    """An entry by the name people know it by: ``8 × H100 SXM, AWS``."""
    chip = catalogue.accelerator_by_id.get(getattr(entry, "accelerator_id", ""))
    if isinstance(entry, Accelerator):
        return entry.name
    if isinstance(entry, Conflict):
        return conflict_title(entry, catalogue)
    if isinstance(entry, CostInput):
        return input_name(entry.name)
    if isinstance(entry, FrameworkSupport):
        return f"{software_name(entry.framework)} on {family_words(entry.chip_family, catalogue)}"
    if isinstance(entry, FormatRow):
        return f"{PRECISION_WORDS.get(entry.format, entry.format.upper())} {entry.use} with {entry.software}"
    if isinstance(entry, Region):
        return entry.place or entry.region
    if isinstance(entry, Seller):
        return seller_name(entry.provider)
    if isinstance(entry, CapacityWait):
        return f"Wait for {entry.way.replace('_', ' ')}, {CLASS_WORDS[entry.seller_class]}"
    if isinstance(entry, Offer) and chip:
        return f"{entry.chips_per_host} × {chip.short_name}, {seller_name(entry.provider)}"
    if isinstance(entry, Server) and chip:
        return f"{entry.n_chips} × {chip.short_name} server"
    if isinstance(entry, PartPrice) and chip:
        return f"{entry.part}, {chip.short_name}, {seller_name(entry.provider)}"
    if isinstance(entry, PriceSpread):
        return f"Drift of prices {PURCHASE_WORDS[entry.purchase_model]}, months apart: {entry.lag_months}"
    if isinstance(entry, PricePoint) and entry.seller_class and chip:
        return f"{chip.short_name}, median, {CLASS_WORDS[entry.seller_class]}"
    for name in ("instance", "slice_name"):
        if getattr(entry, name, ""):
            seller = f", {seller_name(entry.provider)}" if isinstance(entry, PricePoint) else ""
            return f"{getattr(entry, name)}{seller}"
    return type(entry).__name__


def seller_name(provider: str) -> str:
    """A provider as its customers write it; places that stand for the user's own machines say so."""
    return "Your servers" if provider == DEDICATED else provider_name(provider)


def software_name(name: str) -> str:
    """``vllm`` -> ``vLLM``."""
    return SOFTWARE_WORDS.get(name, name)


def input_name(name: str) -> str:
    """``support_plan_share`` -> ``Support plan share``."""
    return name.replace("_", " ").capitalize()


def scope_words(scope: str, catalogue: Catalogue) -> str:
    """What a cost input holds for: a seller by its name, a chip by its own, else as the table has it."""
    return " ".join(_scope_word(word, catalogue) for word in scope.split())


def _scope_word(word: str, catalogue: Catalogue) -> str:
    chip = catalogue.accelerator_by_id.get(word)
    if chip:
        return chip.short_name
    return seller_name(word) if word in PROVIDER_NAMES or word in _sellers(catalogue) else word.replace("_", " ")


@per_catalogue
def _sellers(catalogue: Catalogue) -> frozenset[str]:
    return frozenset(offer.provider for offer in catalogue.offers)


def family_words(family: str, catalogue: Catalogue) -> str:
    """A family of chips, or the one chip that a row of software support is about."""
    chip, row = catalogue.accelerator_by_id.get(family), chip_families().by_id.get(family)
    return chip.short_name if chip else row.plural if row else family.replace("_", " ")


def field_title(conflict: Conflict) -> str:
    """The figure about which sources disagree, as the detail pane calls it."""
    return _FIELD_TITLES.get(conflict.field) or input_name(conflict.field)


def conflict_title(conflict: Conflict, catalogue: Catalogue) -> str:
    """The entry that a conflict is about."""
    entry = conflict_entry(conflict, catalogue)
    if entry is None:
        return conflict.row
    name = entry.short_name if isinstance(entry, Accelerator) else title_of(entry, catalogue)
    if isinstance(entry, CostInput):
        return f"{name}, {entry.scope}"
    return f"{name} {entry.region}" if isinstance(entry, Offer) and entry.region != "any" else name


def conflict_entry(conflict: Conflict, catalogue: Catalogue) -> Entry | None:
    """The entry whose figure is doubted; None where it was taken out."""
    index = catalogue.rows_by_key.setdefault(f"named {conflict.table}", {})
    if not index:
        index.update({ROW_KEYS[conflict.table](row): row for row in getattr(catalogue, conflict.table)})
    entry: Entry | None = index.get(conflict.row)
    return entry
