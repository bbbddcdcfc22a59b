"""Speed figures, one line each: ``name value unit``. Run ``python tests/bench/bench.py [NAME]``.

A figure is a function in a file ``figures_*.py`` beside this one, listed in that file's ``FIGURES`` with its unit.
"""

from __future__ import annotations

import importlib
import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from gui.session.collector import calm_collector

Figure = tuple[Callable[[], float], str]


def figures() -> dict[str, Figure]:
    """All figures by name."""
    known: dict[str, Figure] = {}
    for path in sorted(Path(__file__).parent.glob("figures_*.py")):
        known |= importlib.import_module(path.stem).FIGURES
    return known


def main(words: list[str]) -> int:
    known = figures()
    unknown = [word for word in words if word not in known]
    if unknown:
        print(f"no figure {unknown[0]!r}; there are: {', '.join(known)}", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory(prefix="roofplan-bench-") as folder:
        os.environ["ROOFPLAN_HOME"] = folder
        calm_collector()  # as the app does once it has started
        for name in words or known:
            measure, unit = known[name]
            value = measure()
            print(f"{name} {value:.0f} {unit}" if value >= 1000 else f"{name} {value:.3g} {unit}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
