"""The shipped catalogue is whole; a broken one is named by file, row and field."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from core.catalogue.loading import TABLES, load_catalogue, read_sources
from core.errors import InputError

Put = Callable[[str, int, str, str], None]


def test_shipped_catalogue_holds_every_table() -> None:
    catalogue = load_catalogue()
    counts = {name: len(getattr(catalogue, name)) for name in TABLES}
    assert counts["accelerators"] == 66
    assert counts["slices"] == 236
    assert counts["regions"] == 116
    assert counts["hosts"] >= 127
    assert counts["offers"] >= 600
    assert counts["frameworks"] >= 79
    assert counts["cost_inputs"] >= 120
    assert counts["formats"] == 469


def test_shipped_catalogue_is_read_once() -> None:
    assert load_catalogue() is load_catalogue()


def test_announced_chips_are_marked_and_have_no_price() -> None:
    catalogue = load_catalogue()
    announced = {chip.id for chip in catalogue.accelerators if chip.announced}
    assert announced == {"tpu8i", "tpu8t", "rubin", "mi455x"}
    assert not announced & {offer.accelerator_id for offer in catalogue.offers}


def test_aws_p5_price_of_2026() -> None:
    [offer] = [o for o in load_catalogue().offers if o.id == "aws_p5.48xlarge_us-east-1_on_demand"]
    assert offer.usd_per_host_hour == 55.04
    assert offer.usd_per_chip_hour == 6.88
    assert not offer.estimate


def test_tpu7x_price_is_an_estimate() -> None:
    offers = [o for o in load_catalogue().offers if o.accelerator_id == "tpu7x"]
    prices = {o.purchase_model: o.usd_per_chip_hour for o in offers}
    assert prices == {"on_demand": 12.0, "commit_1y": 8.4, "commit_3y": 5.4}
    assert all(o.estimate for o in offers)


def test_three_axes_wrap_from_a_whole_cube() -> None:
    shapes = load_catalogue().slices_by_accelerator["tpu-v5p"]
    assert all(all(s.wraps) == (min(s.dims) >= 4) for s in shapes)
    assert all(s.estimate == (s.n_chips > 6144) for s in shapes)


def test_every_chip_without_unknown_power_is_within_reason() -> None:
    for chip in load_catalogue().accelerators:
        assert chip.tdp_w is None or 50 <= chip.tdp_w <= 2500, chip.id


def test_vendors_quote_both_ways_of_the_links() -> None:
    chips = [chip for chip in load_catalogue().accelerators if chip.vendor_link_gbps_both_ways]
    assert len(chips) >= 25
    assert all(chip.vendor_link_gbps_both_ways == 2 * chip.scaleup_gbps_one_way for chip in chips)


def test_listed_chips_name_their_memory() -> None:
    assert all(chip.memory_type for chip in load_catalogue().accelerators if chip.origin == "listed")


def test_estimate_is_never_backed_by_no_source() -> None:
    catalogue = load_catalogue()
    for name in TABLES:
        for entry in getattr(catalogue, name):
            assert entry.estimate or entry.source != "GUESS", entry


@pytest.mark.parametrize(
    ("table", "row", "column", "text", "expected"),
    [
        ("accelerators", 3, "memory_gb", "much", "a number"),
        ("accelerators", 4, "kind", "cpu", "one of 'gpu', 'tpu' or 'other'"),
        ("accelerators", 2, "torus_dims", "4", "one of 0, 2 or 3"),
        ("hosts", 5, "n_chips", "1.5", "a whole number"),
        ("slices", 9, "n_chips", "", "a whole number"),
        ("slices", 9, "wraps", "no maybe no", "yes or no"),
        ("offers", 17, "usd_per_chip_hour", "abc", "a number"),
        ("offers", 18, "purchase_model", "lease", "one of 'on_demand'"),
        ("regions", 2, "latitude_deg", "north", "a number"),
        ("frameworks", 6, "support", "good", "one of 'native'"),
        ("cost_inputs", 8, "typical", "nan", "a finite number"),
    ],
)
def test_bad_cell_is_named(folder: Path, put: Put, table: str, row: int, column: str, text: str, expected: str) -> None:
    put(table, row, column, text)
    with pytest.raises(InputError) as caught:
        load_catalogue(folder)
    assert caught.value.where == f"{table}.csv, row {row}, field {column}"
    assert (text.split() or [""])[-1 if column != "wraps" else 1] in caught.value.found
    assert expected in caught.value.expected


@pytest.mark.parametrize("name", [*TABLES, "sources"])
def test_missing_table_is_named(folder: Path, name: str) -> None:
    (folder / f"{name}.csv").unlink()
    with pytest.raises(InputError, match=re.escape(f"{name}.csv: found no such file")):
        load_catalogue(folder)


@pytest.mark.parametrize("name", TABLES)
def test_missing_and_unknown_columns_are_named(folder: Path, name: str) -> None:
    path = folder / f"{name}.csv"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("as_of", "seen", 1), encoding="utf-8")
    with pytest.raises(InputError, match="column 'seen'"):
        load_catalogue(folder)
    lines = text.splitlines()
    path.write_text("\n".join(line.split(",", 1)[1] for line in lines[:1]), encoding="utf-8")
    with pytest.raises(InputError, match=f"no column '{lines[0].split(',')[0]}'"):
        load_catalogue(folder)


def test_short_row_is_named(folder: Path) -> None:
    path = folder / "regions.csv"
    path.write_text(path.read_text(encoding="utf-8") + "gcp,nowhere\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"regions.csv, row 118: found 2 cells, expected 14"):
        load_catalogue(folder)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (None, "no such file"),
        ("{", "no JSON"),
        ('{"format": 2, "date": "2026-11-21"}', "something else"),
        ("[]", "something else"),
    ],
)
def test_catalogue_without_its_date_is_refused(folder: Path, text: str | None, words: str) -> None:
    (folder / "catalogue.json").unlink()
    if text is not None:
        (folder / "catalogue.json").write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=words):
        load_catalogue(folder)


def test_table_of_another_encoding_is_refused(folder: Path) -> None:
    (folder / "regions.csv").write_bytes("place\nMontréal".encode("latin-1"))
    with pytest.raises(InputError, match="UTF-8"):
        load_catalogue(folder)


def test_empty_table_file_is_refused(folder: Path) -> None:
    (folder / "offers.csv").write_text("", encoding="utf-8")
    with pytest.raises(InputError, match="an empty file"):
        load_catalogue(folder)


def test_repeated_source_is_refused(folder: Path) -> None:
    path = folder / "sources.csv"
    path.write_text(path.read_text(encoding="utf-8") + "GUESS,again\n", encoding="utf-8")
    with pytest.raises(InputError, match="an id used once"):
        load_catalogue(folder)


def test_entries_of_the_same_columns_share_the_names_of_what_was_given() -> None:
    offers = load_catalogue().offers
    assert len({id(one.model_fields_set) for one in offers}) < 20 < len(offers) // 20
    first = offers[0]
    changed = first.model_copy(update={"layer": "plan"})
    assert changed.model_fields_set == first.model_fields_set | {"layer"}
    assert "layer" not in first.model_fields_set


@pytest.mark.parametrize(
    ("lines", "is_good"),
    [
        ("id,where\na,https://a\nb,https://b\n", True), ("id,where\na,https://a\na,https://b\n", False),
        ("id,where\na,\n", False), ("id,where\n,https://a\n", False), ("id,where\na,https://a,more\n", False),
        ("id,where\na\n", False), ("id,what\na,https://a\n", False),
    ],
)  # fmt: skip
def test_a_source_has_an_id_of_its_own_and_a_place(tmp_path: Path, lines: str, is_good: bool) -> None:
    path = tmp_path / "sources.csv"
    path.write_text(lines, encoding="utf-8")
    if is_good:
        assert read_sources(path) == {"a": "https://a", "b": "https://b"}
    else:
        with pytest.raises(InputError):
            read_sources(path)
