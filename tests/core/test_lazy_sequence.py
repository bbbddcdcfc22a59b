"""Entries that are made when somebody looks."""

import pytest

from core.lazy_sequence import LazySequence, MadeByKey


def test_an_entry_is_made_once_and_only_when_looked_at() -> None:
    asked: list[int] = []

    def make(row: int) -> str:
        asked.append(row)
        return "abc"[row]

    made = LazySequence(3, make)
    assert len(made) == 3 and not asked
    assert made[1] == made[1] == made[-2] == "b"
    assert asked == [1]
    assert made[1:] == ("b", "c")
    assert asked == [1, 2] and made.n_made == 2


def test_it_compares_and_prints_like_what_it_holds() -> None:
    made = LazySequence(2, lambda row: row * 10)
    assert made == (0, 10) and made == [0, 10]
    assert made != (0, 11) and made != (0,) and made != 3
    assert repr(made) == "(0, 10)"
    assert list(made) == [0, 10] and 10 in made


def test_no_entries_and_none_beyond_the_end() -> None:
    assert LazySequence(0, str) == ()
    with pytest.raises(IndexError):
        LazySequence(2, str)[2]


def test_a_mapping_knows_its_keys_without_making_a_value() -> None:
    asked: list[int] = []

    def make(row: int) -> str:
        asked.append(row)
        return "abc"[row]

    made = MadeByKey({"x": 0, "z": 2}, make)
    assert "x" in made and "y" not in made and list(made) == ["x", "z"] and len(made) == 2 and not asked
    assert made["z"] == "c" and made.get("y") is None
    assert asked == [2]
