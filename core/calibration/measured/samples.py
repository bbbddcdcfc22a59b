"""What a measured row in samples a second was: network, system, precision and how it ran; or why it is not scored."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from core.calibration.measured.formats import as_sampled
from core.calibration.measured.media import MEDIA, media_network, split_of
from core.calibration.measured.system import measured_system
from core.calibration.measured.table import MeasuredRow
from core.catalogue.catalogue import Catalogue
from core.throughput.types import System
from core.workload.models.known import networks
from core.workload.models.network import NetworkModel, encoder_network

FILL_OF_BENCHMARK = 0.47
"""Real tokens over the longest allowed in the question-answering benchmark, whose runs skip padding (its data set)."""

_TRAINED = {
    "resnet50": "ResNet-50", "resnet": "ResNet-50", "resnext101": "ResNet-101", "retinanet": "RetinaNet (ResNeXt-50)",
    "unet3d": "3D U-Net (KiTS19)", "3d-unet": "3D U-Net (KiTS19)", "dlrm-dcn": "DLRM-DCNv2", "dlrm-v2": "DLRM-DCNv2",
    "dlrm": "DLRM (Criteo 1TB)", "sd-v2": "Stable Diffusion v2", "stable-diffusion-v2": "Stable Diffusion v2",
    "stable-diffusion-xl": "Stable Diffusion XL", "sdxl": "Stable Diffusion XL", "flux1": "FLUX.1 (256 x 256)",
    "flux": "FLUX.1 dev", "rgat": "R-GAT (IGBH)", "maskrcnn": "Mask R-CNN (ResNet-50 FPN)",
    "mask-rcnn": "Mask R-CNN (ResNet-50 FPN)", "mask_rcnn": "Mask R-CNN (ResNet-50 FPN)",
    "wan2.1": "Wan 2.1 14B (720p, 81 frames)", "vit-b": "ViT-B/16", "vit-l": "ViT-L/16", "vit-h": "ViT-H/14",
    "efficientnet-b4": "EfficientNet-B4", "dit-xl": "DiT-XL/2",
}  # fmt: skip
"""Known network by the beginning of a row's model name; the longest beginning wins."""
_OF_A_BENCHMARK_SAMPLE = {"3D U-Net (KiTS19)": 75.0, "DLRM (Criteo 1TB)": 270.0, "DLRM-DCNv2": 270.0}
"""What a sample of the inference benchmark holds: windows over a scan (our estimate), items shown to a user (rules)."""
_COUNTS = (
    "conv_gflops", "matmul_gflops", "attention_gflops", "activation_millions", "lookup_values", "exchange_values",
    "input_kb",
)  # fmt: skip
BENCHMARK_GBIT_PER_S = 200.0
RETINANET_SINCE = "2022"
"""From that year the benchmark that tables call SSD trains RetinaNet."""
_NAMES = ("n_layers", "d_model", "d_ff", "vocab")


@dataclass(frozen=True, slots=True)
class SampleCase:
    """A row ready to predict. ``batch`` is samples on a chip at once, 0 where the row does not say."""

    row: MeasuredRow
    model: NetworkModel
    system: System
    precision: str
    batch: float
    is_training: bool
    stack: str
    year: float
    is_server: bool

    @property
    def peak_flops(self) -> float:
        """Data-sheet peak of one chip in the precision of the row, FLOP/s."""
        return as_sampled(self.system.accelerator, self.precision).peak_flops


def is_sample_row(row: MeasuredRow, work: str) -> bool:
    """True for a row of a network that answers in samples; BERT counts as one when it answers, not when it trains."""
    name = row.text("model").lower()
    return (
        work == MEDIA
        or _known(name, row.text("date")) is not None
        or (work == "inference" and name.startswith(("bert", "roberta")))
    )


def sample_case(row: MeasuredRow, work: str, catalogue: Catalogue) -> SampleCase | str:
    """The case of a row that :func:`is_sample_row` accepts, or why it is not scored.

    Raises InputError naming file, row and field for a cell that is no number.
    """
    n_chips, is_training = row.count("n_chips"), work == "training"
    if row.text("hardware") not in catalogue.accelerator_by_id:
        return "hardware not in the catalogue"
    if row.text("quality") == "C":
        return "quality C"
    if n_chips is None:
        return "number of chips unknown"
    system = _benchmark_network(measured_system(catalogue, row.text("hardware"), n_chips), row)
    model = media_network(row) if work == MEDIA else _model(row)
    if isinstance(model, str):
        return model
    model = model if is_training else _benchmark_sample(row, model)
    batch = _batch(row, n_chips, is_training)
    if model.family == "speech" and not batch:
        batch = 1.0
    if work == MEDIA and 0 < batch < 1:
        model = split_of(model)
    precision = _precision(row, model, system, is_training)
    if refusal := as_sampled(system.accelerator, precision).refusal:
        return str(refusal.text)
    return SampleCase(
        row=row,
        model=model,
        system=system,
        precision=precision,
        batch=batch,
        is_training=is_training,
        stack=_stack(row, system),
        year=_year(row.text("date")),
        is_server=row.text("scenario").startswith(("server", "interactive")),
    )


def _benchmark_network(system: System, row: MeasuredRow) -> System:
    """Clusters that submit benchmarks have a port of 200 Gbit/s or more a chip; DGX-2 joins 16 chips by one switch."""
    if not system.accelerator.scaleup_domain_chips > 2 or system.accelerator.torus_dims:
        return system
    if "DGX-2" in row.text("interconnect"):
        return replace(system, chips_per_host=min(16, system.n_chips))
    rate = max(system.network_gbit_per_s, BENCHMARK_GBIT_PER_S * system.chips_per_host)
    return replace(system, network_gbit_per_s=rate, chips_per_host=min(system.chips_per_host, 8))


