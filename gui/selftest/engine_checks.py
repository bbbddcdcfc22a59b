"""Checks of what the program knows and answers: its parts, its catalogue, its picks, the logs it reads."""

from __future__ import annotations

import math
import platform
import tempfile
from pathlib import Path

import numpy as np
import PySide6

from core.catalogue.check_record import check_record
from core.logs.read import read_log
from core.version import VERSION
from gui.selftest.stored import Answer, answers, counts, stored

RELATIVE_TOLERANCE = 1e-6
"""Other processors add up in another order; no answer may move by more."""

_NVIDIA_SMI = """timestamp, index, name, utilization.gpu [%], power.draw [W]
2026/10/14 09:30:01.000, 0, NVIDIA H100 80GB HBM3, 80 %, 300 W
2026/10/14 09:30:02.000, 0, NVIDIA H100 80GB HBM3, 90 %, 500 W
"""
_MAXTEXT = """num_devices: 64
completed step: 11, seconds: 8.0, TFLOP/s/device: 400.0, Tokens/s/device: 900.0, loss: 10.5
completed step: 12, seconds: 8.2, TFLOP/s/device: 390.0, Tokens/s/device: 880.0, loss: 10.4
"""
_LOGS = (("gpu.csv", _NVIDIA_SMI, "power_w", 400.0), ("train.log", _MAXTEXT, "tflops_per_chip", 395.0))


def versions() -> tuple[bool, str]:
    """Never fails; says what runs here."""
    parts = (f"Python {platform.python_version()}", f"Qt {PySide6.__version__}", f"NumPy {np.__version__}")
    return True, ", ".join((VERSION, *parts))


def parts() -> tuple[bool, str]:
    """Registry counts, against the stored ones where there are some; nowhere may one be empty."""
    here = counts()
    expected: dict[str, int] = stored().get("counts", here)
    names = dict.fromkeys((*expected, *here))
    wrong = [f"{n} {here.get(n, 0)} instead of {expected.get(n, 0)}" for n in names if here.get(n) != expected.get(n)]
    wrong += [f"no {name}" for name, n in here.items() if n == 0]
    return not wrong, "; ".join(wrong) or ", ".join(f"{n} {name}" for name, n in here.items())


def catalogue() -> tuple[bool, str]:
    """The catalogue's own rules, as ``roofplan catalogue check`` tells them."""
    record = check_record()
    errors = record["errors"]
    return not errors, "; ".join(errors) or f"of {record['date']}, {len(record['tables'])} tables without an error"


def picks() -> tuple[bool, str]:
    """The answer to each shipped profile, against the stored one where there is one."""
    here = answers()
    expected: dict[str, Answer] = stored().get("answers", here)
    wrong = [f"{id}: {difference(here.get(id, {}), answer)}" for id, answer in expected.items()]
    wrong = [line for line in wrong if not line.endswith(": ")]
    n_picks = sum(answer["pick"] != "none" for answer in here.values())
    against = "as stored" if stored() else "nothing stored to compare with"
    return not wrong and n_picks > 0, "; ".join(wrong) or f"{n_picks} of {len(here)} profiles have a pick, {against}"


def difference(here: Answer, expected: Answer) -> str:
    """What two answers do not agree in; empty when they agree."""
    return ", ".join(
        f"{n} {here.get(n)} instead of {value}" for n, value in expected.items() if not _same(here.get(n), value)
    )


def logs() -> tuple[bool, str]:
    """A small log of each format is told for what it is and read."""
    with tempfile.TemporaryDirectory() as folder:
        means = [_mean(Path(folder) / name, text, quantity) for name, text, quantity, _ in _LOGS]
    told = [f"{quantity} {mean:g}" for (_, _, quantity, _), mean in zip(_LOGS, means, strict=True)]
    return all(_same(mean, log[3]) for log, mean in zip(_LOGS, means, strict=True)), ", ".join(told)


def _mean(path: Path, text: str, quantity: str) -> float:
    path.write_text(text, encoding="utf-8")
    return read_log(path).quantities[quantity].mean


def _same(here: str | float | None, expected: str | float) -> bool:
    if isinstance(here, str) or isinstance(expected, str) or here is None:
        return here == expected
    return math.isclose(here, expected, rel_tol=RELATIVE_TOLERANCE)
