"""An answer goes as soon as nobody has it any more: none of its parts holds what holds it.

The window waits long before it lets the collector look for what only the collector can find.
"""

import gc
import weakref
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from functools import cache, cached_property, partial
from itertools import islice
from typing import Any

import pytest

from core.catalogue.catalogue import Catalogue
from core.catalogue.loading import load_catalogue
from core.comparison.evaluate import evaluate
from core.comparison.result import ResultSet
from core.lazy_sequence import LazySequence
from core.workload.library import load_profiles
from core.workload.profile import Profile

PROFILES = load_profiles()
LOOKED_AT = 3
"""Entries of each sequence that are looked at."""


@cache
def some_offers() -> Catalogue:
    """Every eighth offer: each kind of candidate, and soon answered."""
    whole = load_catalogue()
    return replace(whole, offers=whole.offers[::8])


@pytest.fixture
def by_hand() -> Iterator[None]:
    """The collector comes only when it is called."""
    evaluate(PROFILES["mistral-7b-lora"], some_offers())  # what reading the tables leaves behind is no answer's
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def _parts(whole: Any) -> list[Any]:
    """Everything that can be asked of a part of an answer: fields, kept properties, the first entries."""
    if is_dataclass(whole):
        kept = [name for name in dir(type(whole)) if isinstance(getattr(type(whole), name, None), cached_property)]
        return [getattr(whole, name) for name in (*(field.name for field in fields(whole)), *kept)]
    if isinstance(whole, Mapping):
        return list(islice(whole.values(), LOOKED_AT))
    if isinstance(whole, (LazySequence, tuple, list)):
        return list(whole[:LOOKED_AT])
    return []


def _looked_through(results: ResultSet) -> int:
    """Asks everything of every part; returns how many parts there are."""
    seen: dict[int, Any] = {}
    due: list[Any] = [results, results.trusted]
    while due:
        part = due.pop()
        if id(part) not in seen and not isinstance(part, (str, Profile)):
            seen[id(part)] = part
            due += _parts(part)
    return len(seen)


@pytest.mark.parametrize("name", sorted(PROFILES))
def test_an_answer_goes_without_the_collector(by_hand: None, name: str) -> None:
    results = evaluate(PROFILES[name], some_offers())
    assert results.basis is not None and len(results.results) > LOOKED_AT
    assert _looked_through(results) > 500
    watched = [weakref.ref(one) for one in (results, results.columns)]
    del results
    assert [one() for one in watched] == [None] * len(watched)
    assert gc.collect() == 0


def test_the_proof_bites(by_hand: None) -> None:
    results = evaluate(PROFILES["llama3-8b-pretraining"], some_offers())
    results.__dict__["again"] = LazySequence(1, partial(getattr, results))  # type: ignore[arg-type]
    watched = weakref.ref(results)
    del results
    assert watched() is not None
    assert gc.collect() > 0 and watched() is None
