"""Reads a price list that a test writes out."""

from collections.abc import Callable
from pathlib import Path

import pytest

from core.catalogue.feeds import Feed, read_feed
from core.catalogue.load import load_catalogue

Read = Callable[..., Feed]


@pytest.fixture
def read(tmp_path: Path) -> Read:
    """Text, provider and file name -> what the list gives over the shipped catalogue."""

    def run(text: str, provider: str, name: str = "vms.csv", as_of: str = "2026-11-20") -> Feed:
        path = tmp_path / name
        path.write_text(text, encoding="utf-8", newline="")
        return read_feed(path, provider, as_of, load_catalogue())

    return run
