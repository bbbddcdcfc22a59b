"""What the C library has handed out, of which Python sees only a part."""

from __future__ import annotations

import ctypes

MIB = 2**20


class _Allocated(ctypes.Structure):
    _fields_ = [(f"field_{number}", ctypes.c_size_t) for number in range(10)]


def native_mib() -> float:
    """``uordblks`` and ``hblkhd`` of ``mallinfo2``; 0 where the library does not tell."""
    library = ctypes.CDLL(None)
    if not hasattr(library, "mallinfo2"):
        return 0.0
    library.mallinfo2.restype = _Allocated
    told = library.mallinfo2()
    return float(told.field_7 + told.field_4) / MIB
