"""Names of accelerators as price lists write them -> chips of the catalogue.

Lists name the product but seldom its form: ``H100`` may be SXM or PCIe, ``A100`` may have 40 or 80 GB. What a name, the
instance's name or a memory size tells is used; where nothing tells, the usual form is taken and said to be a guess.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

_FORMS = (("NVL", r"NVL(?!INK)\d*"), ("SXM", r"SXM\d?|HGX|DGX"), ("PCIE", r"PCI-?E"))
_WITH_SIZE = re.compile(r"(?<![A-Z0-9])(\d{2,3})\s?G(?:I?B)?(?![A-Z0-9])")
_NOISE = re.compile(
    r"NVIDIA|GEFORCE|TESLA|INSTINCT|\bAMD\b|\bINTEL\b|\bAWS\b|NVLINK|BLACKWELL|EDITION|TENSOR CORE|HBM\dE?"
)


class Variant(NamedTuple):
    """One chip among those that share a name."""

    chip: str
    memory_gb: float = 0.0
    form: str = ""
    needs_size: bool = False
    """True for a rare one, which nobody means without giving its size."""


class Read(NamedTuple):
    """The chip that a name was read as; ``guess`` says what had to be assumed."""

    chip: str
    guess: str = ""


def _one(chip: str) -> tuple[Variant, ...]:
    return (Variant(chip),)


_VARIANTS: dict[str, tuple[Variant, ...]] = {
    "T4": _one("t4"),
    "V100": (
        Variant("v100-sxm2-16", 16, "SXM"),
        Variant("v100-sxm2-32", 32, "SXM"),
        Variant("v100-pcie-16", 16, "PCIE"),
    ),
    "A2": _one("a2"),
    "A10": _one("a10"),
    "A10G": _one("a10g"),
    "A30": _one("a30"),
    "A40": _one("a40"),
    "L4": _one("l4"),
    "L40": _one("l40"),
    "L40S": _one("l40s"),
    "A100": (
        Variant("a100-sxm-40", 40, "SXM"),
        Variant("a100-sxm-80", 80, "SXM"),
        Variant("a100-pcie-40", 40, "PCIE"),
        Variant("a100-pcie-80", 80, "PCIE"),
    ),
    "H100": (
        Variant("h100-sxm", 80, "SXM"),
        Variant("h100-pcie", 80, "PCIE"),
        Variant("h100-nvl", 94, "NVL"),
        Variant("h100-sxm-96", 96, "SXM", needs_size=True),
    ),
    "H100MEGA": (Variant("h100-sxm", 80, "SXM"),),
    "A800": (Variant("a800-sxm-80", 80),),
    "H800": (Variant("h800-sxm", 80),),
    "H20": (Variant("h20", 96),),
    "L20": _one("l20"),
    "H200": (Variant("h200-sxm", 141, "SXM"), Variant("h200-nvl", 141, "NVL")),
    "GH200": (Variant("gh200-96", 96), Variant("gh200-141", 141)),
    "B200": _one("b200-sxm"),
    "GB200": _one("gb200"),
    "B300": _one("b300-sxm"),
    "GB300": _one("gb300"),
    "RTX3090": _one("rtx3090"),
    "RTX3090TI": _one("rtx3090ti"),
    "RTX4080": _one("rtx4080"),
    "RTX4090": _one("rtx4090"),
    "RTX5090": _one("rtx5090"),
    "RTX6000ADA": _one("rtx6000ada"),
    "RTXA5000": _one("rtxa5000"),
    "A5000": _one("rtxa5000"),
    "RTXA6000": _one("rtxa6000"),
    "A6000": _one("rtxa6000"),
    "RTXPRO6000": _one("rtxpro6000"),
    "RTXPRO6000S": _one("rtxpro6000"),
    "RTXPRO6000SE": _one("rtxpro6000"),
    "RTXPRO6000WS": _one("rtxpro6000"),
    "RTXPRO6000WK": _one("rtxpro6000"),
    "RX7900XTX": _one("rx7900xtx"),
    "RADEONRX7900XTX": _one("rx7900xtx"),
    "MI210": _one("mi210"),
    "MI250": _one("mi250"),
    "MI250X": _one("mi250x"),
    "MI300X": _one("mi300x"),
    "MI325X": _one("mi325x"),
    "MI350X": _one("mi350x"),
    "MI355X": _one("mi355x"),
    "GAUDI2": _one("gaudi2"),
    "GAUDI3": _one("gaudi3"),
    "TRAINIUM": _one("trn1"),
    "TRAINIUM1": _one("trn1"),
    "TRAINIUM2": _one("trn2"),
    "TRAINIUM3": _one("trn3"),
    "INFERENTIA2": _one("inf2"),
}
"""Product name without maker, size and form -> its variants, the usual one first."""

_NEAR_GB = 0.12
"""Relative: lists give the memory in GB or GiB, usable or printed on the box."""

MOST_GB = 300.0
"""No chip that is sold has more memory; more is of several, or no size of memory."""


@lru_cache(maxsize=4096)
def read_name(name: str, memory_gb: float | None = None, instance: str = "", also: str = "") -> Read | None:
    """The chip that ``name`` stands for, None when no chip of ours is called so.

    ``memory_gb`` of one chip, ``also`` (another name of it) and ``instance`` tell size and form where the name does
    not; a size that fits no variant is then taken for something else, such as the memory of the host.
    """
    words = _plain(name)
    variants = _VARIANTS.get(_product(words))
    if variants is None:
        return None
    others = (_plain(also), _plain(instance))
    form = next((one for text in (words, *others) if (one := _form(text))), "")
    return _chosen(_of_form(variants, form), _size(words), (memory_gb, *map(_size, others)))


def _chosen(variants: Sequence[Variant], size: float | None, hints: Iterable[float | None]) -> Read | None:
    """The variant of the size in the name, which must fit, or else of the first hint that fits."""
    if size is not None:
        fitting = _of_size(variants, size)
    else:
        usual = [one for one in variants if not one.needs_size]
        fitting = next((variant for hint in hints if hint and (variant := _of_size(variants, hint))), usual)
    return Read(fitting[0].chip, _guess(fitting)) if fitting else None


def _of_form(variants: Sequence[Variant], form: str) -> Sequence[Variant]:
    """Variants of a form; boards with a bridge are sold under either name where only one of them is known."""
    fitting = [one for one in variants if not form or not one.form or one.form == form]
    return fitting or ([one for one in variants if one.form == "PCIE"] if form == "NVL" else [])


def _of_size(variants: Sequence[Variant], size: float) -> list[Variant]:
    """Variants of about a size, and of those the nearest: 94 and 96 GB are different chips."""
    near = [one for one in variants if not one.memory_gb or abs(size - one.memory_gb) <= _NEAR_GB * one.memory_gb]
    gap = min((abs(size - one.memory_gb) for one in near), default=0.0)
    return [one for one in near if abs(size - one.memory_gb) == gap]


def _guess(fitting: Sequence[Variant]) -> str:
    """What is not told among variants that fit equally well."""
    first, *others = fitting
    if not others:
        return ""
    sizes, forms = {one.memory_gb for one in fitting}, {one.form for one in fitting}
    words = [f"{first.memory_gb:g} GB"] if len(sizes) > 1 else []
    return " ".join([*words, *([first.form.replace("PCIE", "PCIe")] if len(forms) > 1 else [])])


def _plain(name: str) -> str:
    return _NOISE.sub(" ", name.upper().replace("_", " "))


def _product(words: str) -> str:
    text = _WITH_SIZE.sub(" ", words)
    for _, pattern in _FORMS:
        text = re.sub(pattern, " ", text)
    return re.sub(r"[^A-Z0-9]", "", text)


def _form(words: str) -> str:
    return next((form for form, pattern in _FORMS if re.search(pattern, words)), "")


def _size(words: str) -> float | None:
    """Memory in a name; more than any chip has is that of its host."""
    size = _WITH_SIZE.search(words)
    return float(size[1]) if size and float(size[1]) <= MOST_GB else None
