"""Two kinds of expected failure; any other exception is a bug and is reported as one."""

from __future__ import annotations

MOST_QUOTED_CHARS = 300
"""Of what was found: files may hold anything, and people read a line."""


class RoofplanError(Exception):
    """Base of every failure that is told to the user in words rather than as a trace."""


class InputError(RoofplanError):
    """The user's input is wrong: says where, what was found and what is expected.

    Example: ``InputError("prices.csv, row 7, field usd_per_hour", "'abc'", "a number above 0")``.
    """

    def __init__(self, where: str, found: str, expected: str) -> None:
        found = found if len(found) <= MOST_QUOTED_CHARS else f"{found[:MOST_QUOTED_CHARS]}..."
        super().__init__(where, found, expected)
        self.where = where
        self.found = found
        self.expected = expected

    def __str__(self) -> str:
        return f"{self.where}: found {self.found}, expected {self.expected}"


class MissingFileError(InputError):
    """There is no such file."""

    def __init__(self, where: str, expected: str) -> None:
        super().__init__(where, "no such file", expected)


class MachineError(RoofplanError):
    """The machine failed us (disk full, no permission, file locked): says what was tried and why it failed."""

    def __init__(self, action: str, reason: str) -> None:
        super().__init__(action, reason)
        self.action = action
        self.reason = reason

    def __str__(self) -> str:
        return f"{self.action}: {self.reason}"
