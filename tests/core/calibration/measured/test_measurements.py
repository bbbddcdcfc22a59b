"""The measurements that ship with the project: every row can be traced, every dropped row says why."""

from __future__ import annotations

import csv

import pytest

from core import paths
from core.calibration.measured.table import METRICS, MeasuredRow, read_table
from core.calibration.scored_rows import source_of
from core.calibration.studies.shipped_studies import SERVED, SHIPPED
from core.catalogue.loading import load_catalogue

FOLDER = paths.resources() / "measurements"
TABLES = SHIPPED


def _rows(table: str) -> tuple[MeasuredRow, ...]:
    return read_table(FOLDER / f"{table}.csv").rows


def _plain(name: str) -> list[dict[str, str]]:
    with (FOLDER / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize("table", TABLES)
def test_every_row_has_a_source_a_date_and_a_measured_value(table: str) -> None:
    metrics = METRICS[read_table(FOLDER / f"{table}.csv").work]
    bad = [
        row.text("id")
        for row in _rows(table)
        if not (row.text("source") and row.text("date") and (row.measured(metrics) or row.text("fits") == "no"))
    ]
    assert bad == []


@pytest.mark.parametrize("table", TABLES)
def test_every_chip_is_in_the_catalogue(table: str) -> None:
    known = load_catalogue().accelerator_by_id
    assert {row.text("hardware") for row in _rows(table)} - set(known) == set()


def test_ids_are_unique_and_no_dropped_row_is_kept() -> None:
    kept = [row.text("id") for table in TABLES for row in _rows(table)]
    dropped = [row["id"] for row in _plain("left_out.csv")]
    assert len(set(kept)) == len(kept)
    assert len(set(dropped)) == len(dropped)
    assert set(kept) & set(dropped) == set()


def test_no_run_counts_in_two_tables() -> None:
    """Pages of one engine were gathered for first tokens and for mixtures."""
    seen: dict[tuple[str, ...], str] = {}
    for table in SERVED:
        for row in _rows(table):
            times = (row.text("ttft_ms"), row.text("tpot_ms"))
            key = (source_of(row), row.text("hardware"), row.text("batch_or_concurrency"), *times)
            if all(times):
                assert seen.setdefault(key, table) == table, row.text("id")


def test_every_dropped_row_says_why_and_where_it_stood() -> None:
    rows = _plain("left_out.csv")
    assert [row["id"] for row in rows if len(row["reason"]) < 20 or not row["source"]] == []
    assert {row["table"] for row in rows} <= set(TABLES)


def test_sources_resolve_to_an_address_and_count_their_rows() -> None:
    listed = {row["repository"]: row for row in _plain("sources.csv")}
    used = [row.text("source").split(":")[0] for table in TABLES for row in _rows(table)]
    assert set(used) <= set(listed)
    assert {name: int(row["rows"]) for name, row in listed.items()} == {name: used.count(name) for name in listed}
    assert all(row["address"].startswith("https://") for row in listed.values())


@pytest.mark.parametrize("table", TABLES)
def test_notes_are_codes_and_not_copied_sentences(table: str) -> None:
    assert [row.text("id") for row in _rows(table) if len(row.text("notes")) > 160] == []


def test_the_tables_stay_small() -> None:
    assert sum(file.stat().st_size for file in FOLDER.glob("*.csv")) < 2_600_000
