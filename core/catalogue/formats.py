"""Whether software takes a number format on a chip, and how: rows of ``formats.csv``, else the chip's data sheet."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal

from core import paths
from core.catalogue.chip_families import family_of
from core.catalogue.entries import Accelerator, FormatKind, FormatRow, FormatUse
from core.catalogue.tables import read_entries

PEAKS = {
    "fp32": "fp32_tflops", "tf32": "tf32_tflops", "bf16": "bf16_tflops", "fp16": "fp16_tflops", "fp8": "fp8_tflops",
    "int8": "int8_tops", "fp4": "fp4_tflops", "mxfp4": "fp4_tflops",
}  # fmt: skip
"""Figure of a data sheet that is the dense peak of a format; no sheet gives one for four-bit integers."""
FORMATS = (*PEAKS, "int4", "mxfp8")
CAUTION: tuple[FormatKind, ...] = (
    "none", "unverified", "partial", "emulated", "weight-only", "prototype", "native",
)  # fmt: skip
"""Kinds of support from the least that may be counted on to the most."""

_TUNED = ("PyTorch/TransformerEngine", "PyTorch/ROCm (TransformerEngine, torchao)", "Neuron SDK")
_NATIVE = ("PyTorch/cuBLAS", "PyTorch/ROCm", "PyTorch/Gaudi (vLLM-Gaudi, INC)")
_TORCHAO = ("PyTorch/torchao", "PyTorch/torchao ROCm")
_QLORA = ("PyTorch/bitsandbytes (QLoRA NF4)",)
_XLA = ("JAX/XLA", "JAX/XLA (AQT/Qwix)", "JAX/XLA (TransformerEngine)")
SOFTWARE: dict[str, tuple[tuple[str, ...], ...]] = {
    "vendor": (_TUNED, _NATIVE, _TORCHAO, _QLORA, _XLA),
    "fsdp": (_TORCHAO, _TUNED, _NATIVE, _QLORA, _XLA),
    "pytorch": ((*_TUNED, *_NATIVE, *_TORCHAO, *_QLORA), _XLA),
    "jax": (_XLA, ("Neuron SDK",)),
    "vllm": (("vLLM", "vLLM ROCm", "vLLM tpu-inference", "PyTorch/Gaudi (vLLM-Gaudi, INC)", "Neuron SDK"),),
    "sglang": (("SGLang", "SGLang ROCm"),),
    "tensorrt-llm": (("TensorRT-LLM",),),
}
"""Software of rows behind that of a job, in groups: the first with a row for chip and format answers. What stands
nowhere here is unknown software."""
ENGINES = ("vllm", "sglang", "tensorrt-llm")
DATA_SHEET = "data sheet"
"""Software and quality of an answer that no row gives."""


SaidOf = Literal["asked", "others", "other use"]
"""Whether what answers speaks of the software and the use that were asked about, of other software, or of the other
use: training where it was asked about serving, or the other way round."""


@dataclass(frozen=True, slots=True)
class FormatSupport:
    """How a format runs: the kind, where that is said, and how sure it is; ``runs_in`` and ``speed_share`` as rows.

    ``quality``: that of the row, or ``data sheet``. ``is_estimate``: to be marked so wherever it shows. ``said_of``: an
    answer that speaks of something else is no source of what was asked.
    """

    kind: FormatKind
    source: str
    as_of: str
    quality: str
    software: str
    note: str = ""
    runs_in: str = ""
    speed_share: float = 1.0
    is_estimate: bool = False
    said_of: SaidOf = "asked"

    @property
    def origin(self) -> str:
        """Who says so and since when, for brackets."""
        return f"{self.software}, {self.dated}"

    @property
    def dated(self) -> str:
        """Since when, and whether from memory or estimated."""
        as_of = self.as_of.removesuffix(" (memory)")
        memory = ", from memory" if self.quality == "memory" or as_of != self.as_of else ""
        return f"{as_of}{memory}{', estimate' if self.quality == 'estimate' else ''}"


def support_of(chip: Accelerator, number_format: str, use: FormatUse, software: str) -> FormatSupport:
    """What may be counted on for a format on a chip; of several rows that answer, the most cautious.

    Asked in turn: the software's own rows; for an engine all of whose rows say ``none``, that; rows of other software
    for the same use; rows of the other use, where serving proves no way to train; the chip's data sheet, which is all
    that an own chip has. Engines and stacks: the keys of :data:`SOFTWARE`, another name is unknown software.
    """
    rows = _rows_by_chip().get(chip.id, ())
    groups = SOFTWARE.get(software, ())
    own = next((hits for names in groups if (hits := _matching(rows, number_format, use, names))), ())
    if own:
        return _of_row(most_cautious(own))
    if refusal := refused_by_engine(chip, use, software):
        return refusal
    if others := _matching(rows, number_format, use):
        return _of_row(most_cautious(others), "others")
    carried = _carried_over(rows, number_format, use)
    return _of_row(most_cautious(carried), "other use") if carried else of_data_sheet(chip, number_format)


def refused_by_engine(chip: Accelerator, use: FormatUse, software: str) -> FormatSupport | None:
    """The row of an engine that supports a chip in no format at all, None for any other."""
    if software not in ENGINES:
        return None
    names = {name for group in SOFTWARE[software] for name in group}
    own = [row for row in _rows_by_chip().get(chip.id, ()) if row.use == use and row.software in names]
    return _of_row(own[0]) if own and all(row.support == "none" for row in own) else None


def peak_of(chip: Accelerator, number_format: str) -> float:
    """Dense peak that the data sheet gives for a format, FLOP/s; 0 where it gives none."""
    field = PEAKS.get(number_format)
    return (getattr(chip, field) or 0.0) * 1e12 if field else 0.0


def most_cautious(rows: Sequence[FormatRow]) -> FormatRow:
    """The row that promises least."""
    return min(rows, key=_caution)


def _caution(row: FormatRow) -> int:
    return CAUTION.index(row.support)


def _matching(
    rows: Iterable[FormatRow], number_format: str, use: FormatUse, software: tuple[str, ...] = ()
) -> tuple[FormatRow, ...]:
    """Rows for a format and use, of some software or of any; engines that serve nothing on the chip tell only of
    themselves."""
    of_use = [row for row in rows if row.use == use]
    alive = software or {row.software for row in of_use if row.support != "none" or use == "training"}
    return tuple(row for row in of_use if row.format == number_format and row.software in alive)


def _carried_over(rows: Iterable[FormatRow], number_format: str, use: FormatUse) -> tuple[FormatRow, ...]:
    """Rows of the other use: what trains can also serve, while serving proves no way to train."""
    if use == "serving":
        return _matching(rows, number_format, "training")
    return tuple(
        row.model_copy(update={"support": "none" if row.support in ("weight-only", "none") else "unverified"})
        for row in _matching(rows, number_format, "serving")
    )


def _of_row(row: FormatRow, said_of: SaidOf = "asked") -> FormatSupport:
    return FormatSupport(
        row.support, row.source, row.as_of, row.quality, row.software, row.note, row.runs_in,
        1.0 if row.speed_share is None else row.speed_share, row.estimate, said_of,
    )  # fmt: skip


def of_data_sheet(chip: Accelerator, number_format: str) -> FormatSupport:
    """Native where the sheet gives a peak; NVFP4 only in families that have it beside the open format."""
    has_units = bool(peak_of(chip, number_format)) and (number_format != "fp4" or family_of(chip).has_nvfp4)
    field = PEAKS.get(number_format, "")
    return FormatSupport(
        kind="native" if has_units else "none",
        source=chip.source,
        as_of=chip.as_of,
        quality=DATA_SHEET,
        software=DATA_SHEET,
        is_estimate=field in chip.estimated_fields,
    )


@cache
def shipped_formats() -> tuple[FormatRow, ...]:
    """The shipped table, read once."""
    return read_entries(paths.resources() / "catalogue" / "formats.csv", FormatRow)


@cache
def _rows_by_chip() -> dict[str, tuple[FormatRow, ...]]:
    by_chip: dict[str, list[FormatRow]] = {}
    for row in shipped_formats():
        for chip in row.accelerator_ids:
            by_chip.setdefault(chip, []).append(row)
    return {chip: tuple(rows) for chip, rows in by_chip.items()}
