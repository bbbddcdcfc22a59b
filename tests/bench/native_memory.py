"""What the C library has handed out, of which Python sees only a part."""

from __future__ import annotations

import ctypes

import pytest

MIB = 2**20


class _Allocated(ctypes.Structure):
    _fields_ = [(f"field_{number}", ctypes.c_size_t) for number in range(10)]


def native_mib() -> float:
    """``uordblks`` and ``hblkhd`` of ``mallinfo2``; 0 where the library does not tell."""
    told = _told()
    return float(told.field_7 + told.field_4) / MIB if told else 0.0


def apart_mib() -> float:
    """``hblkhd``: of that, what lies apart and goes back to the system as soon as it is free."""
    told = _told()
    return float(told.field_4) / MIB if told else 0.0


def _told() -> _Allocated | None:
    library = ctypes.CDLL(None)
    if not hasattr(library, "mallinfo2"):
        return None
    library.mallinfo2.restype = _Allocated
    told: _Allocated = library.mallinfo2()
    return told


needs_mallinfo = pytest.mark.skipif(_told() is None, reason="the C library does not tell what it handed out")
