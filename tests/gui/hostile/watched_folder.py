"""Which files of a folder any part of this process opens, Qt's own code too (inotify, Linux)."""

from __future__ import annotations

import ctypes
import os
import struct
from pathlib import Path
from typing import Self

IN_OPEN = 0x20
_HEAD = struct.Struct("iIII")


class WatchedFolder:
    """Hears every opening of a file in a folder; ``opened`` tells the names since it was last asked."""

    def __init__(self, folder: Path) -> None:
        self._libc = ctypes.CDLL(None, use_errno=True)
        self._handle = int(self._libc.inotify_init1(os.O_NONBLOCK))
        assert self._handle >= 0, os.strerror(ctypes.get_errno())
        assert self._libc.inotify_add_watch(self._handle, bytes(folder), IN_OPEN) >= 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._handle)

    def opened(self) -> set[str]:
        try:
            told = os.read(self._handle, 65536)
        except BlockingIOError:
            return set()
        names, at = set(), 0
        while at < len(told):
            length = _HEAD.unpack_from(told, at)[3]
            names.add(told[at + _HEAD.size : at + _HEAD.size + length].rstrip(b"\0").decode())
            at += _HEAD.size + length
        return names
