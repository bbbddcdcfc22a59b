"""What is written for TPU: Pallas kernels of its own kind, and calls into PyTorch/XLA, which has no build for GPU."""

from __future__ import annotations

import ast

from core.readiness.checks.base import Place, Places, constant, keyword
from core.readiness.checks.libraries import is_optional, modules_of
from core.readiness.module import Module

_PALLAS = "jax.experimental.pallas"
_FOR_TPU = (f"{_PALLAS}.tpu", f"{_PALLAS}.mosaic_tpu")
_SHIPPED = f"{_PALLAS}.ops.tpu"
_FOR_GPU = (f"{_PALLAS}.triton", f"{_PALLAS}.mosaic_gpu", f"{_PALLAS}.gpu")
_LAUNCHES = (f"{_PALLAS}.pallas_call", f"{_PALLAS}.core_map", f"{_PALLAS}.kernel")
_SHARDING = ("torch_xla.distributed.fsdp", "torch_xla.distributed.spmd", "torch_xla.experimental.spmd")
_STEPS = (
    "torch_xla.step", "torch_xla.sync", "torch_xla.compile", "torch_xla.distributed.parallel_loader",
    "torch_xla.core.xla_model.mark_step", "torch_xla.core.xla_model.optimizer_step",
    "torch_xla.core.xla_model.add_step_closure", "torch_xla.core.xla_model.reduce_gradients",
)  # fmt: skip


def for_tpu(module: Module) -> Places:
    """Kernels by where they are launched, and every call of PyTorch/XLA that the code cannot do without."""
    needed = [(node, names) for node in module.nodes if (names := modules_of(node)) and not is_optional(module, node)]
    yield from (Place("tpu-ops", node) for node, names in needed if names[0].startswith(_SHIPPED))
    imported = [name for _, names in needed for name in names]
    if any(name.startswith(_FOR_TPU) for name in imported) and not any(name.startswith(_FOR_GPU) for name in imported):
        yield from _pallas(module)
    if any(name.partition(".")[0] == "torch_xla" for name in imported):
        yield from (Place(_kind_of(called), call) for call, called in module.calls if called.startswith("torch_xla."))
    yield from (Place("xla-device", call) for call, called in module.calls if _names_xla(call, called))


def _pallas(module: Module) -> Places:
    """Names, not calls: a kernel is often launched through a partial. Code that has none for GPU beside it."""
    for node in module.nodes:
        is_read = isinstance(node, (ast.Attribute, ast.Name)) and isinstance(node.ctx, ast.Load)
        if is_read and module.name_of(node) in _LAUNCHES:
            yield Place("tpu-pallas", node)


def _kind_of(called: str) -> str:
    if called.startswith(_SHARDING):
        return "xla-sharding"
    return "xla-step" if called.startswith(_STEPS) else "xla-device"


def _names_xla(call: ast.Call, called: str) -> bool:
    """``backend="xla"`` of torch.distributed, ``backend="openxla"`` of its compiler."""
    if called == "torch.distributed.init_process_group":
        return constant(keyword(call, "backend") or (call.args[0] if call.args else None)) == "xla"
    return called == "torch.compile" and constant(keyword(call, "backend")) == "openxla"
