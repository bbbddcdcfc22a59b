"""Text of the files: YAML and shell in which every name is quoted, and what the user must fill in stands out."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.report.spreadsheet import clean

_PLAIN = re.compile(r"[a-z][a-z0-9_./-]*", re.IGNORECASE)
_WORDS_OF_YAML = frozenset(("y", "n", "yes", "no", "on", "off", "true", "false", "null", "none"))
_LONGEST = 40
_LONGEST_COMMENT = 200


@dataclass(frozen=True, slots=True)
class Fill:
    """What the user must fill in: ``what`` in words; ``name`` as a variable of a shell script."""

    what: str
    name: str = ""

    @property
    def note(self) -> str:
        """``# FILL IN: image``."""
        return f"# FILL IN: {self.what}"


Scalar = str | int | bool | Fill
Yaml = Scalar | Sequence["Yaml"] | Mapping[str, "Yaml"]


@dataclass(frozen=True, slots=True)
class Script(Sequence[str]):
    """Lines that YAML keeps as they are."""

    lines: tuple[str, ...]

    def __getitem__(self, index: int) -> str:  # type: ignore[override]
        return self.lines[index]

    def __len__(self) -> int:
        return len(self.lines)


def slug(text: str, fallback: str = "roofplan") -> str:
    """A name that all tools take: small letters, digits and hyphens, at most 40, a letter first."""
    told = re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")
    told = told if told[:1].isalpha() else f"{fallback}-{told}".rstrip("-")
    return told[:_LONGEST].rstrip("-")


def comment(text: str) -> str:
    """One line of a comment, whatever the text holds."""
    told = clean(text)
    return f"# {told[:_LONGEST_COMMENT]}{'…' if len(told) > _LONGEST_COMMENT else ''}".rstrip()


def yaml_lines(value: Mapping[str, Yaml], indent: int = 0) -> list[str]:
    """A mapping as lines of YAML, in its order."""
    return [line for key, one in value.items() for line in _entry(f"{' ' * indent}{_text(key)}:", one, indent)]


def _entry(head: str, value: Yaml, indent: int) -> list[str]:
    if isinstance(value, Script):
        return [f"{head} |", *(f"{' ' * (indent + 2)}{line}".rstrip() for line in value)]
    if isinstance(value, Mapping):
        return [head, *yaml_lines(value, indent + 2)]
    if isinstance(value, str | int | Fill):
        return [f"{head} {_scalar(value)}"]
    return [head, *(line for one in value for line in _item(one, indent + 2))]


def _item(value: Yaml, indent: int) -> list[str]:
    if isinstance(value, Mapping):
        first, *rest = yaml_lines(value, indent + 2)
        return [f"{' ' * indent}- {first.lstrip()}", *rest]
    return [f"{' ' * indent}- {_scalar(value)}"] if isinstance(value, str | int | Fill) else []


def _scalar(value: Scalar) -> str:
    if isinstance(value, Fill):
        return f'"FILL-IN"  {value.note}'
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if isinstance(value, int) else _text(value)


def _text(text: str) -> str:
    """Plain where nothing could be read otherwise, else in double quotes."""
    is_plain = _PLAIN.fullmatch(text) and text.lower() not in _WORDS_OF_YAML
    return text if is_plain else json.dumps(clean(text), ensure_ascii=False)


EACH = Fill("", "number")
"""The number of a machine or slice, from 0, within a command that is run several times."""
Word = str | tuple[str, Fill] | tuple[str, Fill, str]
"""A word of a command: text, or a variable between texts."""


def script(
    head: Sequence[str], fills: Sequence[Fill], command: Sequence[Word], times: int = 1, first: Sequence[Word] = ()
) -> str:
    """A shell script: comments, variables to fill in, a command a word a line, run so many times, after one that is run
    ``first``. It stops where a variable is left empty."""
    lines = ["#!/usr/bin/env bash", *head, "set -euo pipefail", ""]
    lines += [f'{one.name}=""  {one.note}' for one in fills]
    text = _command(command)
    if times > 1:
        text = f"for number in $(seq 0 {times - 1}); do\n  {text}\ndone"
    return "\n".join([*lines, "", *([_command(first)] if first else []), text]) + "\n"


def _command(words: Sequence[Word]) -> str:
    n_first = next((place for place, word in enumerate(words) if _is_option(word)), len(words))
    return " \\\n    ".join([" ".join(map(_word, words[:n_first])), *map(_word, words[n_first:])])


def _is_option(word: Word) -> bool:
    return (word if isinstance(word, str) else word[0]).startswith("--")


def _word(word: Word) -> str:
    if isinstance(word, str):
        return shlex.quote(clean(word))
    before, fill, *after = word
    variable = '"${number}"' if fill is EACH else f'"${{{fill.name}:?is to be filled in}}"'
    return f"{_quoted(before)}{variable}{''.join(map(_quoted, after))}"


def _quoted(text: str) -> str:
    return shlex.quote(text) if text else ""
