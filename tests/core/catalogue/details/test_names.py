"""Names of entries, families, software and scopes as people know them."""

import pytest

from core.catalogue.chip_families import chip_families
from core.catalogue.details.names import (
    SOFTWARE_WORDS,
    conflict_entry,
    conflict_title,
    family_words,
    field_title,
    input_name,
    scope_words,
    seller_name,
    title_of,
)
from core.catalogue.loading import TABLES, load_catalogue

CATALOGUE = load_catalogue()


@pytest.mark.parametrize("table", [name for name in TABLES if hasattr(CATALOGUE, name) and name != "sources"])
def test_every_entry_has_a_name_without_an_id_of_the_program(table: str) -> None:
    for entry in getattr(CATALOGUE, table):
        title = title_of(entry, CATALOGUE)
        assert title and title != type(entry).__name__
        if table not in ("hosts", "price_history", "conflicts"):
            assert "_" not in title, title


def test_offers_and_servers_are_called_by_their_chips() -> None:
    offer = next(o for o in CATALOGUE.offers if o.instance == "p5.48xlarge")
    assert title_of(offer, CATALOGUE) == "8 × H100 SXM, AWS"
    server = next(s for s in CATALOGUE.servers if s.accelerator_id == "b200-sxm")
    assert title_of(server, CATALOGUE) == f"{server.n_chips} × B200 server"


def test_software_and_families_have_names_as_their_makers_write_them() -> None:
    assert {row.framework for row in CATALOGUE.frameworks} <= set(SOFTWARE_WORDS)
    assert {chip.family for chip in CATALOGUE.accelerators} <= set(chip_families().by_id)
    assert family_words("tpu-v5p", CATALOGUE) == CATALOGUE.accelerator_by_id["tpu-v5p"].short_name
    row = next(r for r in CATALOGUE.frameworks if (r.framework, r.chip_family) == ("vllm", "amd_gpu"))
    assert title_of(row, CATALOGUE) == "vLLM on AMD GPUs"


def test_scopes_name_sellers_and_chips() -> None:
    assert scope_words("aws a100-sxm-40", CATALOGUE) == "AWS A100 40 GB SXM"
    assert scope_words("gcp standard-tier", CATALOGUE) == "GCP standard-tier"
    assert scope_words("colocation", CATALOGUE) == "colocation"
    assert input_name("support_plan_share") == "Support plan share"
    assert seller_name("dedicated") == "Your servers" and seller_name("aws") == "AWS"


def test_every_conflict_names_its_entry_and_figure() -> None:
    for conflict in CATALOGUE.conflicts:
        assert conflict_entry(conflict, CATALOGUE) is not None
        assert "_" not in field_title(conflict) and conflict_title(conflict, CATALOGUE) != ""
    gone = CATALOGUE.conflicts[0].model_copy(update={"row": "no such row"})
    assert conflict_entry(gone, CATALOGUE) is None and conflict_title(gone, CATALOGUE) == "no such row"


@pytest.mark.parametrize(("word", "name"), [("gcp", "GCP"), ("h100-sxm", "H100 SXM"), ("two_words", "two words")])
def test_a_word_of_a_scope_is_a_chip_a_seller_or_plain_words(word: str, name: str) -> None:
    assert scope_words(word, CATALOGUE) == name
    assert scope_words("hyperstack", CATALOGUE) == "Hyperstack"
