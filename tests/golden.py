"""Whole answers kept as JSON, so that no change drifts unseen.

``ROOFPLAN_UPDATE_GOLDEN=1`` rewrites the files; review their diff.
"""

from __future__ import annotations

import dataclasses
import json
import math
import os
from collections.abc import Mapping
from enum import Enum
from typing import Any

import numpy as np
import pytest
from pydantic import BaseModel

from tests.repository_files import ROOT

FOLDER = ROOT / "tests" / "data" / "golden"
DIGITS = 7
NEAR = 1e-5
"""Figures may differ by so much of their size between machines."""


def assert_kept(name: str, told: Any, near: float = NEAR) -> None:
    """``told`` is what the file of that name holds, figures within ``near``; else fails with the paths that differ."""
    path, plain = FOLDER / f"{name}.json", as_plain(told)
    if os.environ.get("ROOFPLAN_UPDATE_GOLDEN"):
        path.write_text(json.dumps(plain, indent=0, ensure_ascii=False) + "\n", encoding="utf-8")
    differences = list(_differences(json.loads(path.read_text(encoding="utf-8")), plain, "", near))
    assert not differences, f"{len(differences)} values drifted: {differences[:5]}"


def as_plain(told: Any) -> Any:
    """Numbers, words, lists and objects for dataclasses, arrays and what else answers are made of."""
    match told:
        case None | bool() | int() | str() if not isinstance(told, Enum):
            return told
        case float():
            return float(f"{told:.{DIGITS}g}") if math.isfinite(told) else str(told)
        case Mapping():
            return {str(name): as_plain(value) for name, value in told.items()}
        case list() | tuple():
            return [as_plain(value) for value in told]
        case np.ndarray() | np.generic():
            return as_plain(told.tolist())
    if isinstance(told, BaseModel):
        return as_plain(told.model_dump())
    if dataclasses.is_dataclass(told):
        return {one.name: as_plain(getattr(told, one.name)) for one in dataclasses.fields(told)}
    return str(told)


def _differences(kept: Any, told: Any, path: str, near: float) -> list[str]:
    match kept, told:
        case dict(), dict() if kept.keys() == told.keys():
            return [line for name in kept for line in _differences(kept[name], told[name], f"{path}.{name}", near)]
        case list(), list() if len(kept) == len(told):
            pairs = enumerate(zip(kept, told, strict=True))
            return [line for number, pair in pairs for line in _differences(*pair, f"{path}[{number}]", near)]
        case float() | int(), float() | int() if type(kept) is not bool:
            same = told == pytest.approx(kept, rel=near, abs=1e-12)
        case _:
            same = kept == told
    return [] if same else [f"{path}: {str(kept)[:80]} is now {str(told)[:80]}"]
