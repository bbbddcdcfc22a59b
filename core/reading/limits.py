"""How much of a file from outside is read: the limits of every reader, far above any honest file."""

from __future__ import annotations

MIB = 2**20

MOST_JSON_BYTES = 16 * MIB
"""Of a profile, a config.json, a price book or calibrations; a book of 20,000 prices has 10 MB."""

MOST_JSON_VALUES = 1_000_000
MOST_JSON_DEPTH = 40
"""Lists and objects within one another; our own files need 6."""

MOST_DIGITS = 300
"""Of one number; no float has more before its point."""

MOST_TABLE_BYTES = 64 * MIB
"""Of all tables of a file together, unpacked; the largest list known has 5 MB."""

MOST_ZIP_BYTES = 16 * MIB
MOST_TABLES = 200
MOST_LOG_ZIP_BYTES = 64 * MIB
MOST_ZIP_LOGS = 1000
"""Logs in one zip; together they unpack to no more than a single log may hold."""

MOST_RATIO = 200
"""Text of numbers packs some 10 to 50 times; what packs better than this is no list of prices."""

MOST_GZIP_MEMBERS = 100_000
"""Gzips one after the other in one file; tools that pack in blocks make one of 64 kB each."""

MOST_ROWS = 200_000
"""Of all tables of a file together; the largest list known has 70,000."""

MOST_CELLS = 4_000_000
MOST_NAME_CHARS = 200
"""Of a machine, a chip or a place in a list of prices."""

MOST_ROW_CHARS = 300_000
MOST_CELL_CHARS = 131_072
"""What Python's csv module takes."""

MOST_LOG_BYTES = 8192 * MIB
MOST_LOG_LINES = 20_000_000
MOST_LINE_CHARS = 65_536

MOST_SECONDS = 120.0
"""Of reading one file, whatever it holds."""