def _known(name: str, date: str) -> str | None:
    if name.startswith("ssd"):
        return "RetinaNet (ResNeXt-50)" if date[:4] >= RETINANET_SINCE else "SSD300 (ResNet-34)"
    start = max((start for start in _TRAINED if name.startswith(start)), key=len, default=None)
    return _TRAINED[start] if start else None


def _model(row: MeasuredRow) -> NetworkModel | str:
    name = row.text("model").lower()
    known = _known(name, row.text("date"))
    if known:
        return networks()[known].model
    return _encoder(row)


def _benchmark_sample(row: MeasuredRow, model: NetworkModel) -> NetworkModel:
    """The model on one sample of the inference benchmark, where that is more than one of the network's own."""
    held = _OF_A_BENCHMARK_SAMPLE.get(model.name, 1.0) if _is_benchmark(row) else 1.0
    return model if held == 1.0 else model.model_copy(update={name: held * getattr(model, name) for name in _COUNTS})


def _is_benchmark(row: MeasuredRow) -> bool:
    return "mlperf" in f"{row.text('publisher')} {row.text('source')} {row.text('notes')}".lower()


def _encoder(row: MeasuredRow) -> NetworkModel | str:
    """The encoder of a row at the length it ran: benchmark runs pack real tokens, others pad to the length stated."""
    length, shape = row.number("input_len"), tuple(row.count(field) for field in _NAMES)
    if not length:
        return "sequence length unknown"
    if None in shape:
        shape = (24, 1024, 4096, 30522) if "large" in row.text("model").lower() else (12, 768, 3072, 30522)
    layers, width, d_ff, vocabulary = (n for n in shape if n)
    fill = FILL_OF_BENCHMARK if _is_benchmark(row) else 1.0
    return encoder_network(row.text("model"), layers, width, d_ff, length * fill, vocabulary)


_PRECISIONS = {
    "amp-fp16": "fp16", "amp": "fp16", "mixed": "fp16", "fp8(unet)": "fp8", "mxfp8": "fp8", "nvfp4": "fp4",
    "mxfp4": "fp4", "bfloat16": "bf16", "float32": "fp32", "float16": "fp16", "fp16/bf16": "fp16", "fp32/tf32": "fp32",
    "quantised": "fp8", "fp8 dynamic": "fp8", "half": "fp16",
}  # fmt: skip
_KNOWN_PRECISIONS = ("fp32", "tf32", "bf16", "fp16", "fp8", "int8", "fp4")


def _precision(row: MeasuredRow, model: NetworkModel, system: System, is_training: bool) -> str:
    """As stated, else what benchmark submissions of that network run in.

    Published submissions answer vision, diffusion and the 99 % target of BERT in eight bits; the 99.9 % target in fp8
    where Hopper or later has it, else fp16, also where the table states "fp16" for such a chip. Training is mixed
    16-bit. A column "FP32/TF32" is read as the first: its one large encoder runs 1.4 times as fast on an A100 as on a
    V100, whose 32-bit products stand 1.2 to one; in TF32 they would stand ten to one.
    """
    precision = row.text("precision" if is_training else "weight_precision").lower()
    precision = _PRECISIONS.get(precision, precision)
    if is_training:
        return precision if precision in _KNOWN_PRECISIONS else "bf16"
    is_exact = "99.9" in row.text("notes")
    if model.family == "encoder" and is_exact and precision in ("", "fp16"):
        return "fp8" if _is_hopper_or_later(system) else "fp16"
    if precision in _KNOWN_PRECISIONS:
        return precision
    if model.family == "speech":
        return "fp16"
    return "int8" if system.accelerator.kind == "gpu" and system.accelerator.int8_tops else "bf16"


def _is_hopper_or_later(system: System) -> bool:
    chip = system.accelerator
    return bool(chip.fp8_tflops) and chip.memory_bandwidth_gbps > 1900 and chip.kind == "gpu"


def _batch(row: MeasuredRow, n_chips: int, is_training: bool) -> float:
    """Samples on a chip; below one chip a sample, the sample is split over whole chips and some chips only check."""
    if not is_training:
        return (row.number("batch_or_concurrency") or 0.0) / n_chips
    total = row.number("global_batch") or (row.number("micro_batch") or 0.0) * n_chips
    return total / n_chips if total >= n_chips or not total else 1.0 / (n_chips // total)


_FUSED_ENGINES = r"mlperf|tensorrt|trtllm|onediff|oneflow|nexfort|stable-fast|aitemplate"
"""Engines that fuse kernels and replay a graph of them."""


def _stack(row: MeasuredRow, system: System) -> str:
    """The kind of software by the words of the row."""
    words = f"{row.text('engine')} {row.text('framework')} {row.text('accel')} {row.text('notes')}".lower()
    if system.accelerator.kind == "tpu" or re.search(_FUSED_ENGINES, words):
        return "vendor"
    if re.search(r"xla|jax|compile|tensorflow|mxnet|maxdiffusion|onnx|faster-whisper|ctranslate|whisper\.cpp", words):
        return "compiled"
    return "eager"


def _year(date: str) -> float:
    day = re.match(r"(20\d\d)(?:-(\d\d))?", date)
    return float(day[1]) + (float(day[2] or 7) - 1) / 12 if day else 2024.0
