"""CUDA and C++ sources, read as text: kernels, warp operations, inline PTX, extensions of PyTorch."""

from __future__ import annotations

import re
from collections.abc import Iterator

from core.readiness.sources import CUDA, SourceFile

_KERNEL = re.compile(r"\b__global__\b")
_WARP = re.compile(r"\b(__shfl_\w+|__ballot_sync|__activemask|__any_sync|__all_sync|__syncwarp)\s*\(")
_PTX = re.compile(r"\basm\s*(volatile)?\s*\(")
_EXTENSION = re.compile(r"#include\s*<torch/(extension|library)\.h>|\bPYBIND11_MODULE\s*\(|\bTORCH_LIBRARY")
_COMMENT = re.compile(r"//.*?$|/\*.*?\*/", re.MULTILINE | re.DOTALL)


def native_places(source: SourceFile, text: str) -> Iterator[tuple[str, int]]:
    """Kinds and lines: one for each kernel of a CUDA file, and one of each other kind a file."""
    bare = _COMMENT.sub(lambda match: "\n" * match[0].count("\n"), text)
    kernels = [*_KERNEL.finditer(bare)]
    yield from (("cuda-source", _line(bare, one)) for one in kernels)
    if source.suffix in CUDA and not kernels:
        yield "cuda-source", 1
    others = (("cuda-warp", _WARP), ("inline-ptx", _PTX)) if kernels or source.suffix in CUDA else ()
    for kind, pattern in (*others, ("cpp-extension", _EXTENSION)):
        if (first := pattern.search(bare)) and not (kind == "cpp-extension" and source.suffix in CUDA):
            yield kind, _line(bare, first)


def _line(text: str, match: re.Match[str]) -> int:
    return text.count("\n", 0, match.start()) + 1
