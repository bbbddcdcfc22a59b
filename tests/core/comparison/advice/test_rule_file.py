"""A rule that names nothing known is refused where it stands."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from core import paths
from core.comparison.advice.rules import rules
from core.errors import InputError


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Resources of one's own; the shipped rules are read again afterwards."""
    (tmp_path / "advice").mkdir()
    monkeypatch.setattr(paths, "resources", lambda: tmp_path)
    rules.cache_clear()
    yield tmp_path
    rules.cache_clear()


def _write(folder: Path, **changes: str) -> None:
    good = {"rule": "R01", "title": "t", "favours": "gpu", "condition": "needs_driver"}
    content = {"rules": [good, good | {"rule": "R02"} | changes], "thresholds": {"tile": 128}}
    (folder / "advice" / "rules.json").write_text(json.dumps(content), encoding="utf-8")


def test_good_rules_are_read_with_their_thresholds(folder: Path) -> None:
    _write(folder)
    read, thresholds = rules()
    assert ([rule.rule for rule in read], thresholds) == (["R01", "R02"], {"tile": 128})
    assert [(rule.title, rule.favours, rule.condition) for rule in read] == [("t", "gpu", "needs_driver")] * 2


@pytest.mark.parametrize(
    ("change", "words"), [({"condition": "is_blue"}, "condition 'is_blue'"), ({"favours": "cpu"}, "favours 'cpu'")]
)
def test_an_unknown_condition_or_side_is_refused(folder: Path, change: dict[str, str], words: str) -> None:
    _write(folder, **change)
    with pytest.raises(InputError, match="rule R02") as refused:
        rules()
    assert words in str(refused.value)
