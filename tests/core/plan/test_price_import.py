"""What a price list would change, before anything is taken over."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.catalogue.catalogue import Catalogue
from core.catalogue.loading import load_catalogue
from core.catalogue.own.layers import OwnEntries, layered
from core.errors import InputError
from core.plan.price_import import (
    OFFERS_TABLE,
    UNDATED,
    accepted,
    is_price_file,
    preview,
    put_into,
    recognised,
    skipped_words,
)

HEADER = "InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,Price,Region,GpuInfo,SpotPrice\n"
H100 = "gpu_8x_h100_sxm5,H100,8,208,1800,{price},us-east-1,,\n"
NOTHING = "cpu_4x,,,4,16,0.5,us-east-1,,\n"


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return load_catalogue()


def listed(folder: Path, price: float, n_nothing: int = 1) -> Path:
    path = folder / "lambda.csv"
    path.write_text(HEADER + H100.format(price=price) + NOTHING * n_nothing, encoding="utf-8")
    return path


def test_a_list_is_recognised_with_its_rows_and_day(tmp_path: Path) -> None:
    found = recognised(listed(tmp_path, 30.0))
    assert (found.kind, found.n_rows, found.sources[0].provider) == ("SkyPilot", 2, "lambda")
    assert len(found.file_day) == 10
    assert is_price_file(found.path)


def test_what_is_no_list_is_refused_with_its_columns(tmp_path: Path) -> None:
    path = tmp_path / "else.csv"
    path.write_text("a,b\n1,2\n", encoding="utf-8")
    assert not is_price_file(path)
    with pytest.raises(InputError, match="columns a, b"):
        recognised(path)


def test_new_then_changed_then_same(tmp_path: Path, catalogue: Catalogue) -> None:
    first = preview(recognised(listed(tmp_path, 30.0)), catalogue, as_of="2026-11-01")
    assert (first.count("new"), first.count("changed"), first.count("skipped")) == (1, 0, 1)
    own = put_into(OwnEntries(), first, catalogue, "plan")
    over = layered(catalogue, own)
    second = preview(recognised(listed(tmp_path, 27.0)), over, as_of="2026-11-02")
    [row] = second.of("changed")
    assert (row.now, row.new, row.change) == ("$3.75", "$3.38", "\u221210 %")
    third = preview(recognised(listed(tmp_path, 30.0)), over, as_of="2026-11-02")
    assert (third.count("changed"), third.count("same")) == (0, 1)


def test_a_price_left_out_is_not_taken(tmp_path: Path, catalogue: Catalogue) -> None:
    seen = preview(recognised(listed(tmp_path, 30.0)), catalogue)
    assert accepted(seen, {seen.of("new")[0].offer_id}) == OwnEntries()


def test_an_unknown_day_makes_prices_undated(tmp_path: Path, catalogue: Catalogue) -> None:
    seen = preview(recognised(listed(tmp_path, 30.0)), catalogue)
    assert {offer.as_of for offer in accepted(seen).offers} == {UNDATED}


def test_own_prices_that_are_no_longer_listed_go_only_when_asked(tmp_path: Path, catalogue: Catalogue) -> None:
    own = put_into(
        OwnEntries(), preview(recognised(listed(tmp_path, 30.0)), catalogue, as_of="2026-11-01"), catalogue, "plan"
    )
    over = layered(catalogue, own)
    other = tmp_path / "other" / "lambda.csv"
    other.parent.mkdir()
    other.write_text(HEADER + "gpu_1x_gh200,GH200,1,64,432,2.2,us-east-1,,\n", encoding="utf-8")
    kept = put_into(own, preview(recognised(other), over, as_of="2026-11-02"), over, "plan")
    assert {offer.instance for offer in kept.offers} == {"gpu_8x_h100_sxm5", "gpu_1x_gh200"}
    asked = preview(recognised(other), over, as_of="2026-11-02", shows_removed=True)
    assert {offer.instance for offer in put_into(own, asked, over, "plan").offers} == {"gpu_1x_gh200"}
    assert {row.reason for row in asked.of("removed")} == {"Taken out", "Shipped with the program; it stays"}


def test_skipped_rows_are_grouped_with_their_numbers(tmp_path: Path, catalogue: Catalogue) -> None:
    path = tmp_path / "lambda.csv"
    rows = "".join(f"cpu_{n}x,,,4,16,0.5,us-east-1,,\n" for n in range(20))
    path.write_text(HEADER + H100.format(price=30.0) + rows, encoding="utf-8")
    [(reason, number, numbers)] = skipped_words(preview(recognised(path), catalogue).price_list)
    assert (reason, number) == ("no accelerator", 20)
    assert numbers.startswith("3, 4, 5")
    assert numbers.endswith("and 8 more")


def test_the_programs_own_table_names_everything_itself(tmp_path: Path, catalogue: Catalogue) -> None:
    path = tmp_path / "mine.csv"
    path.write_text(
        "provider,instance,accelerator_id,chips_per_host,region,purchase_model,usd_per_chip_hour,usd_per_host_hour,"
        "quality,source,as_of,estimate,note\n"
        "aws,p5.48xlarge,h100-sxm,8,us-east-1,on_demand,5,40,ok,contract 7,2026-11-30,no,\n",
        encoding="utf-8",
    )
    found = recognised(path)
    assert (found.kind, found.has_own_dates) == (OFFERS_TABLE, True)
    seen = preview(found, catalogue)
    assert seen.count("changed") == 1
    assert accepted(seen).offers[0].as_of == "2026-11-30"
