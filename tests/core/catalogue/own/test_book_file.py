"""The price book's file: whole or not at all, for its owner alone, and a damaged one is named."""

import json
import os
import stat
from pathlib import Path

import pytest

from core.catalogue.loading import load_catalogue
from core.catalogue.own.book_file import FORMAT, KIND, book_path, load_book, save_book
from core.catalogue.own.layers import OwnEntries, PriceBook
from core.errors import InputError, MachineError
from core.writing.whole_file import beside
from tests.core.own_samples import own_host, own_offer, own_region, own_server, private_book


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "price-book.json"


def _full_book() -> PriceBook:
    book = private_book(load_catalogue())
    own = OwnEntries(
        accelerators=(load_catalogue().accelerator_by_id["h100-sxm"],),
        hosts=(own_host(),),
        offers=(*book.entries.offers, own_offer(own_host())),
        servers=(own_server(),),
        regions=(own_region(),),
    )
    return book.model_copy(update={"entries": own})


def test_book_comes_back_as_it_was(file: Path) -> None:
    for book in (PriceBook(), private_book(load_catalogue()), _full_book()):
        save_book(book, file)
        assert load_book(file) == book


def test_no_file_is_an_empty_book(file: Path) -> None:
    assert load_book(file) == PriceBook()


def test_book_lies_among_the_users_own_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROOFPLAN_HOME", str(tmp_path))
    assert book_path() == tmp_path / "price-book.json"


@pytest.mark.skipif(os.name != "posix", reason="permissions of another system")
def test_only_the_owner_can_read_it(file: Path) -> None:
    file.write_text("{}", encoding="utf-8")
    file.chmod(0o644)
    save_book(_full_book(), file)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


@pytest.mark.parametrize("call", ["fsync", "replace"])
def test_a_save_that_fails_leaves_the_old_book(file: Path, call: str, monkeypatch: pytest.MonkeyPatch) -> None:
    save_book(private_book(load_catalogue()), file)
    before = file.read_bytes()

    def refuse(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os if call == "fsync" else Path, call, refuse)
    with pytest.raises(MachineError, match="No space left"):
        save_book(_full_book(), file)
    assert file.read_bytes() == before
    assert [path.name for path in file.parent.iterdir()] == [file.name]


def test_prices_that_a_dead_program_left_half_written_do_not_stay(file: Path) -> None:
    stray = beside(file, ".part-0badc0de")
    stray.write_text("secret", encoding="utf-8")
    os.utime(stray, (0, 0))
    save_book(_full_book(), file)
    assert [path.name for path in file.parent.iterdir()] == [file.name]


def test_a_folder_in_its_place_is_told(tmp_path: Path) -> None:
    with pytest.raises(MachineError, match="save"):
        save_book(PriceBook(), tmp_path)
    with pytest.raises(InputError, match="a folder"):
        load_book(tmp_path)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", "an empty file"),
        ("{", "text that is no JSON"),
        ("[]", "another kind"),
        ('{"kind": "something"}', "another kind"),
        (f'{{"kind": "{KIND}", "format": {FORMAT + 1}}}', str(FORMAT + 1)),
        (f'{{"kind": "{KIND}"}}', "None"),
    ],
)
def test_other_files_are_refused(file: Path, text: str, found: str) -> None:
    file.write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as caught:
        load_book(file)
    assert found in caught.value.found


def test_other_bytes_are_refused(file: Path) -> None:
    file.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InputError, match="UTF-8"):
        load_book(file)


@pytest.mark.parametrize(
    ("place", "value", "where", "expected"),
    [
        (("entries", "offers", 0, "usd_per_host_hour"), "much", "entries.offers.0.usd_per_host_hour", "a number"),
        (("entries", "hosts", 0, "n_chips"), 1.5, "entries.hosts.0.n_chips", "a whole number"),
        (("discounts", 0, "percent"), 120, "discounts.0.percent", "a number below 100"),
        (("discounts", 0, "provider"), None, "discounts.0.provider", "text"),
        (("entries", "servers", 0, "colour"), "red", "entries.servers.0.colour", "no such field"),
    ],
)
def test_damaged_entry_is_named(
    file: Path, place: tuple[str | int, ...], value: object, where: str, expected: str
) -> None:
    save_book(_full_book(), file)
    record = json.loads(file.read_text(encoding="utf-8"))
    inner = record
    for step in place[:-1]:
        inner = inner[step]
    inner[place[-1]] = value
    file.write_text(json.dumps(record), encoding="utf-8")
    with pytest.raises(InputError) as caught:
        load_book(file)
    assert caught.value.where == f"{file}, {where}"
    assert expected in caught.value.expected
