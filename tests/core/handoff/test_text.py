"""Texts of what is handed to other tools."""

from __future__ import annotations

from core.handoff.text import _LONGEST_COMMENT, comment


def test_a_comment_as_long_as_may_be_stands_whole_and_a_longer_one_is_cut() -> None:
    whole = "x" * _LONGEST_COMMENT
    assert comment(whole) == f"# {whole}"
    assert comment(whole + "y") == f"# {whole}…"
