"""Kernels of one's own: written in Python, given as text, built or loaded."""

from __future__ import annotations

import ast

from core.readiness.checks.base import Place, Places, calls_of
from core.readiness.module import Module
from core.readiness.tensors import Function

_CALLS = {
    "torch.utils.cpp_extension.load": "cpp-extension",
    "torch.utils.cpp_extension.load_inline": "cpp-extension",
    "torch.utils.cpp_extension.CUDAExtension": "cpp-extension",
    "torch.utils.cpp_extension.CppExtension": "cpp-extension",
    "torch.ops.load_library": "loaded-library",
    "torch.classes.load_library": "loaded-library",
    "tensorflow.load_op_library": "loaded-library",
    "jax.ffi.register_ffi_target": "foreign-call",
    "jax.extend.ffi.register_ffi_target": "foreign-call",
    "jax.ffi.ffi_call": "foreign-call",
    "jaxlib.xla_client.register_custom_call_target": "foreign-call",
    "cupy.RawKernel": "raw-kernel",
    "cupy.RawModule": "raw-kernel",
    "cupy.ElementwiseKernel": "raw-kernel",
    "cupy.ReductionKernel": "raw-kernel",
    "pycuda.compiler.SourceModule": "raw-kernel",
    "cuda.nvrtc.nvrtcCreateProgram": "raw-kernel",
    "triton.language.inline_asm_elementwise": "inline-ptx",
}
_DECORATORS = {
    "triton.jit": "triton-kernel",
    "numba.cuda.jit": "numba-cuda",
    "cupyx.jit.rawkernel": "raw-kernel",
    "warp.kernel": "raw-kernel",
}
_GPU_PALLAS = ("jax.experimental.pallas.triton", "jax.experimental.pallas.mosaic_gpu", "jax.experimental.pallas.gpu")


def kernels(module: Module) -> Places:
    """Kernels by their decorators, their builders and their imports."""
    yield from calls_of(module, _CALLS)
    for node in module.nodes:
        if isinstance(node, Function):
            yield from (Place(kind, node) for one in node.decorator_list if (kind := _decorated(module, one)))
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            yield from (Place("gpu-pallas", node) for name in _imported(node) if name.startswith(_GPU_PALLAS))


def _decorated(module: Module, decorator: ast.AST) -> str:
    return _DECORATORS.get(module.name_of(decorator.func if isinstance(decorator, ast.Call) else decorator), "")


def _imported(node: ast.Import | ast.ImportFrom) -> list[str]:
    if isinstance(node, ast.ImportFrom):
        return [f"{node.module}.{one.name}" for one in node.names] if node.module and not node.level else []
    return [one.name for one in node.names]
