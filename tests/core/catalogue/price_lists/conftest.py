"""Reads a price list that a test writes out."""

from collections.abc import Callable
from pathlib import Path

import pytest

from core.catalogue.loading import load_catalogue
from core.catalogue.price_lists.price_list import PriceList
from core.catalogue.price_lists.read import read_price_list

Read = Callable[..., PriceList]


@pytest.fixture
def read(tmp_path: Path) -> Read:
    """Text, provider and file name -> what the list gives over the shipped catalogue."""

    def run(text: str, provider: str, name: str = "vms.csv", as_of: str = "2026-11-20") -> PriceList:
        path = tmp_path / name
        path.write_text(text, encoding="utf-8", newline="")
        return read_price_list(path, provider, as_of, load_catalogue())

    return run
