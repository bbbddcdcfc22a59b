"""``make mutants N=200 SEED=1 ONLY=core/cost``: which small changes of the code do the tests not notice?

A seeded sample of mutants (``work_list`` says of what, and what is left out) is judged in two copies of the tree, each
by the tests that mirror its room and a few of the whole engine. A mutant that no test kills is printed with its change:
either a test is missing, or the change makes no difference (looks in pixels, tolerances, first guesses of a search).
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from difflib import unified_diff
from pathlib import Path
from queue import SimpleQueue
from tempfile import TemporaryDirectory
from typing import Literal

from tests.mutants.selection import judges_of
from tests.mutants.work_list import Mutant, sampled, work_list
from tests.repository_files import ROOT, sources, tracked

MUTATED = ("core/", "gui/charts/")
N_PROCESSES = 2
SLOWER = 4.0
"""A mutant may take so many times as long as the code as it is, and ``SLACK_S`` more, before it counts as timed out."""
SLACK_S = 60.0

Verdict = Literal["killed", "survived", "timeout"]
VERDICTS: tuple[Verdict, ...] = ("killed", "survived", "timeout")


@dataclass(frozen=True)
class Judged:
    """What became of a mutant, and its change in one line."""

    mutant: Mutant
    verdict: Verdict
    change: str

    @property
    def package(self) -> str:
        """The package of the file, such as ``core/cost``; ``core`` itself for its own modules."""
        return "/".join(self.mutant.path.split("/")[:-1][:2])


@dataclass
class Judge:
    """Copies of the tree that are free, and how long the tests of each choice take on the code as it is."""

    trees: SimpleQueue[Path]
    baseline_s: dict[tuple[str, ...], float] = field(default_factory=dict)

    def judge(self, mutant: Mutant) -> Judged:
        """Runs the tests on a mutant in a copy that is free, and tells what came of it on standard error.

        Raises SystemExit when they fail without it already.
        """
        tree = self.trees.get()
        try:
            judged = self._judged(tree, mutant)
        finally:
            self.trees.put(tree)
        sys.stderr.write(f"{judged.verdict:9}{mutant.path}:{judged.change}\n")
        return judged

    def _judged(self, tree: Path, mutant: Mutant) -> Judged:
        tests, path = judges_of(mutant.path, tracked()), tree / mutant.path
        if tests not in self.baseline_s:
            self.baseline_s[tests] = _baseline_s(tree, tests)
        original = path.read_text(encoding="utf-8")
        changed = mutant.source(original)
        path.write_text(changed, encoding="utf-8")
        try:
            status = _run(tree, tests, SLOWER * self.baseline_s[tests] + SLACK_S)
        finally:
            path.write_text(original, encoding="utf-8")
        verdict: Verdict = "timeout" if status is None else "killed" if status else "survived"
        return Judged(mutant, verdict, change_of(mutant, original, changed))


def change_of(mutant: Mutant, original: str, changed: str) -> str:
    """The number of the line and what stands there before and after."""
    diff = list(unified_diff(original.splitlines(), changed.splitlines(), n=0, lineterm=""))[3:]
    before, after = (" ".join(line[1:].strip() for line in diff if line.startswith(sign)) for sign in "-+")
    return f"{mutant.start[0]}: {before} → {after}"


def _baseline_s(tree: Path, tests: tuple[str, ...]) -> float:
    start = time.monotonic()
    if _run(tree, tests, None):
        raise SystemExit(f"These tests fail on the code as it is: {' '.join(tests)}")
    return time.monotonic() - start


def _run(tree: Path, tests: Sequence[str], limit_s: float | None) -> int | None:
    """Status of the tests in a copy, 0 when all pass; None when they take too long."""
    words = ["-x", "-q", "-p", "no:cacheprovider", "--hypothesis-profile=mutants"]
    environment = {
        **os.environ, "PYTHONPATH": str(tree), "PYTHONDONTWRITEBYTECODE": "1", "OMP_NUM_THREADS": "1",
        "QT_QPA_PLATFORM": "offscreen",
    }  # fmt: skip
    command = [sys.executable, "-m", "pytest", *words, *tests]
    with subprocess.Popen(
        command, cwd=tree, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
    ) as process:
        try:
            return process.wait(limit_s)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            return None


def _copy(folder: Path) -> Path:
    """A copy of what git tracks, compiled so that only a changed file is compiled anew."""
    for name in tracked():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, folder / name)
    compiled = [sys.executable, "-m", "compileall", "-q", "--invalidation-mode", "checked-hash", "core", "gui"]
    subprocess.run(compiled, cwd=folder, check=True)
    return folder


def judge_all(mutants: Sequence[Mutant]) -> list[Judged]:
    """All mutants, ``N_PROCESSES`` at a time."""
    with TemporaryDirectory(prefix="mutants-") as folder, ThreadPoolExecutor(N_PROCESSES) as pool:
        trees: SimpleQueue[Path] = SimpleQueue()
        for number in range(N_PROCESSES):
            trees.put(_copy(Path(folder) / str(number)))
        return list(pool.map(Judge(trees).judge, mutants))


def report(results: Sequence[Judged]) -> str:
    """Counts by package, then everything that was not killed."""
    counts = Counter((one.package, one.verdict) for one in results)
    packages = sorted({one.package for one in results})
    totals = {verdict: sum(one.verdict == verdict for one in results) for verdict in VERDICTS}
    lines = [f"{'package':22}" + "".join(f"{verdict:>10}" for verdict in VERDICTS)]
    lines += [f"{name:22}" + "".join(f"{counts[name, verdict]:10}" for verdict in VERDICTS) for name in packages]
    lines += [f"{'all':22}" + "".join(f"{totals[verdict]:10}" for verdict in VERDICTS)]
    left = sorted((one.mutant.path, one.mutant.start, one) for one in results if one.verdict != "killed")
    lines += [f"{one.verdict:9}{path}:{one.change}" for path, _, one in left]
    return "\n".join(lines)


def main(number: int = 200, seed: int = 1, only: str = "") -> None:
    """Judges a sample of the mutants of files whose path begins with ``only``, and prints the report."""
    os.nice(19)
    paths = [path for path in sources("core", "gui") if path.startswith(MUTATED) and path.startswith(only)]
    mutants = work_list(ROOT, paths)
    sample = sampled(mutants, number, seed)
    print(f"{len(sample)} of {len(mutants)} mutants, seed {seed}", file=sys.stderr)
    print(report(judge_all(sample)))


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), *sys.argv[3:])
