"""In which format a job's products really run on a chip, how fast at most, and what is to be said of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

from core.catalogue.entries import Accelerator, FormatUse
from core.catalogue.formats import (
    DATA_SHEET,
    FormatSupport,
    of_data_sheet,
    peak_of,
    refused_by_engine,
    support_of,
)
from core.constants import BYTES_PER_VALUE
from core.throughput.types import Reason
from core.workload.jobs.base import ENGINE_WORDS, PRECISION_WORDS
from core.workload.profile import Profile

WEIGHTS_OF_EIGHT_BITS = 1.0
_NEAREST = {
    "fp32": ("tf32", "bf16", "fp16"), "tf32": ("bf16", "fp16", "fp32"), "bf16": ("fp16", "tf32", "fp32"),
    "fp16": ("bf16", "tf32", "fp32"), "fp8": ("int8", "bf16", "fp16"), "int8": ("fp8", "bf16", "fp16"),
    "int4": ("fp8", "int8", "bf16", "fp16"), "fp4": ("mxfp4", "fp8", "int8", "bf16", "fp16"),
    "mxfp4": ("fp4", "fp8", "int8", "bf16", "fp16"),
}  # fmt: skip
"""Formats to take instead, the nearest first."""
_DOUBT = {"none": "does not", "unverified": "is not known to", "partial": "can only in part"}
"""Kinds of support that no plan rests on, in words before a verb."""


@dataclass(frozen=True, slots=True)
class RunFormat:
    """A format of a job on a chip.

    ``stored``: the format of values in memory; ``products``: that of the products, both four-bit block formats as
    ``fp4``; ``shown``: the same as people call it; ``kernels``: the format that decides an engine's coefficients,
    ``int4`` for any weights of four bits that are unpacked; ``peak_flops``: dense peak of the data sheet for
    ``products``, less what an emulation loses; ``refusal``: why no plan may count on it; ``is_estimate``: the speed is
    one, since no published run stands behind this way to run: kernels of four bits that are only believed to be there
    are no proof, while every list leaves out that a chip runs 16 bits.
    """

    stored: str
    products: str
    shown: str
    kernels: str
    peak_flops: float
    notes: tuple[str, ...] = ()
    refusal: Reason | None = None
    is_estimate: bool = False


RunsIn = Callable[[Accelerator, str], RunFormat]
"""How the format that a job asks for runs on a chip."""


def as_stated(chip: Accelerator, wanted: str) -> RunFormat:
    """Exactly the format asked for, at the peak of the data sheet; weights of int4 with products in 16 bits."""
    products = half_of(chip) if wanted == "int4" else "fp4" if wanted == "mxfp4" else wanted
    peak = peak_of(chip, products)
    refusal = None if peak else no_peak_reason(chip, wanted)
    return RunFormat(wanted, products, products if wanted == "int4" else wanted, wanted, peak, (), refusal)


def half_of(chip: Accelerator) -> str:
    """The 16-bit format of activations beside stored weights: BF16 where the chip has it."""
    return "bf16" if chip.bf16_tflops or not chip.fp16_tflops else "fp16"


def no_peak_reason(chip: Accelerator, wanted: str) -> Reason:
    """Why a chip cannot be predicted in a format for which no rate of it is known."""
    text = f"No compute peak of {chip.short_name} is known for {PRECISION_WORDS[wanted]}"
    return Reason("unknown", text, "Wait for its data sheet, or choose another precision")


@dataclass(frozen=True)
class PlannedFormats:
    """What a profile's software makes of the formats of each chip; asked once a chip."""

    use: FormatUse
    software: str
    is_network: bool
    trains_all_weights: bool
    packs_frozen_weights: bool = False
    """True where adapters are trained on weights in four or eight bits, which the software must unpack on the chip."""
    known: dict[tuple[int, str], tuple[Accelerator, RunFormat]] = field(default_factory=dict)

    def __call__(self, chip: Accelerator, wanted: str) -> RunFormat:
        """How a format runs on a chip."""
        key = (id(chip), wanted)
        if key not in self.known:
            self.known[key] = chip, self._run(chip, wanted)
        return self.known[key][1]

    def _run(self, chip: Accelerator, wanted: str) -> RunFormat:
        support = self.support(chip, wanted)
        refusal = self._refusal(chip, wanted, support) or self._cannot_unpack(chip)
        if refusal or support.kind in ("native", "prototype"):
            run = as_stated(chip, wanted)
            notes = _native_notes(chip, wanted, support, self.is_network)
            is_guess = support.is_estimate and BYTES_PER_VALUE[wanted] < 1.0
            return replace(run, notes=notes, refusal=refusal or run.refusal, is_estimate=is_guess)
        return _emulated(chip, wanted, support) if support.kind == "emulated" else _stored(chip, wanted, support)

    def support(self, chip: Accelerator, wanted: str) -> FormatSupport:
        """Rows of the software; networks that answer run compiled for the chip, which its data sheet tells of."""
        if self.is_network and self.use == "serving":
            sheet, trained = of_data_sheet(chip, wanted), support_of(chip, wanted, "training", self.software)
            return trained if sheet.kind == "none" and trained.kind == "emulated" else sheet
        return support_of(chip, wanted, self.use, self.software)

    def _refusal(self, chip: Accelerator, wanted: str, support: FormatSupport) -> Reason | None:
        if dead := refused_by_engine(chip, self.use, self.software):
            text = f"{ENGINE_WORDS[self.software]} supports {chip.short_name} in no format ({dead.origin})"
            return Reason("engine", text, "Take another serving engine")
        if support.kind == "weight-only" and self.trains_all_weights:
            text = f"{PRECISION_WORDS[wanted]} holds weights only: nothing but adapters can be trained over it"
            return Reason("format", text, "Choose LoRA, or a wider precision")
        if support.kind not in _DOUBT:
            return None
        if support.quality == DATA_SHEET and not peak_of(chip, wanted):
            return self._no_units(chip, wanted, support) if self._is_answering_network else no_peak_reason(chip, wanted)
        return Reason("format", f"{chip.short_name} {self._doubt(wanted, support)}", self._instead(chip, wanted))

    def _doubt(self, wanted: str, support: FormatSupport) -> str:
        """Why not, with the list that says so; one of other software or of the other use is told as what it is."""
        verb, other_verb = ("train", "serve") if self.use == "training" else ("serve", "train")
        who = f" with {ENGINE_WORDS[self.software]}" if self.software in ENGINE_WORDS else ""
        deed, kind = f"{verb} in {PRECISION_WORDS[wanted]}{who}", _DOUBT[support.kind]
        if support.said_of == "asked":
            return f"{kind} {deed} ({support.origin})"
        if support.said_of == "others":
            return f"is not known to {deed}; {support.software} {kind} ({support.dated})"
        told = "" if self.use == "training" else f"; {support.software} {kind} {other_verb} in it ({support.dated})"
        return f"is not known to {deed}{told}"

    def _cannot_unpack(self, chip: Accelerator) -> Reason | None:
        """QLoRA needs kernels that unpack its frozen weights; lists of software name them for four bits."""
        if not self.packs_frozen_weights:
            return None
        support = self.support(chip, "int4")
        if support.kind in ("weight-only", "native", "prototype"):
            return None
        origin = "" if support.said_of == "other use" else f" ({support.origin})"
        text = f"No software is known to train adapters over packed weights on {chip.short_name}{origin}"
        return Reason("format", text, "Take LoRA, whose frozen weights stay in 16 bits, or another chip")

    def _no_units(self, chip: Accelerator, wanted: str, support: FormatSupport) -> Reason:
        text = f"The data sheet of {chip.short_name} gives no peak for {PRECISION_WORDS[wanted]} ({support.as_of})"
        return Reason("format", text, self._instead(chip, wanted))

    @property
    def _is_answering_network(self) -> bool:
        return self.is_network and self.use == "serving"

    def _instead(self, chip: Accelerator, wanted: str) -> str:
        nearest = next(self._running(chip, wanted), "")
        return f"Take {PRECISION_WORDS[nearest]}, which runs there" if nearest else "Take another chip"

    def _running(self, chip: Accelerator, wanted: str) -> Iterator[str]:
        for other in _NEAREST[wanted]:
            if self.support(chip, other).kind == "native" and peak_of(chip, other):
                yield other


