"""``make mutants N=200 SEED=1 ONLY=core/cost``: which small changes of the code do the tests not notice?

A seeded sample of mutants (``work_list`` says of what, and what is left out) is judged in two copies of the tree, each
by the tests that mirror its room and a few of the whole engine, and if those do not notice, by all tests of the core
(or of the charts) that import the module. A mutant that no test kills is printed with its change: either a test is
missing, or the change makes no difference (looks in pixels, tolerances, first guesses of a search).
``MUTANTS_PROCESSES=1`` leaves the other core to others.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from difflib import unified_diff
from pathlib import Path
from queue import SimpleQueue
from tempfile import TemporaryDirectory
from typing import Literal

from tests.mutants.selection import judges_of, users_of
from tests.mutants.work_list import Mutant, sampled, work_list
from tests.repository_files import ROOT, imported, sources, tracked

MUTATED = ("core/", "gui/charts/")
N_PROCESSES = int(os.environ.get("MUTANTS_PROCESSES", "2"))
LIMIT_S = 1200.0
"""A mutant whose tests take longer counts as timed out: all tests of the core take a tenth of it on two busy cores."""

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


@dataclass(frozen=True)
class Judge:
    """Copies of the tree that are free, and what each file of the project imports."""

    trees: SimpleQueue[Path]
    imports: Mapping[str, Collection[str]]

    def judge(self, mutant: Mutant) -> Judged:
        """Runs the tests on a mutant in a copy that is free, and tells what came of it on standard error."""
        tree = self.trees.get()
        start = time.monotonic()
        try:
            judged = self._judged(tree, mutant)
        finally:
            self.trees.put(tree)
        took_s = time.monotonic() - start
        print(f"{judged.verdict:9}{took_s:6.1f} s {mutant.path}:{judged.change}", file=sys.stderr, flush=True)
        return judged

    def _judged(self, tree: Path, mutant: Mutant) -> Judged:
        path = tree / mutant.path
        original = path.read_text(encoding="utf-8")
        changed = mutant.source(original)
        path.write_text(changed, encoding="utf-8")
        try:
            verdict = self._verdict(tree, mutant.path)
        finally:
            path.write_text(original, encoding="utf-8")
        return Judged(mutant, verdict, change_of(mutant, original, changed))

    def _verdict(self, tree: Path, path: str) -> Verdict:
        near = judges_of(path, self.imports)
        far = tuple(name for name in users_of(path, self.imports) if name not in near)
        for tests in (near, far):
            status = _run(tree, tests) if tests else 0
            if status != 0:
                return "timeout" if status is None else "killed"
        return "survived"

    def check(self, paths: Collection[str]) -> None:
        """Raises SystemExit when tests that judge any of these modules fail on the code as it is."""
        tests = {test for path in paths for test in (*judges_of(path, self.imports), *users_of(path, self.imports))}
        tree = self.trees.get()
        if _run(tree, sorted(tests)):
            raise SystemExit("Tests fail on the code as it is: make test tells which")
        self.trees.put(tree)


def change_of(mutant: Mutant, original: str, changed: str) -> str:
    """The number of the line and what stands there before and after."""
    diff = list(unified_diff(original.splitlines(), changed.splitlines(), n=0, lineterm=""))[3:]
    before, after = (" ".join(line[1:].strip() for line in diff if line.startswith(sign)) for sign in "-+")
    return f"{mutant.start[0]}: {before} → {after}"


def _run(tree: Path, tests: Sequence[str]) -> int | None:
    """Status of the tests in a copy, 0 when all pass; None when they take too long."""
    words = ["-x", "-q", "-p", "no:xdist", "--hypothesis-profile=mutants"]
    environment = {
        **os.environ, "PYTHONPATH": str(tree), "PYTHONDONTWRITEBYTECODE": "1", "OMP_NUM_THREADS": "1",
        "QT_QPA_PLATFORM": "offscreen",
    }  # fmt: skip
    command = [sys.executable, "-m", "pytest", *words, *tests]
    with subprocess.Popen(
        command, cwd=tree, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
    ) as process:
        try:
            return process.wait(LIMIT_S)
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
        judge = Judge(trees, {name: imported(name) for name in sources("core", "gui", "tests")})
        judge.check({mutant.path for mutant in mutants})
        return list(pool.map(judge.judge, mutants))


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
