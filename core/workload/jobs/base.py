"""What every kind of job shares: its base, the groups of its form and the words of its choices."""

from __future__ import annotations

from typing import Any, Literal

from core.workload.field_description import Described

RUNS = "What runs"
LIMITS = "Places and limits"
NUMERICS = "Numerics and memory"
DATA = "Data"

Precision = Literal["fp32", "tf32", "bf16", "fp16", "fp8", "int8", "int4", "fp4", "mxfp4"]
Recompute = Literal["auto", "none", "selective", "full"]

PRECISION_WORDS = {
    "fp32": "FP32",
    "tf32": "TF32",
    "bf16": "BF16",
    "fp16": "FP16",
    "fp8": "FP8",
    "int8": "INT8",
    "int4": "INT4 weights",
    "fp4": "NVFP4",
    "mxfp4": "MXFP4",
}
DataKind = Literal["tokens", "text", "images", "video"]
DATA_KIND_WORDS = {
    "tokens": "Tokens, prepared before",
    "text": "Text, tokenised on the way",
    "images": "Images, decoded on the way",
    "video": "Video clips, decoded on the way",
}
StorageKind = Literal["object", "volume", "filesystem", "local"]
STORAGE_WORDS = {
    "object": "Object storage",
    "volume": "Network volumes of the hosts",
    "filesystem": "Parallel file system",
    "local": "NVMe drives in the hosts",
}
TRAFFIC_WORDS = {
    "steady": "Alike at all hours",
    "office": "Office hours",
    "day_night": "Day and night",
    "own": "Own hours, below",
}
RECOMPUTE_WORDS = {"auto": "Choose what fits", "none": "None", "selective": "Attention only", "full": "Full"}


class JobBase(Described):
    """Base of all jobs. The kind counts as entered: it tells a stored job's fields apart."""

    def model_post_init(self, _: Any, /) -> None:
        """Marks the kind as entered."""
        self.model_fields_set.add("kind")
