"""Writes a catalogue as the folder of CSV tables that :mod:`core.catalogue.loading` reads."""

from __future__ import annotations

import csv
import json
import shutil
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from core.catalogue.catalogue import Catalogue
from core.catalogue.conflicts import live_conflicts
from core.catalogue.entries import OWN, Entry
from core.catalogue.loading import FORMAT, TABLES, load_catalogue
from core.errors import InputError, MachineError


def write_catalogue(catalogue: Catalogue, folder: Path) -> None:
    """Writes and reads back a copy; ``folder`` appears only when it is whole.

    Raises InputError when the folder holds something already or the copy does not hold together, MachineError when
    the disk refuses.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise InputError(str(folder), "something is there already", "a new or empty folder")
    try:
        _write_aside(catalogue, folder)
    except OSError as error:
        raise MachineError(f"write the catalogue to {folder}", error.strerror or str(error)) from error


def _write_aside(catalogue: Catalogue, folder: Path) -> None:
    folder.parent.mkdir(parents=True, exist_ok=True)
    aside = Path(tempfile.mkdtemp(prefix=".catalogue-", dir=folder.parent))
    try:
        _write_tables(catalogue, aside)
        load_catalogue(aside)
        if folder.exists():
            folder.rmdir()
        aside.replace(folder)
    finally:
        shutil.rmtree(aside, ignore_errors=True)


def _write_tables(catalogue: Catalogue, folder: Path) -> None:
    catalogue = replace(catalogue, conflicts=live_conflicts(catalogue))
    for name, model in TABLES.items():
        entries = [entry for entry in getattr(catalogue, name) if getattr(entry, "provider", "") != OWN]
        _write_entries(folder / f"{name}.csv", model, entries)
    _write_rows(folder / "sources.csv", ["id", "where"], catalogue.sources.items())
    record = {"format": FORMAT, "date": catalogue.date}
    (folder / "catalogue.json").write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8")


def _write_entries(path: Path, model: type[Entry], entries: Sequence[Entry]) -> None:
    names = [name for name in model.model_fields if name != "layer"]
    _write_rows(path, names, ([_text(getattr(entry, name)) for name in names] for entry in entries))


def _write_rows(path: Path, header: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)


def _text(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return " ".join(_text(one) for one in value)
    return f"{value:.12g}" if isinstance(value, float) else str(value)
