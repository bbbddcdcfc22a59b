"""A gzip from outside, unpacked as it is read: of a bounded size, ratio and number of members."""

from __future__ import annotations

import io
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from core.errors import InputError
from core.reading.files import opened
from core.reading.limits import MIB, MOST_GZIP_MEMBERS, MOST_RATIO
from core.reading.pace import TooMuchError

_START = b"\x1f\x8b"
_WITH_HEADER = 16 + zlib.MAX_WBITS
_CHUNK_BYTES = 65_536

Share = Callable[[], float]


@contextmanager
def opened_unpacked(path: Path, expected: str, most_bytes: int) -> Iterator[tuple[IO[bytes], Share]]:
    """The file as :func:`core.reading.files.opened` gives it, unpacked where it is a gzip, and what share is read.

    ``most_bytes`` bounds it packed and unpacked. Raises as that does, and while it is read InputError for a gzip that
    is damaged, TooMuchError for one beyond a limit.
    """
    with opened(path, expected, most_bytes) as file:
        n_bytes = path.stat().st_size
        is_packed = file.read(len(_START)) == _START
        file.seek(0)
        read = io.BufferedReader(_Unpacked(file, path.name, expected, most_bytes), _CHUNK_BYTES) if is_packed else file
        yield read, lambda: file.tell() / max(n_bytes, 1)


class _Unpacked(io.RawIOBase):
    """The bytes within. It can be read from its start again."""

    def __init__(self, packed: IO[bytes], where: str, expected: str, most_bytes: int) -> None:
        super().__init__()
        self._packed, self._where, self._expected, self._most_bytes = packed, where, expected, most_bytes
        self._begin()

    def readable(self) -> bool:
        """It is."""
        return True

    def seekable(self) -> bool:
        """To its start."""
        return True

    def tell(self) -> int:
        """Bytes unpacked so far."""
        return self._n_bytes

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        """Back to the start; nowhere else."""
        if (offset, whence) != (0, io.SEEK_SET):
            raise io.UnsupportedOperation("only to the start")
        self._begin()
        return 0

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        """Some more bytes; 0 at the end."""
        try:
            data = self._next(len(buffer))
        except zlib.error as error:
            raise self._damaged(str(error)) from None
        self._n_bytes += len(data)
        self._check()
        buffer[: len(data)] = data
        return len(data)

    def _begin(self) -> None:
        self._packed.seek(0)
        self._member = zlib.decompressobj(_WITH_HEADER)
        self._waiting = b""
        self._n_bytes, self._n_members = 0, 1

    def _next(self, most_bytes: int) -> bytes:
        """Bytes of this member, or of the next one that has any."""
        while True:
            packed = self._waiting or self._packed.read(_CHUNK_BYTES)
            if self._member.eof:
                packed = packed.lstrip(b"\0")  # blocks of tapes are filled up so
                if packed:
                    self._next_member()
                elif not self._packed.peek(1):  # type: ignore[attr-defined]
                    return b""
            elif not packed:
                raise self._damaged("it ends in the middle")
            data = self._member.decompress(packed, most_bytes) if packed else b""
            self._waiting = self._member.unused_data if self._member.eof else self._member.unconsumed_tail
            if data:
                return data

    def _next_member(self) -> None:
        self._member = zlib.decompressobj(_WITH_HEADER)
        self._n_members += 1
        if self._n_members > MOST_GZIP_MEMBERS:
            raise TooMuchError(self._where, f"a gzip of more than {MOST_GZIP_MEMBERS} parts", "one of fewer")

    def _check(self) -> None:
        if self._n_bytes > MIB and self._n_bytes > MOST_RATIO * self._packed.tell():
            words = f"a file that unpacks to more than {MOST_RATIO} times its size"
            raise TooMuchError(self._where, words, self._expected)
        if self._n_bytes > self._most_bytes:
            words = "a gzip that unpacks to far too much"
            raise TooMuchError(self._where, words, f"at most {self._most_bytes / MIB:.0f} MB")

    def _damaged(self, why: str) -> InputError:
        return InputError(self._where, f"a damaged gzip ({why})", self._expected)
