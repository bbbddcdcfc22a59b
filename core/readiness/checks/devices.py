"""What is tied to CUDA by name, and number formats that another chip does not like."""

from __future__ import annotations

import ast

from core.readiness.checks.base import Place, Places, calls_of, constant, keyword
from core.readiness.module import Module

_CALLS = {
    "torch.nn.DataParallel": "data-parallel",
    "torch.cuda.manual_seed": "cuda-device",
    "torch.cuda.manual_seed_all": "cuda-device",
    "torch.cuda.set_device": "cuda-device",
    "torch.cuda.current_device": "cuda-device",
    "torch.cuda.device_count": "cuda-device",
    "torch.cuda.Stream": "cuda-api",
    "torch.cuda.stream": "cuda-api",
    "torch.cuda.Event": "cuda-api",
    "torch.cuda.CUDAGraph": "cuda-api",
    "torch.cuda.graph": "cuda-api",
    "torch.cuda.make_graphed_callables": "cuda-api",
    "torch.cuda.nvtx.range_push": "cuda-api",
    "torch.cuda.memory_allocated": "cuda-memory",
    "torch.cuda.max_memory_allocated": "cuda-memory",
    "torch.cuda.memory_reserved": "cuda-memory",
    "torch.cuda.memory_summary": "cuda-memory",
    "torch.cuda.reset_peak_memory_stats": "cuda-memory",
    "torch.cuda.empty_cache": "cuda-memory",
    "torch.cuda.amp.GradScaler": "loss-scaling",
    "torch.amp.GradScaler": "loss-scaling",
    "torch.set_default_dtype": "",
    "tensorflow.compat.v1.Session": "legacy-tensorflow",
    "tensorflow.Session": "legacy-tensorflow",
    "tensorflow.compat.v1.placeholder": "legacy-tensorflow",
    "tensorflow.estimator.Estimator": "legacy-tensorflow",
    "tensorflow.compat.v1.estimator.Estimator": "legacy-tensorflow",
}
_NAMES = {
    "torch.float16": "fp16",
    "torch.half": "fp16",
    "jax.numpy.float16": "fp16",
    "tensorflow.float16": "fp16",
    "torch.float64": "fp64",
    "torch.double": "fp64",
    "torch.complex128": "fp64",
    "jax.numpy.float64": "fp64",
    "tensorflow.float64": "fp64",
}
_GPU_COMPILERS = ("inductor", "tensorrt", "torch_tensorrt", "nvfuser", "cudagraphs")
_TIED = {"nccl": "nccl", "xla": ""}


def devices(module: Module) -> Places:
    """Calls, names and texts that mean one maker's chips."""
    yield from (place for place in calls_of(module, _CALLS) if place.kind_id)
    for call, called in module.calls:
        yield from _by_call(module, call, called)
    for node in module.nodes:
        if isinstance(node, (ast.Attribute, ast.Name)) and isinstance(node.ctx, ast.Load):
            kind = _NAMES.get(module.name_of(node))
            if kind and not _is_compared(module, node):
                yield Place(kind, node)


def _by_call(module: Module, call: ast.Call, called: str) -> Places:
    if called == ".cuda" or _names_cuda(module, call, called):
        yield Place("cuda-device", call)
    if called == "torch.distributed.init_process_group" and constant(_backend(call)) == "nccl":
        yield Place("nccl", call)
    if called == "torch.compile" and constant(keyword(call, "backend")) in _GPU_COMPILERS:
        yield Place("cuda-compiler", call)
    if called in (".half", ".double") and module.is_tensor(_receiver(call)):
        yield Place("fp16" if called == ".half" else "fp64", call)
    if called == "jax.config.update" and [constant(one) for one in call.args] == ["jax_enable_x64", True]:
        yield Place("fp64", call)
    if called.startswith("subprocess.") and "nvidia-smi" in ast.dump(call):
        yield Place("driver", call)


def _names_cuda(module: Module, call: ast.Call, called: str) -> bool:
    """``.to("cuda")``, ``torch.device("cuda:0")``, ``device="cuda"``; not where it is asked whether there is one."""
    named = [keyword(call, "device"), keyword(call, "device_type")]
    if called in (".to", "torch.device", "torch.autocast", "torch.amp.autocast"):
        named += call.args[:1]
    is_tied = any(str(constant(one)).partition(":")[0] == "cuda" for one in named)
    return is_tied and "pytorch" in module.frameworks and not _is_asked(module, call)


def _is_asked(module: Module, node: ast.AST) -> bool:
    """``"cuda" if torch.cuda.is_available() else ...``: the code knows other devices."""
    asking = (one for one in module.above(node) if isinstance(one, (ast.IfExp, ast.If)))
    return any("is_available" in ast.dump(one.test) for one in asking)


def _is_compared(module: Module, node: ast.AST) -> bool:
    """``x.dtype == torch.float16`` asks, and a list of known formats names: neither computes in one."""
    return isinstance(module.parents.get(node), (ast.Compare, ast.Tuple, ast.List, ast.Set, ast.Dict))


def _backend(call: ast.Call) -> ast.AST | None:
    return keyword(call, "backend") or (call.args[0] if call.args else None)


def _receiver(call: ast.Call) -> ast.AST:
    return call.func.value if isinstance(call.func, ast.Attribute) else call
