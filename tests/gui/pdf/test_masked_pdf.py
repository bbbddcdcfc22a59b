"""A masked PDF down to its bytes: nothing of a private price in texts, lines, names or metadata."""

from __future__ import annotations

import re
import zlib
from functools import cache

import pytest
from pytestqt.qtbot import QtBot

from core.report.document import PRESETS, build
from core.report.masking import HandedOut
from gui.pdf.typeset import pdf_bytes
from tests.core.report.masked_cases import CASES, SECRETS, TODAY, masked
from tests.gui.sample_session import themes

SERVICE = CASES[1]
_STREAM = re.compile(rb"stream\r?\n(.*?)\r?\nendstream", re.DOTALL)
_DATED = re.compile(rb'/(?:CreationDate|ModDate) ?\([^)]*\)|xmp:\w*Date="[^"]*|uuid:[-0-9a-f]+|/ID ?\[[^]]*\]')


@pytest.fixture(autouse=True)
def fonts(qtbot: QtBot) -> None:
    """Widths of texts are kept: measured in another font, they would break lines elsewhere in later tests."""
    themes()


@cache
def _at(price: float) -> tuple[HandedOut, HandedOut]:
    true = SERVICE.open(price)
    return true, masked(true)


def _written(out: HandedOut, pages: tuple[str, ...]) -> bytes:
    """The file with its streams unpacked, without the time at which it was written."""
    data = pdf_bytes(build(out.plan, out.results, out.catalogue, TODAY, pages))
    return _DATED.sub(b"", _STREAM.sub(lambda stream: _unpacked(stream[1]), data))


def _unpacked(stream: bytes) -> bytes:
    try:
        return zlib.decompress(stream)
    except zlib.error:
        return stream


def _holds(data: bytes, secret: str) -> bool:
    texts = (secret.encode(), secret.encode("utf-16-be"), secret.encode("utf-16-be").hex().encode())
    return any(text.lower() in data.lower() for text in texts)


@pytest.mark.parametrize("preset", PRESETS)
def test_two_prices_give_the_same_file(qapp: object, preset: str) -> None:
    """Bars of a chart are as long, lines end at the same point: a ruler on the paper finds no share."""
    files = [_written(_at(price)[1], PRESETS[preset]) for price in (SERVICE.price, SERVICE.other)]
    assert files[0] == files[1]
    openly = [_written(_at(price)[0], PRESETS[preset]) for price in (SERVICE.price, SERVICE.other)]
    assert openly[0] != openly[1]


def test_no_secret_is_in_its_bytes(qapp: object) -> None:
    true, out = (_written(one, PRESETS["full"]) for one in _at(SERVICE.price))
    assert [secret for secret in SECRETS if _holds(out, secret)] == []
    assert any(_holds(true, secret) for secret in SECRETS), "the search finds nothing"
