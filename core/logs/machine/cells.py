"""Many rows of comma-separated cells at once: a block of bytes whose rows are all alike, read by NumPy.

Eight bytes are looked at as one number: the digits of a cell are added up in three multiplications (the well known
"SIMD within a register" way of reading decimal numbers), for all rows of the block together.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, date, datetime

import numpy as np
from numpy.typing import NDArray

from core.logs.record import Series

Words = NDArray[np.uint64]
Places = NDArray[np.int64]

_PAD = b" " * 64
_COMMA, _LINE_END, _BLANK = 44, 10, 32
_U = np.uint64
_ZEROS, _NIBBLES, _SIXES = _U(0x3030303030303030), _U(0xF0F0F0F0F0F0F0F0), _U(0x0606060606060606)
_ALL_THREES = _U(0x3333333333333333)
# By the number of digits, 0 to 8: which of eight bytes that end with the last digit are kept, and zeros for the others.
_KEPT = np.array([(0xFFFFFFFFFFFFFFFF << 8 * (8 - n)) & 0xFFFFFFFFFFFFFFFF for n in range(9)], np.uint64)
_FILL = ~_KEPT & _ZEROS
_FIRST = np.array([(1 << 8 * n) - 1 for n in range(9)], np.uint64)
_MIX = _U(0x9E3779B97F4A7C15)
_MOST_KEY_BYTES = 64
_N_EXAMPLES = 64
_NUMBER = re.compile(rb"(\d{1,8})(?:\.(\d{1,4}))?( ?[A-Za-z%]{0,7})")
_STAMP_BYTES = 23
_STAMP_SIGNS = ((4, b"/"), (7, b"/"), (10, b" "), (13, b":"), (16, b":"), (19, b"."))
_DIGIT_PLACES = (11, 12, 14, 15, 17, 18, 20, 21, 22)
_MS_EACH = (36_000_000, 3_600_000, 600_000, 60_000, 10_000, 1000, 100, 10, 1)


class CellBlock:
    """Rows of equally many cells. Bytes of a cell: from :meth:`starts` to :attr:`ends`, blanks before it left out."""

    def __init__(self, block: bytes, ends: Places) -> None:
        padded = _PAD + block + _PAD
        self.bytes = np.frombuffer(padded, np.uint8)
        self.block = padded
        self.ends = ends + len(_PAD)
        self._words = np.ndarray((len(padded) - 7,), "<u8", padded, strides=(1,))

    @property
    def n_rows(self) -> int:
        """Rows of the block."""
        return len(self.ends)

    def starts(self, column: int) -> Places:
        """Where the cells of a column begin."""
        if column:
            begin: Places = self.ends[:, column - 1] + 1
        else:
            begin = np.concatenate(([len(_PAD)], self.ends[:-1, -1] + 1))
        starts: Places = begin + (self.bytes[begin] == _BLANK)
        return starts

    def cell(self, row: int, column: int) -> bytes:
        """One cell."""
        start = int(self.ends[row, column - 1] + 1) if column else int(self.ends[row - 1, -1] + 1) if row else len(_PAD)
        return self.block[start : int(self.ends[row, column])].strip()

    def words(self, places: Places) -> Words:
        """Eight bytes from each place on; the first is the lowest."""
        return self._words[places]


def cell_block(block: bytes, n_columns: int) -> CellBlock | None:
    """The cells of whole rows that end in a line feed; None where a row has more cells or fewer than ``n_columns``."""
    data = np.frombuffer(block, np.uint8)
    places = np.flatnonzero((data == _COMMA) | (data == _LINE_END))
    if not len(places) or len(places) % n_columns:
        return None
    ends = places.reshape(-1, n_columns)
    if np.any(data[ends[:, -1]] != _LINE_END) or np.count_nonzero(data[places] == _LINE_END) != len(ends):
        return None
    return CellBlock(block, ends)


def numbers(
    block: CellBlock, column: int, parse: Callable[[bytes], float], factor_of: Callable[[str], float]
) -> Series:
    """A column's readings, those like its first number together: the digits times ``factor_of`` the unit behind them.

    Other cells are parsed by ``parse``, each different one once.
    """
    n_looked_at = min(block.n_rows, _N_EXAMPLES)
    examples = (_NUMBER.fullmatch(block.cell(row, column)) for row in range(n_looked_at))
    example = next(filter(None, examples), None)
    if example is None:
        return _each(block, column, np.arange(block.n_rows), np.empty(block.n_rows), parse)
    n_decimals, unit = len(example[2] or b""), example[3]
    number_ends = block.ends[:, column] - len(unit)
    n_bytes = number_ends - block.starts(column)
    values, is_read = _decimals(block.words(number_ends - 8), n_bytes, n_decimals)
    if unit:
        is_read &= (block.words(number_ends) & _FIRST[len(unit)]) == _word(unit)
    values = values / 10**n_decimals * factor_of(unit.decode().strip())
    return values if is_read.all() else _each(block, column, np.flatnonzero(~is_read), values, parse)


def stamps(block: CellBlock, column: int, parse: Callable[[bytes], float]) -> Series:
    """Seconds since 1970: of stamps like ``2025/03/07 23:40:00.123`` together, of all others by ``parse``."""
    seconds = _plain_stamps(block, block.starts(column), column)
    if seconds is not None:
        return seconds
    return _each(block, column, np.arange(block.n_rows), np.empty(block.n_rows), parse)


def _plain_stamps(block: CellBlock, starts: Places, column: int) -> Series | None:
    """None where a row has another stamp."""
    if np.any(block.ends[:, column] - starts != _STAMP_BYTES):
        return None
    if any(np.any(block.bytes[starts + place] != sign[0]) for place, sign in _STAMP_SIGNS):
        return None
    since_midnight_ms = np.zeros(block.n_rows, np.int64)
    for place, ms_each in zip(_DIGIT_PLACES, _MS_EACH, strict=True):
        digit = block.bytes[starts + place] - np.uint8(48)
        if np.any(digit > 9):
            return None
        since_midnight_ms += digit.astype(np.int64) * ms_each
    days_s = _days(block, starts)
    return None if days_s is None else days_s + since_midnight_ms / 1000


def keys(block: CellBlock, columns: tuple[int, ...], rows: Places | None = None) -> Words:
    """A number for each row that is equal where the columns' cells are, looking at no more than 64 bytes of each."""
    every = np.arange(block.n_rows) if rows is None else rows
    mixed = np.zeros(len(every), np.uint64)
    for column in columns:
        starts = block.starts(column)[every]
        n_bytes = np.clip(block.ends[every, column] - starts, 0, _MOST_KEY_BYTES)
        for done in range(0, int(n_bytes.max(initial=0)), 8):
            word = block.words(starts + done) & _FIRST[np.clip(n_bytes - done, 0, 8)]
            mixed = (mixed ^ word) * _MIX
            mixed ^= mixed >> _U(29)
        mixed = (mixed ^ n_bytes.astype(np.uint64)) * _MIX
    return mixed


