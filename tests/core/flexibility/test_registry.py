"""The registry of criteria: a new one needs its file and nothing else."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

import core.flexibility
from core.catalogue.loading import load_catalogue
from core.comparison.as_json import to_json
from core.comparison.evaluate import evaluate
from core.flexibility.registry import criteria, in_order
from core.workload.library import load_profiles

FILE = '''
"""F11: a coin."""

from core.flexibility.criterion import Criterion, Finding, Subject, sure
from core.ranges import Range


def half(subject: Subject) -> Range:
    """Half, whatever is judged."""
    return sure(0.5)


def coin(subject: Subject) -> Finding:
    """See :func:`half`."""
    return Finding(half(subject), (("Coin", "heads"),), "It fell", "a coin", False)


CRITERION = Criterion("{id}", "Luck", "1 / 2", 7, 9, half, coin)
'''


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder in which criteria are looked for as well."""
    monkeypatch.setattr(core.flexibility, "__path__", [*core.flexibility.__path__, str(tmp_path)])
    criteria.cache_clear()
    yield tmp_path
    criteria.cache_clear()
    sys.modules.pop("core.flexibility.luck", None)
    vars(core.flexibility).pop("luck", None)


def test_a_new_criterion_counts_and_is_told_last(folder: Path) -> None:
    profile, catalogue = load_profiles()["chat-serving-8b"], load_catalogue()
    without = evaluate(profile, catalogue).results[0]
    (folder / "luck.py").write_text(FILE.format(id="F11"), encoding="utf-8")
    criteria.cache_clear()
    results = evaluate(profile, catalogue)
    (result,) = (one for one in results.results if one.id == without.id)
    told = result.flexibility.criteria[-1]
    assert (told.id, told.title, told.value.likely, told.weight) == ("F11", "Luck", 0.5, 9)
    weight = sum(one.weight for one in without.flexibility.criteria)
    mean = (weight * without.flexibility.score.likely + 9 * 50) / (weight + 9)
    assert result.flexibility.score.likely == pytest.approx(mean)
    rows = to_json(results, top=1)["candidates"][0]["flexibility"]["criteria"]
    assert rows[-1]["title"] == "Luck"


def test_two_criteria_of_one_id_are_refused_by_name(folder: Path) -> None:
    (folder / "luck.py").write_text(FILE.format(id="F1"), encoding="utf-8")
    with pytest.raises(ValueError, match="'Suppliers' and 'Luck'|'Luck' and 'Suppliers'"):
        criteria()


def test_the_tenth_criterion_comes_after_the_ninth() -> None:
    one = criteria()[0]
    assert [c.id for c in in_order(replace(one, id=name) for name in ("F10", "F9", "F2"))] == ["F2", "F9", "F10"]
