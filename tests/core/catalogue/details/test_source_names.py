"""Ids of sources as a reader of the screen needs them."""

from __future__ import annotations

import pytest

from core.catalogue.details.source_names import cited
from core.catalogue.loading import load_catalogue
from core.comparison.evaluate import evaluate
from core.comparison.questions.explain import explanation
from core.workload.library import load_profiles

SOURCES = {
    "CLIFF": "https://cliff.test/page (2026-05-18)",
    "TCO-A": "github a/b:c.csv@0123456789",
    "GUESS": "No source",
}


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("CLIFF, 2026-05-18", "https://cliff.test/page, 2026-05-18"),
        ("CLIFF+TCO-A", "https://cliff.test/page, github a/b"),
        ("prices of leaving AWS and GUESS", "prices of leaving AWS and our estimate"),
        ("CLIFF+ELSE", "CLIFF+ELSE"),
        ("as entered; GPU hours", "as entered; GPU hours"),
        ("", ""),
    ],
)
def test_ids_become_places_and_other_words_stay(text: str, shown: str) -> None:
    assert cited(text, SOURCES) == shown


def test_no_formula_of_a_bill_shows_an_id() -> None:
    catalogue = load_catalogue()
    results = evaluate(load_profiles()["chat-serving-70b"], catalogue)
    pick = results.choice
    assert pick is not None
    for part in pick.cost.parts:
        found = explanation(results, pick, f"part:{part.id}")
        if found is not None:
            assert not set(found.source.replace(",", " ").split()) & set(catalogue.sources), part.id
