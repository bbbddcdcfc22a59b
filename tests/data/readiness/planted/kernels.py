# ruff: noqa
"""Kernels of many makes. Read by tests, never run."""

import cupy  # PLANTED: library
import triton
import triton.language as tl
from numba import cuda
from torch.utils.cpp_extension import load

fused = load(name="fused", sources=["csrc/fused.cpp", "csrc/fused.cu"])  # PLANTED: cpp-extension
squares = cupy.RawKernel("extern ...", "squares")  # PLANTED: raw-kernel


@triton.jit
def softmax_kernel(out, x, n: tl.constexpr):  # PLANTED: triton-kernel
    row = tl.load(x + tl.arange(0, n))
    fast = tl.inline_asm_elementwise("ex2", "=f,f", [row], tl.float32, True, 1)  # PLANTED: inline-ptx
    tl.store(out + tl.arange(0, n), fast)


@cuda.jit
def add(a, b, out):  # PLANTED: numba-cuda
    i = cuda.grid(1)
    out[i] = a[i] + b[i]
