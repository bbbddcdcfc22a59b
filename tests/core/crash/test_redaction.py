"""What a report leaves out, and what it keeps for whoever mends the fault."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import paths
from core.catalogue.catalogue import Catalogue
from core.catalogue.entries import Entry
from core.catalogue.loading import load_catalogue
from core.crash.redaction import PRIVATE, place_of, redacted, secrets_in, secrets_of, without_home
from core.plan.sample_plan import sample_plan
from tests.gui.hostile.hostile_plan import hostile_book, hostile_plan, own_entries


@pytest.mark.parametrize(
    ("message", "left"),
    [
        ("division by zero", "division by zero"),
        ("'n_tokens'", "'n_tokens'"),
        ("price 1.11 of 1,250.40 USD, 3e-7", "price # of # USD, #"),
        ("no file /srv/deals/acme/book.json there", "no file [path] there"),
        (r"cannot open C:\Users\Ann\plan.roofplan", "cannot open [path]"),
        ("cannot open ~/plan.roofplan", "cannot open [path]"),
        ("input_value='Acme at 1.11', input_type=str", "input_value='…', input_type=str"),
        ('found "Two words"', 'found "…"'),
        ("sold by Acme", f"sold by {PRIVATE}"),
        (r"sold by Caf\xe9 Acme", rf"sold by Caf\xe# {PRIVATE}"),
    ],
)
def test_what_is_left_of_a_message(message: str, left: str) -> None:
    assert redacted(message, {"Acme"}) == left


@given(st.sets(st.text(alphabet="abcXYZ 9.'\"<&\u05e9", min_size=2, max_size=12).filter(str.strip), max_size=5))
def test_no_word_of_the_user_is_left(words: set[str]) -> None:
    left = redacted(" / ".join(sorted(words)), words).replace(PRIVATE, "").replace("[path]", "")
    assert [word for word in words if word.strip(" /") and len(word) > 3 and word in left] == []


def test_every_word_of_the_user_is_known(tmp_path: Path) -> None:
    plan, book = hostile_plan(tmp_path), hostile_book()
    secrets = secrets_of(plan, book, tmp_path / "Falcon.roofplan")
    tags = (
        "planname", "plannote", "workload0", "worknote1", "scenario", "logfile.csv", "skipped", "choice", "chip",
        "short", "seller", "instance", "place", "server", "source", "note", "bookname", "booksource", "booknote",
    )  # fmt: skip
    assert [tag for tag in tags if not any(secret.endswith(f" {tag}") for secret in secrets)] == []
    assert {"Falcon", "Falcon.roofplan", "coreweave"} <= secrets


def test_words_that_only_a_call_held_are_known(tmp_path: Path) -> None:
    """As in a preview of prices that is no part of the plan yet."""

    def previewed(rows: list[Entry], catalogue: Catalogue, source: Path) -> None:
        raise ValueError(f"{rows[0].source} {len(catalogue.offers)}")

    private, shipped = own_entries().offers[0], load_catalogue()
    with pytest.raises(ValueError) as caught:
        previewed([private], replace(shipped, offers=shipped.offers[:3]), tmp_path / "Falcon.csv")
    secrets = secrets_in(caught.value)
    assert {private.provider, private.source, "Falcon"} <= secrets
    assert not {one.source for one in shipped.offers} & secrets
    assert PRIVATE in redacted(str(caught.value), secrets)


def test_words_of_the_program_stay() -> None:
    assert not {"plan", "on_demand", "ok", "catalogue"} & secrets_of(sample_plan(), None, None)


def test_code_is_named_as_everybody_knows_it() -> None:
    assert place_of(str(paths.program_root() / "core" / "units.py")) == "core/units.py"
    assert place_of("/opt/ann/venv/lib/python3.11/site-packages/numpy/a.py") == "numpy/a.py"
    assert place_of("/usr/lib/python3.11/json/decoder.py") == "decoder.py"
    assert place_of("<string>") == "<string>"


def test_where_the_user_lives_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    assert without_home(f"It is in {Path.home()}/logs") == "It is in ~/logs"

    def unknown() -> Path:
        raise RuntimeError("no home")

    monkeypatch.setattr(Path, "home", unknown)
    assert without_home("as it is") == "as it is"
