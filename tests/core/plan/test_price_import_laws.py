"""Lines of the preview of a price file: what is counted where, in words and figures."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from core.catalogue.catalogue import Catalogue
from core.catalogue.loading import load_catalogue
from core.catalogue.own.layers import OwnEntries, layered
from core.catalogue.price_lists.price_list import PriceList, Skipped
from core.errors import InputError
from core.plan.price_import import (
    accepted,
    is_offers_table,
    is_price_file,
    preview,
    put_into,
    recognised,
    skipped_words,
    where_words,
)

SKY = "InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,Price,Region,GpuInfo,SpotPrice\n"
SKY_ROW = "gpu_8x_h100_sxm5,H100,8,208,1800,{price},us-east-1,,\n"
HUNT = "instance_name,location,price,cpu,memory,gpu_count,gpu_name,gpu_memory,spot,disk_size,gpu_vendor\n"
HUNT_ROW = "1H100.80S.32V,FIN-02,2.29,32,185.0,1,H100,80.0,False,,nvidia\n"
OWN = (
    "provider,instance,accelerator_id,chips_per_host,region,purchase_model,usd_per_chip_hour,usd_per_host_hour,"
    "quality,source,as_of,estimate,note\n"
)
OWN_ROW = "aws,p5.48xlarge,h100-sxm,8,{region},on_demand,5,40,ok,contract 7,2026-11-30,no,\n"
NOTHING = "cpu_{n}x,,,4,16,0.5,us-east-1,,\n"


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return load_catalogue()


def _file(folder: Path, text: str, name: str = "lambda.csv") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def _zip(folder: Path, **tables: str) -> Path:
    path = folder / "lists.zip"
    with zipfile.ZipFile(path, "w") as packed:
        for name, text in tables.items():
            packed.writestr(f"{name}.csv", text)
    return path


def test_kinds_of_lists_are_told_by_their_headers(tmp_path: Path) -> None:
    assert recognised(_file(tmp_path, SKY + SKY_ROW.format(price=30))).kind == "SkyPilot"
    assert recognised(_file(tmp_path, HUNT + HUNT_ROW, "verda.csv")).kind == "gpuhunt"
    mixed = recognised(_zip(tmp_path, verda=HUNT + HUNT_ROW, **{"lambda": SKY + 2 * SKY_ROW.format(price=30)}))
    assert (mixed.kind, mixed.n_rows, mixed.has_own_dates) == ("SkyPilot and gpuhunt", 3, False)


def test_rows_of_the_program_s_own_table_are_counted_without_its_header(tmp_path: Path) -> None:
    rows = OWN_ROW.format(region="us-east-1") + OWN_ROW.format(region="us-west-2")
    table = recognised(_file(tmp_path, OWN + rows, "mine.csv"))
    assert (table.n_rows, table.has_own_dates, table.file_day) == (2, True, "")
    assert is_offers_table(table.path) and is_price_file(table.path)
    assert not is_offers_table(_file(tmp_path, SKY + SKY_ROW.format(price=30)))


def test_only_zip_and_csv_are_price_files_whatever_their_case(tmp_path: Path) -> None:
    text = SKY + SKY_ROW.format(price=30)
    assert is_price_file(_file(tmp_path, text, "a.CSV"))
    assert not is_price_file(_file(tmp_path, text, "a.txt"))
    assert not is_price_file(_file(tmp_path, "a,b\n1,2\n", "b.csv"))
    with pytest.raises(InputError):
        recognised(_file(tmp_path, "a,b\n1,2\n", "c.csv"))


def _own(tmp_path: Path, catalogue: Catalogue, price: float) -> tuple[OwnEntries, Catalogue]:
    seen = preview(recognised(_file(tmp_path, SKY + SKY_ROW.format(price=price))), catalogue, as_of="2026-11-01")
    own = put_into(OwnEntries(), seen, catalogue, "plan")
    return own, layered(catalogue, own)


@pytest.mark.parametrize(
    ("before", "after", "change"), [(30.0, 33.0, "+10 %"), (30.0, 15.0, "\u221250 %"), (20.0, 50.0, "+150 %")]
)
def test_a_change_is_told_in_per_cent_of_the_price_now(
    tmp_path: Path, catalogue: Catalogue, before: float, after: float, change: str
) -> None:
    _, over = _own(tmp_path, catalogue, before)
    seen = preview(recognised(_file(tmp_path, SKY + SKY_ROW.format(price=after))), over, as_of="2026-11-02")
    [row] = seen.of("changed")
    assert row.change == change
    assert row.what.endswith("gpu_8x_h100_sxm5") and row.what.startswith("8 ")
    assert "us-east-1" in row.where


def test_new_and_same_lines_tell_no_change(tmp_path: Path, catalogue: Catalogue) -> None:
    text = SKY + SKY_ROW.format(price=30.0)
    [new] = preview(recognised(_file(tmp_path, text)), catalogue, as_of="2026-11-01").of("new")
    assert (new.now, new.new, new.change, new.reason) == ("", "$3.75", "", "")
    _, over = _own(tmp_path, catalogue, 30.0)
    [same] = preview(recognised(_file(tmp_path, text)), over, as_of="2026-11-02").of("same")
    assert (same.now, same.new, same.change) == ("$3.75", "$3.75", "")


def test_a_price_far_off_is_to_be_looked_at_and_counted_where_it_belongs_too(
    tmp_path: Path, catalogue: Catalogue
) -> None:
    """8 H100 at 3 USD an hour: 0.375 a chip."""
    seen = preview(recognised(_file(tmp_path, SKY + SKY_ROW.format(price=3.0))), catalogue, as_of="2026-11-01")
    [flagged] = seen.of("flagged")
    assert flagged.reason and flagged in seen.of("new")
    assert (seen.count("flagged"), seen.count("new")) == (1, 1)


def test_several_doubts_of_one_price_stand_in_one_line(tmp_path: Path, catalogue: Catalogue) -> None:
    seen = preview(recognised(_file(tmp_path, SKY + SKY_ROW.format(price=3.0))), catalogue, as_of="2026-11-01")
    reasons = [flag.reason for flag in seen.changes.flagged]
    assert reasons
    assert seen.of("flagged")[0].reason == "; ".join(reasons)


def test_what_goes_is_never_among_what_to_look_at(tmp_path: Path, catalogue: Catalogue) -> None:
    _, over = _own(tmp_path, catalogue, 30.0)
    other = SKY + "gpu_1x_gh200,GH200,1,64,432,2.2,us-east-1,,\n"
    seen = preview(recognised(_file(tmp_path, other)), over, as_of="2026-11-02", shows_removed=True)
    removed = seen.of("removed")
    assert removed and all(row.reason and row.now and not row.new for row in removed)
    assert not set(removed) & set(seen.of("flagged"))


def test_own_prices_left_out_of_what_goes_stay(tmp_path: Path, catalogue: Catalogue) -> None:
    own, over = _own(tmp_path, catalogue, 30.0)
    other = SKY + "gpu_1x_gh200,GH200,1,64,432,2.2,us-east-1,,\n"
    seen = preview(recognised(_file(tmp_path, other)), over, as_of="2026-11-02", shows_removed=True)
    kept = put_into(own, seen, over, "plan", {own.offers[0].id, accepted(seen).offers[0].id})
    assert [offer.instance for offer in kept.offers] == ["gpu_8x_h100_sxm5"]


def test_skipped_lines_name_their_table_only_where_there_are_several(tmp_path: Path, catalogue: Catalogue) -> None:
    text = SKY + SKY_ROW.format(price=30.0) + NOTHING.format(n=1)
    [alone] = preview(recognised(_file(tmp_path, text)), catalogue, as_of="2026-11-01").of("skipped")
    assert (alone.where, alone.offer_id) == ("Row 3", "")
    both = recognised(_zip(tmp_path, fluidstack=text, **{"lambda": text}))
    lines = preview(both, catalogue, as_of="2026-11-01").of("skipped")
    assert {line.where for line in lines} >= {"Row 3 of fluidstack.csv", "Row 3 of lambda.csv"}


@pytest.mark.parametrize(
    ("number", "words"), [(2, "2, 3"), (12, "12, 13"), (13, "13 and 1 more"), (15, "13 and 3 more")]
)
def test_the_first_twelve_numbers_of_skipped_rows_are_shown(number: int, words: str) -> None:
    rows = tuple(Skipped(row, "x", "why") for row in range(2, 2 + number))
    [(reason, count, numbers)] = skipped_words(PriceList((), skipped=rows))
    assert (reason, count) == ("why", number)
    assert numbers.endswith(words)


def test_a_row_skipped_twice_is_told_once_in_its_order() -> None:
    rows = (Skipped(7, "x", "a"), Skipped(3, "x", "a"), Skipped(7, "y", "a"), Skipped(2, "x", "b"))
    assert skipped_words(PriceList((), skipped=rows)) == [("a", 3, "3, 7"), ("b", 1, "2")]


def test_a_place_is_told_unless_it_is_anywhere(catalogue: Catalogue) -> None:
    offer = next(one for one in catalogue.offers if one.id == "aws_p5.48xlarge_us-east-1_on_demand")
    assert where_words(offer) == "AWS, us-east-1, on demand"
    assert where_words(offer.model_copy(update={"region": "any"})) == "AWS, on demand"
