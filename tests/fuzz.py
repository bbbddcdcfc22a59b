"""``make fuzz SECONDS=n``: the property tests with fresh examples, file after file, until the time is over.

``make test`` draws the same examples on every run; here each file gets a seed of its own, which is printed with what
fails: ``pytest --hypothesis-profile=fuzz --hypothesis-seed=SEED FILE`` draws the same ones again.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from collections.abc import Iterator

from tests.repository_files import ROOT, imported, tracked


def property_files() -> list[str]:
    """Test files that draw examples."""
    tests = (name for name in tracked() if name.startswith("tests/") and name.rsplit("/", 1)[-1].startswith("test_"))
    return [name for name in tests if name.endswith(".py") and "hypothesis" in imported(name)]


def rounds(files: list[str], chance: random.Random) -> Iterator[tuple[str, int]]:
    """Files and seeds without end: every file once in an order by chance, then all anew."""
    while True:
        for name in chance.sample(files, len(files)):
            yield name, chance.getrandbits(32)


def fails(name: str, seed: int, limit_s: float) -> bool:
    """True when examples of a file fail; no answer within the time that is left is none."""
    words = ["-q", "-x", "-p", "no:cacheprovider", "-m", "hypothesis", "--hypothesis-profile=fuzz"]
    command = [sys.executable, "-m", "pytest", *words, f"--hypothesis-seed={seed}", name]
    environment = os.environ | {"QT_QPA_PLATFORM": "offscreen"}
    try:
        done = subprocess.run(
            command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=limit_s, check=False
        )
    except subprocess.TimeoutExpired:
        return False
    if done.returncode:
        print(done.stdout, done.stderr, f"Fails with seed {seed}: {name}", sep="\n", flush=True)
    return done.returncode != 0


def main(seconds: float) -> int:
    """Runs files until ``seconds`` are over; status 1 when any failed."""
    end, n_runs, failed = time.monotonic() + seconds, 0, set()
    for name, seed in rounds(property_files(), random.SystemRandom()):
        left_s = end - time.monotonic()
        if left_s <= 0:
            break
        n_runs += 1
        failed |= {name} if fails(name, seed, left_s) else set()
    print(f"{n_runs} runs of {len(property_files())} files, {len(failed)} failed", *sorted(failed), sep="\n  ")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(float(sys.argv[1])))
