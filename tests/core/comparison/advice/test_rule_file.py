"""A rule that names nothing known is refused where it stands."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from core import paths
from core.comparison.advice.rules import rule_book
from core.errors import InputError


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Resources of one's own; the shipped rules are read again afterwards."""
    (tmp_path / "advice").mkdir()
    monkeypatch.setattr(paths, "resources", lambda: tmp_path)
    rule_book.cache_clear()
    yield tmp_path
    rule_book.cache_clear()


def _write(folder: Path, **changes: object) -> None:
    good = {"rule": "R01", "title": "t", "favours": "gpu", "condition": "needs_driver", "statements": ["S0-01"]}
    content = {
        "rules": [good, good | {"rule": "R02", "statements": ["S1-02", "S0-01"]} | changes],
        "thresholds": {"tile": 128}, "names": {"R01": "One", "R02": "Two"}, "guides": {"S0": "A", "S1": "B"},
        "as_of": "undated", "opposed": [["R01", "R02"]],
    }  # fmt: skip
    (folder / "advice" / "rules.json").write_text(json.dumps(content), encoding="utf-8")


def test_good_rules_are_read_with_their_thresholds(folder: Path) -> None:
    _write(folder)
    book = rule_book()
    assert ([rule.rule for rule in book.rules], book.thresholds) == (["R01", "R02"], {"tile": 128})
    assert [book.source(rule) for rule in book.rules] == ["A", "B, A"]
    assert (book.names["R02"], book.as_of, book.opposed) == ("Two", "undated", (("R01", "R02"),))
    assert [(rule.title, rule.favours, rule.condition) for rule in book.rules] == [("t", "gpu", "needs_driver")] * 2


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"condition": "is_blue"}, "condition 'is_blue'"), ({"favours": "cpu"}, "favours 'cpu'"),
        ({"check": "is_blue"}, "check 'is_blue'"), ({"statements": ["S9-01"]}, "statement 'S9'"),
    ],
)  # fmt: skip
def test_an_unknown_condition_or_side_is_refused(folder: Path, change: dict[str, object], words: str) -> None:
    _write(folder, **change)
    with pytest.raises(InputError, match="rule R02") as refused:
        rule_book()
    assert words in str(refused.value)
