"""Members of a zip from outside: few, not encrypted, packed in the usual way, and of a bounded size unpacked."""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import IO

from core.errors import InputError
from core.reading.limits import MIB, MOST_RATIO, MOST_TABLE_BYTES, MOST_TABLES, MOST_ZIP_BYTES
from core.reading.pace import TooMuchError

_DAMAGE = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    EOFError,
    LookupError,
    ValueError,
    ArithmeticError,
    RuntimeError,
    OSError,
)
_PACKED_AS_USUAL = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_START = (b"PK\x03\x04", b"PK\x05\x06")

Member = zipfile.ZipInfo


@dataclass(frozen=True, slots=True)
class ZipLimits:
    """Bytes of a zip, packed and unpacked, and how many members of what kind."""

    bytes: int
    unpacked_bytes: int
    members: int
    noun: str


TABLES = ZipLimits(MOST_ZIP_BYTES, MOST_TABLE_BYTES, MOST_TABLES, "tables")


def is_zip(file: IO[bytes]) -> bool:
    """True for a file that begins as a zip does; it is read from its start afterwards."""
    start = file.read(4)
    file.seek(0)
    return start in _START


class Zip:
    """A zip as ``members``, those whose name is wanted, within ``limits``: those of tables where none are given.

    It is read into memory, so that no disk can fail in it. Raises InputError for a zip that is damaged, encrypted or
    packed otherwise, TooMuchError for one beyond a limit.
    """

    def __init__(
        self,
        file: IO[bytes],
        where: str,
        is_wanted: Callable[[str], bool],
        expected: str,
        limits: ZipLimits | None = None,
    ) -> None:
        limits = limits or TABLES
        self._where, self._expected, self._limits = where, expected, limits
        content = file.read(limits.bytes + 1)
        if len(content) > limits.bytes:
            raise TooMuchError(where, f"a zip of more than {limits.bytes / MIB:.0f} MB", "a smaller one")
        with self._damage_told(where, "zip"):
            self._archive = zipfile.ZipFile(io.BytesIO(content))
            self.members = [one for one in self._archive.infolist() if is_wanted(one.filename)]
        self._check()

    @contextmanager
    def opened(self, member: Member) -> Iterator[IO[bytes]]:
        """A member, unpacked as it is read. Raises InputError where it is damaged."""
        with self._damage_told(f"{self._where}, {member.filename}", "file"), self._archive.open(member) as file:
            yield file

    def _check(self) -> None:
        for one in self.members:
            if one.flag_bits & 1:
                raise InputError(self._where, "an encrypted zip", "one without a password")
            if one.compress_type not in _PACKED_AS_USUAL:
                raise InputError(
                    f"{self._where}, {one.filename}", "an unusual packing", "one that every system has (deflate)"
                )
            if one.file_size > MOST_RATIO * max(one.compress_size, 1) and one.file_size > MIB:
                words = f"a file that unpacks to more than {MOST_RATIO} times its size"
                raise TooMuchError(f"{self._where}, {one.filename}", words, self._expected)
        limits = self._limits
        if len(self.members) > limits.members:
            raise TooMuchError(self._where, f"{len(self.members)} {limits.noun}", f"at most {limits.members}")
        if sum(one.file_size for one in self.members) > limits.unpacked_bytes:
            words = "a zip that unpacks to far too much"
            raise TooMuchError(self._where, words, f"at most {limits.unpacked_bytes / MIB:.0f} MB in all")

    @contextmanager
    def _damage_told(self, where: str, what: str) -> Iterator[None]:
        try:
            yield
        except _DAMAGE as error:
            raise InputError(where, f"a damaged {what} ({error})", self._expected) from None
