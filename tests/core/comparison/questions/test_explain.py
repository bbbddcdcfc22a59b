"""Which question explains a figure: each declares its word, and a new one is found by lying in the package."""

from collections.abc import Iterator
from pathlib import Path
from sys import modules

import pytest

import core.comparison.questions
from core.comparison.questions.explain import explanation, questions
from core.comparison.recommendation.recommend import recommend
from core.comparison.result import ResultSet

SPARE = """
from core.comparison.questions.explanation import Explains, Explanation

def _told(results, result, name):
    return Explanation(f"Spare {name}", "3", "", "spares ÷ chips", (), "the test", False)

EXPLAINS = Explains("spare", _told)
"""


@pytest.fixture
def spare_question(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """One more file in the package of questions."""
    (tmp_path / "spare_parts.py").write_text(SPARE, encoding="utf-8")
    monkeypatch.setattr(core.comparison.questions, "__path__", [*core.comparison.questions.__path__, str(tmp_path)])
    questions.cache_clear()
    yield
    questions.cache_clear()
    modules.pop("core.comparison.questions.spare_parts", None)


def test_each_question_declares_its_word() -> None:
    assert set(questions()) == {"part", "cash", "exit", "spot", "unit"}
    assert all(one.key("x") == f"{word}:x" for word, one in questions().items())


def test_a_new_file_of_a_question_answers_its_keys(spare_question: None, profile, make_result) -> None:
    result = make_result(rank=1)
    results = ResultSet(profile, "2026-11-21", "none", (result,), recommend(profile, [result], []), (), "")
    told = explanation(results, result, "spare:fans")
    assert told is not None and (told.title, told.source) == ("Spare fans", "the test")
    assert explanation(results, result, "spares:fans") is None
