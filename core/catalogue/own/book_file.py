"""The user's price book as one JSON file, readable by its owner alone, written whole or not at all."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from core.catalogue.own.layers import PriceBook
from core.errors import InputError, MachineError, MissingFileError
from core.paths import user_folder
from core.reading.json_text import read_json
from core.reading.shown import shown
from core.workload.validation_words import expectation, field_path
from core.writing.whole_file import PRIVATE, real, refuse_plan, write_whole

KIND, FORMAT = "roofplan price book", 1
_BOOK = "a price book of Roofplan"


def book_path() -> Path:
    """Where the user's own price book lies."""
    return user_folder() / "price-book.json"


def load_book(path: Path) -> PriceBook:
    """The book in a file; an empty one when there is no such file.

    Raises InputError when it is no price book, of a newer format or damaged (naming the entry and the field),
    MachineError when it cannot be read.
    """
    try:
        record = read_json(path, _BOOK)
    except MissingFileError:
        return PriceBook()
    return _book(_record(record, path), path)


def save_book(book: PriceBook, path: Path) -> None:
    """Writes the book, whole or not at all, for its owner's eyes only. Raises MachineError when the disk refuses."""
    record = {"kind": KIND, "format": FORMAT, **book.model_dump(mode="json", exclude_defaults=True)}
    text = json.dumps(record, indent=1, ensure_ascii=False, allow_nan=False) + "\n"
    target = real(path)
    refuse_plan(target)
    try:
        if target.exists() and not os.access(target, os.W_OK):
            raise PermissionError(13, "the file is protected against writing")
        target.parent.mkdir(parents=True, exist_ok=True)
        write_whole(target, text.encode(), PRIVATE)
    except OSError as error:
        raise MachineError(f"save {path}", error.strerror or str(error)) from error


def _record(record: Any, path: Path) -> dict[str, Any]:
    if not isinstance(record, dict) or record.get("kind") != KIND:
        raise InputError(str(path), "a file of another kind", _BOOK)
    version = record.get("format")
    if version != FORMAT:
        raise InputError(f"{path}, format", shown(version), f"{FORMAT}; a newer Roofplan may have made it")
    return {name: value for name, value in record.items() if name not in ("kind", "format")}


def _book(record: dict[str, Any], path: Path) -> PriceBook:
    try:
        return PriceBook.model_validate(record)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        words = expectation(first["type"], first.get("ctx", {}), first["msg"])
        raise InputError(f"{path}, {field_path(first['loc'])}", shown(first["input"]), words) from None
