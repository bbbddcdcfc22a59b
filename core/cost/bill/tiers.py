"""Prices that fall by steps of a month's amount, such as egress and support plans: tables with source and date."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.errors import InputError
from core.paths import resources

Floats = NDArray[np.float64]
EGRESS = ("cost/egress_tiers.csv", "from_gb_per_month", "usd_per_gb")
SUPPORT = ("cost/support_tiers.csv", "from_usd_per_month", "share")


@dataclass(frozen=True, slots=True)
class Tiers:
    """Steps of one provider: each rate holds for what lies above its start. Starts rise from 0.

    ``estimates`` marks the steps whose rate no source backs.
    """

    starts: tuple[float, ...]
    rates: tuple[float, ...]
    source: str
    estimates: tuple[bool, ...]

    def usd(self, amount: Floats) -> Floats:
        """Price of a month's amount, shape of ``amount``: ``sum over steps of rate x amount within the step``.

        Continuous, and never falls as the amount grows.
        """
        edges = np.array((*self.starts, np.inf))
        inside = np.clip(amount[..., None] - edges[:-1], 0.0, np.diff(edges))
        return np.asarray((inside * np.array(self.rates)).sum(axis=-1))

    def rate(self, amount: Floats) -> Floats:
        """Mean price of a unit at a month's amount, shape of ``amount``; that of the first unit for none."""
        return np.where(amount > 0, self.usd(amount) / np.maximum(amount, 1e-12), self.rates[0])


@lru_cache(maxsize=4)
def tiers(kind: tuple[str, str, str]) -> dict[str, Tiers]:
    """The shipped steps by provider. Raises InputError when the file is damaged."""
    name, start, rate = kind
    return read_tiers(resources() / name, start, rate)


def read_tiers(path: Path, start: str, rate: str) -> dict[str, Tiers]:
    """Steps of a file. Raises InputError naming the row that is no number, or out of order."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    rows_by_provider: dict[str, list[dict[str, str]]] = {}
    for number, row in enumerate(rows, start=2):
        known = rows_by_provider.setdefault(row["provider"], [])
        _check(f"{path.name}, row {number}", row, start, rate, float(known[-1][start]) if known else None)
        known.append(row)
    return {provider: _made(own, start, rate) for provider, own in rows_by_provider.items()}


def _check(where: str, row: dict[str, str], start: str, rate: str, before: float | None) -> None:
    try:
        at, price = float(row[start]), float(row[rate])
    except (KeyError, TypeError, ValueError):
        raise InputError(where, str(row), f"numbers {start} and {rate}") from None
    if price < 0 or (at != 0 if before is None else at <= before):
        raise InputError(where, f"{start} {at:g}, {rate} {price:g}", "steps that rise from 0, at no price below 0")


def _made(rows: Sequence[dict[str, str]], start: str, rate: str) -> Tiers:
    sources = "+".join(dict.fromkeys(row["source"] for row in rows))
    starts, rates = (tuple(float(row[name]) for row in rows) for name in (start, rate))
    return Tiers(starts, rates, sources, tuple(row["estimate"] == "yes" for row in rows))
