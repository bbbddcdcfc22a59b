"""Facts about debugging: a row with an unknown fact or answer is named."""

from __future__ import annotations

from pathlib import Path

import pytest

from core import paths
from core.errors import InputError
from core.flexibility.debug_and_local import FILE, debug_facts

HEAD = "chip_family,fact,answer,source,as_of,estimate\n"


def _facts(folder: Path, monkeypatch: pytest.MonkeyPatch, rows: str) -> dict[str, tuple[object, ...]]:
    (folder / FILE).parent.mkdir(parents=True, exist_ok=True)
    (folder / FILE).write_text(HEAD + rows, encoding="utf-8")
    monkeypatch.setattr(paths, "resources", lambda: folder)
    return dict(debug_facts.__wrapped__())


@pytest.mark.parametrize(("fact", "answer"), [("nonsense", "yes"), ("debugger", "perhaps")])
def test_a_row_that_says_nothing_known_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fact: str, answer: str
) -> None:
    known = next(iter(debug_facts().values()))[0].fact
    fact = known if fact == "debugger" else fact
    with pytest.raises(InputError, match="row 3"):
        _facts(tmp_path, monkeypatch, f"a,{known},yes,s,2026-01-01,no\na,{fact},{answer},s,2026-01-01,no\n")


def test_rows_of_a_family_follow_each_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    known = next(iter(debug_facts().values()))[0].fact
    row = f"{known},yes,s,2026-01-01"
    told = _facts(tmp_path, monkeypatch, f"a,{row},no\nb,{row},yes\na,{row},yes\n")
    assert [one.estimate for one in told["a"]] == [False, True]  # type: ignore[attr-defined]
    assert [one.estimate for one in told["b"]] == [True]  # type: ignore[attr-defined]