def _decimals(words: Words, n_bytes: Places, n_decimals: int) -> tuple[Series, NDArray[np.bool_]]:
    """Numbers whose last byte is the highest of a word, without their point; which of them are numbers."""
    inside = np.clip(n_bytes, 0, 8)
    words = (words & _KEPT[inside]) | _FILL[inside]
    is_read = (n_bytes == inside) & (n_bytes > 0)
    if n_decimals:
        place = 7 - n_decimals
        is_read &= (words >> _U(8 * place)) & _U(0xFF) == _U(ord("."))
        is_read &= n_bytes > n_decimals + 1
        words = (words & _KEPT[n_decimals]) | ((words & _FIRST[place]) << _U(8)) | _U(0x30)
    is_read &= ((words & _NIBBLES) | (((words + _SIXES) & _NIBBLES) >> _U(4))) == _ALL_THREES
    words = ((words & _U(0x0F0F0F0F0F0F0F0F)) * _U(2561)) >> _U(8)
    words = ((words & _U(0x00FF00FF00FF00FF)) * _U(6553601)) >> _U(16)
    words = ((words & _U(0x0000FFFF0000FFFF)) * _U(42949672960001)) >> _U(32)
    return words.astype(np.float64), is_read


def _each(block: CellBlock, column: int, rows: Places, values: Series, parse: Callable[[bytes], float]) -> Series:
    """Puts what ``parse`` makes of the cells of these rows into the values."""
    _, firsts, places = np.unique(keys(block, (column,), rows), return_index=True, return_inverse=True)
    values[rows] = np.array([parse(block.cell(int(rows[first]), column)) for first in firsts])[places]
    return values


def _days(block: CellBlock, starts: Places) -> Series | None:
    """Seconds since 1970 at the beginning of each row's day."""
    years, days = block.words(starts), block.words(starts + 2)
    changes = np.flatnonzero((years[1:] != years[:-1]) | (days[1:] != days[:-1])) + 1
    begins = [0, *changes.tolist()]
    seconds = np.empty(block.n_rows)
    for begin, end in zip(begins, [*begins[1:], block.n_rows], strict=True):
        text = block.block[starts[begin] : starts[begin] + 10].decode("latin-1")
        try:
            day = date.fromisoformat(text.replace("/", "-"))
        except ValueError:
            return None
        seconds[begin:end] = datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp()
    return seconds


def _word(text: bytes) -> np.uint64:
    return _U(int.from_bytes(text, "little"))
