"""Reads the YAML that we write: mappings, sequences, block scalars, comments, several documents; nothing else."""

from __future__ import annotations

import json
import re
from typing import Any

_KEY = re.compile(r'("(?:[^"\\]|\\.)*"|[A-Za-z][\w./-]*):(?: +(.*))?$')


def documents(text: str) -> list[Any]:
    """Every document of a text. Raises AssertionError at what this subset does not have."""
    return [_Reader(part).mapping(0) for part in re.split(r"^---$", text, flags=re.MULTILINE)]


class _Reader:
    """Reads the lines of one document."""

    def __init__(self, text: str) -> None:
        self.lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]

    def mapping(self, indent: int) -> dict[str, Any]:
        made: dict[str, Any] = {}
        while self.lines and self._indent() == indent and not self.lines[0].lstrip().startswith("- "):
            match = _KEY.match(self.lines.pop(0).strip())
            assert match, f"no key before {self.lines[:1]}"
            key = json.loads(match[1]) if match[1].startswith('"') else match[1]
            assert key not in made
            made[key] = self.value(match[2] or "", indent)
        return made

    def value(self, rest: str, indent: int) -> Any:
        if rest == "|":
            return self.block(indent)
        if rest:
            return _scalar(rest)
        inner = self._indent()
        assert inner > indent, "an empty value"
        return self.sequence(inner) if self.lines[0].lstrip().startswith("- ") else self.mapping(inner)

    def sequence(self, indent: int) -> list[Any]:
        made: list[Any] = []
        while self.lines and self._indent() == indent and self.lines[0].lstrip().startswith("- "):
            item = self.lines[0].lstrip()[2:]
            if _KEY.match(item):
                self.lines[0] = " " * (indent + 2) + item
                made.append(self.mapping(indent + 2))
            else:
                self.lines.pop(0)
                made.append(_scalar(item))
        return made

    def block(self, indent: int) -> str:
        told: list[str] = []
        while self.lines and self._indent() > indent:
            told.append(self.lines.pop(0).strip())
        return "\n".join(told)

    def _indent(self) -> int:
        return len(self.lines[0]) - len(self.lines[0].lstrip())


def _scalar(text: str) -> Any:
    if text.startswith('"'):
        value, end = json.JSONDecoder().raw_decode(text)
        assert re.fullmatch(r"\s*(#.*)?", text[end:])
        return value
    plain = text.split("  #")[0].strip()
    assert re.fullmatch(r"[A-Za-z0-9][\w./-]*", plain), f"{plain!r} should be quoted"
    return {"true": True, "false": False}.get(plain, int(plain) if plain.isdecimal() else plain)
