"""``make mutants N=200 SEED=1 ONLY=core/cost``: which small changes of the code do the tests not notice?

Every test file of the core and of the charts runs once on the code as it is, and the lines it runs are recorded; what
has not changed since is kept in ``build/``. A seeded sample of mutants (``work_list`` says of what, and what is left
out) is judged in copies of the tree, each by the test files that run its line, nearest and quickest first, until one
fails or they have taken a tenth of the time of all, so that a few more are said to survive than do. What no test kills
is printed with its change: either a test is missing, or the change makes no difference (looks in pixels, tolerances,
first guesses of a search). ``MUTANTS_PROCESSES=1`` leaves the other core to others.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from difflib import unified_diff
from pathlib import Path
from queue import SimpleQueue
from tempfile import TemporaryDirectory
from typing import Literal

from tests.mutants.selection import header_of, judges_of, runners_of, users_of
from tests.mutants.server import Answer, Server
from tests.mutants.work_list import Mutant, sampled, work_list
from tests.repository_files import ROOT, imported, sources, text_of, tracked

MUTATED = ("core/", "gui/charts/")
N_PROCESSES = int(os.environ.get("MUTANTS_PROCESSES", "2"))
RECORDS = ROOT / "build" / "mutants.json"
LIMIT_S = 1200.0
"""A test file may take so long."""
LIMIT_FACTOR = 4.0
"""A mutant whose tests take so many times longer than on the code as it is, and a minute, counts as timed out."""

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
    """Processes that are free, what each file of the project imports, and what each test file runs."""

    servers: SimpleQueue[Server]
    imports: Mapping[str, Collection[str]]
    records: Mapping[str, Answer]

    def judge(self, mutant: Mutant) -> Judged:
        """Runs the tests on a mutant in a copy that is free, and tells what came of it on standard error."""
        server = self.servers.get()
        start = time.monotonic()
        try:
            judged = self._judged(server, mutant)
        finally:
            self.servers.put(server)
        took_s = time.monotonic() - start
        print(f"{judged.verdict:9}{took_s:6.1f} s {mutant.path}:{judged.change}", file=sys.stderr, flush=True)
        return judged

    def _judged(self, server: Server, mutant: Mutant) -> Judged:
        path = server.tree / mutant.path
        original = path.read_text(encoding="utf-8")
        changed = mutant.source(original)
        tests = self._tests_of(mutant, original)
        path.write_text(changed, encoding="utf-8")
        try:
            status = server.run(tests, 60 + LIMIT_FACTOR * sum(self.records[test].seconds for test in tests)).status
        finally:
            path.write_text(original, encoding="utf-8")
        verdict: Verdict = "timeout" if status is None else "killed" if status else "survived"
        return Judged(mutant, verdict, change_of(mutant, original, changed))

    def _tests_of(self, mutant: Mutant, original: str) -> tuple[str, ...]:
        near = judges_of(mutant.path, self.imports)
        return runners_of(mutant.path, header_of(original, mutant.start[0]), near, self.records)


def change_of(mutant: Mutant, original: str, changed: str) -> str:
    """The number of the line and what stands there before and after."""
    diff = list(unified_diff(original.splitlines(), changed.splitlines(), n=0, lineterm=""))[3:]
    before, after = (" ".join(line[1:].strip() for line in diff if line.startswith(sign)) for sign in "-+")
    return f"{mutant.start[0]}: {before} → {after}"


def _copy(folder: Path) -> Path:
    """A copy of what git tracks, compiled so that only a changed file is compiled anew."""
    for name in tracked():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, folder / name)
    compiled = [sys.executable, "-m", "compileall", "-q", "--invalidation-mode", "checked-hash", "core", "gui"]
    subprocess.run(compiled, cwd=folder, check=True)
    return folder


@contextmanager
def _servers(number: int) -> Iterator[SimpleQueue[Server]]:
    """So many processes, each in a copy of the tree of its own."""
    with TemporaryDirectory(prefix="mutants-") as folder:
        servers = [Server(_copy(Path(folder) / str(one))) for one in range(number)]
        free: SimpleQueue[Server] = SimpleQueue()
        for server in servers:
            free.put(server)
        try:
            yield free
        finally:
            for server in servers:
                server.close()


def _stamp(test: str, imports: Mapping[str, Collection[str]]) -> str:
    """Changes with the text of a test file and of the files of the project that it imports, directly or not."""
    used, newest = {test}, {test}
    while newest:
        names = {name.replace(".", "/") for one in newest for name in imports[one]}
        newest = {f"{name}{end}" for name in names for end in (".py", "/__init__.py")} & imports.keys() - used
        used |= newest
    shared = {name for name in imports if name.endswith("conftest.py")}
    return hashlib.sha256("\0".join(text_of(name) for name in sorted(used | shared)).encode()).hexdigest()


def _recorded(tests: Collection[str], servers: SimpleQueue[Server], stamps: Mapping[str, str]) -> dict[str, Answer]:
    """What each test file runs on the code as it is. Raises SystemExit when one fails."""
    kept = json.loads(RECORDS.read_text()) if RECORDS.exists() else {}
    known = {test: Answer(**kept[stamps[test]]) for test in tests if stamps[test] in kept}

    def run(test: str) -> Answer:
        server = servers.get()
        try:
            return server.run([test], LIMIT_S, record=True)
        finally:
            servers.put(server)

    missing = sorted(set(tests) - known.keys())
    print(f"{len(missing)} of {len(tests)} test files are run once on the code as it is", file=sys.stderr, flush=True)
    with ThreadPoolExecutor(N_PROCESSES) as pool:
        known |= dict(zip(missing, pool.map(run, missing), strict=True))
    RECORDS.parent.mkdir(exist_ok=True)
    passed = {stamps[test]: asdict(record) for test, record in known.items() if record.status == 0}
    RECORDS.write_text(json.dumps(passed))
    if failed := sorted(known.keys() - {test for test in known if stamps[test] in passed}):
        raise SystemExit(f"Tests fail on the code as it is: {', '.join(failed)}")
    return known


def judge_all(mutants: Sequence[Mutant]) -> list[Judged]:
    """All mutants, ``N_PROCESSES`` at a time."""
    imports = {name: imported(name) for name in sources("core", "gui", "tests")}
    paths = {mutant.path for mutant in mutants}
    tests = {test for path in paths for test in (*judges_of(path, imports), *users_of(path, imports))}
    with _servers(N_PROCESSES) as servers, ThreadPoolExecutor(N_PROCESSES) as pool:
        judge = Judge(servers, imports, _recorded(tests, servers, {test: _stamp(test, imports) for test in tests}))
        judged = list(pool.map(judge.judge, mutants))
        _still_pass(servers, min(judge.records, key=lambda test: judge.records[test].seconds))
    return judged


def _still_pass(servers: SimpleQueue[Server], test: str) -> None:
    """Raises SystemExit where a test fails on the code as it is after all: what it was said to kill lives, perhaps."""
    for _ in range(N_PROCESSES):
        server = servers.get()
        if server.run([test], LIMIT_S).status:
            raise SystemExit(
                f"{test} fails on the code as it is now: the environment changed while mutants were judged"
            )


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