def planned_formats(profile: Profile) -> PlannedFormats:
    """How a profile's formats run: its serving engine, or its framework and training stack, decide."""
    job = profile.job
    run = job.training
    trains_all = run is not None and run.adapter_rank is None
    packs = run is not None and run.finetuned is not None and run.finetuned.is_packed
    use: FormatUse = "training" if job.trains else "serving"
    return PlannedFormats(use, _software(profile), profile.is_in_samples, trains_all, packs)


def answering_formats(engine: str) -> PlannedFormats:
    """How formats run where an engine answers as part of a training step."""
    return PlannedFormats("serving", engine, is_network=False, trains_all_weights=False)


def _software(profile: Profile) -> str:
    engine, stack = profile.job.serving_engine, profile.stack
    if engine is not None and not profile.is_in_samples:
        return engine
    if not stack.framework.startswith("pytorch"):
        return stack.framework
    of_stack = {"team": "vendor", "vendor": "vendor", "fsdp_compiled": "fsdp", "fsdp_eager": "fsdp"}
    return of_stack.get(stack.training_stack, "pytorch")


def _native_notes(chip: Accelerator, wanted: str, support: FormatSupport, is_network: bool) -> tuple[str, ...]:
    words = PRECISION_WORDS[wanted]
    if support.kind == "prototype":
        return (f"{words} is a prototype on {chip.short_name} ({support.origin})",)
    if support.quality == DATA_SHEET and support.kind == "native" and not is_network:
        return (f"{words} on {chip.short_name} by its data sheet alone: no list of software was found",)
    return ()


