"""Libraries that have no version for TPU, for ROCm, or for either, by what is imported.

What runs where is our own reading of the projects' pages, undated: an estimate, to be checked before it is signed.
"""

from __future__ import annotations

import ast

from core.readiness.checks.base import Place, Places
from core.readiness.kinds import Side
from core.readiness.module import Module

_BOTH: tuple[Side, ...] = ()
_TPU_ONLY = (Side.ROCM,)

LIBRARIES: dict[str, tuple[str, tuple[Side, ...]]] = {
    "flash_attn": ("FlashAttention", _TPU_ONLY),
    "xformers": ("xFormers", _TPU_ONLY),
    "apex": ("Apex", _TPU_ONLY),
    "bitsandbytes": ("bitsandbytes", _TPU_ONLY),
    "deepspeed": ("DeepSpeed", _TPU_ONLY),
    "megatron": ("Megatron-LM", _TPU_ONLY),
    "transformer_engine": ("Transformer Engine", _TPU_ONLY),
    "auto_gptq": ("AutoGPTQ", _TPU_ONLY),
    "awq": ("AutoAWQ", _TPU_ONLY),
    "mamba_ssm": ("Mamba kernels", _TPU_ONLY),
    "causal_conv1d": ("causal-conv1d", _TPU_ONLY),
    "torch_scatter": ("torch-scatter", _TPU_ONLY),
    "torch_sparse": ("torch-sparse", _TPU_ONLY),
    "torch_cluster": ("torch-cluster", _TPU_ONLY),
    "detectron2": ("Detectron2", _TPU_ONLY),
    "mmcv": ("MMCV", _TPU_ONLY),
    "fairscale": ("FairScale", _TPU_ONLY),
    "cupy": ("CuPy", _TPU_ONLY),
    "tensorrt": ("TensorRT", _BOTH),
    "torch_tensorrt": ("Torch-TensorRT", _BOTH),
    "tensorrt_llm": ("TensorRT-LLM", _BOTH),
    "nvidia.dali": ("DALI", _BOTH),
    "cudf": ("RAPIDS", _BOTH),
    "cuml": ("RAPIDS", _BOTH),
    "cugraph": ("RAPIDS", _BOTH),
    "pycuda": ("PyCUDA", _BOTH),
    "spconv": ("spconv", _BOTH),
    "MinkowskiEngine": ("MinkowskiEngine", _BOTH),
    "tinycudann": ("tiny-cuda-nn", _BOTH),
    "kaolin": ("Kaolin", _BOTH),
    "pynvml": ("NVML", _BOTH),
    "nvidia_smi": ("NVML", _BOTH),
}
"""Module -> name and the sides on which it runs all the same."""

KNOWN_FIELDS = {
    "FlashAttention": "flash-attention",
    "DeepSpeed": "deepspeed",
    "Megatron-LM": "megatron-lm",
    "bitsandbytes": "bitsandbytes",
    "AutoGPTQ": "bitsandbytes",
    "AutoAWQ": "bitsandbytes",
    "MaxText": "maxtext",
}
"""Names of libraries that a workload's form knows, as it has them."""


def libraries(module: Module) -> Places:
    """Imports of such libraries, each named once a file; one that the code can do without is not told."""
    told: set[str] = set()
    for node in module.nodes:
        if is_optional(module, node):
            continue
        for imported in modules_of(node):
            known = _known(imported)
            if known and known[0] not in told:
                told.add(known[0])
                kind = "driver" if known[0] == "NVML" else "library"
                yield Place(kind, node, known[0], () if kind == "driver" else known[1])


def is_optional(module: Module, node: ast.AST) -> bool:
    """``try: import x / except ImportError`` and ``if is_x_available(): import x``."""
    if not isinstance(node, (ast.Import, ast.ImportFrom)):
        return True
    above = tuple(module.above(node))
    tried = any(isinstance(one, ast.Try) and any(map(_catches_missing, one.handlers)) for one in above)
    return tried or any(isinstance(one, ast.If) and "available" in ast.dump(one.test).lower() for one in above)


def _catches_missing(handler: ast.ExceptHandler) -> bool:
    caught = "" if handler.type is None else ast.dump(handler.type)
    return handler.type is None or any(name in caught for name in ("ImportError", "ModuleNotFoundError", "'Exception'"))


def modules_of(node: ast.AST) -> list[str]:
    """Full names of what an import names; empty for anything else, and for modules of one's own."""
    if isinstance(node, ast.Import):
        return [one.name for one in node.names]
    if isinstance(node, ast.ImportFrom) and node.module and not node.level:
        return [node.module, *(f"{node.module}.{one.name}" for one in node.names)]
    return []


def _known(imported: str) -> tuple[str, tuple[Side, ...]] | None:
    parts = imported.split(".")
    return LIBRARIES.get(parts[0]) or LIBRARIES.get(".".join(parts[:2]))