def _emulated(chip: Accelerator, wanted: str, support: FormatSupport) -> RunFormat:
    """Products in another format's units, at what that leaves of their speed; what engines lose beside products of the
    narrow format, they lose by unpacking it too."""
    products, share = support.runs_in, support.speed_share
    lost = f" at {100 * share:.0f} % of its speed" if share < 1.0 else ""
    words = f"computed in {PRECISION_WORDS[products]}{lost} ({support.origin})"
    note = f"{chip.short_name} has no {PRECISION_WORDS[wanted]}: {words}"
    peak = peak_of(chip, products) * share
    refusal = None if peak else no_peak_reason(chip, wanted)
    return RunFormat(wanted, products, products, wanted, peak, (note,), refusal, is_estimate=True)


def _stored(chip: Accelerator, wanted: str, support: FormatSupport) -> RunFormat:
    """Weights in the format, products in 16 bits; those of eight bits keep what engines lose in eight bits, to be
    cautious, since no published run shows the cost of unpacking them."""
    products = half_of(chip)
    kernels = wanted if BYTES_PER_VALUE[wanted] >= WEIGHTS_OF_EIGHT_BITS else "int4"
    lost = f", {100 * support.speed_share:.0f} % as fast" if support.speed_share < 1.0 else ""
    stored = PRECISION_WORDS[wanted].removesuffix(" weights")
    note = f"{stored} weights on {chip.short_name}, products in {PRECISION_WORDS[products]}{lost}"
    peak = peak_of(chip, products) * support.speed_share
    refusal = None if peak else no_peak_reason(chip, wanted)
    is_estimate = support.is_estimate or support.speed_share < 1.0
    return RunFormat(wanted, products, products, kernels, peak, (f"{note} ({support.origin})",), refusal, is_estimate)
