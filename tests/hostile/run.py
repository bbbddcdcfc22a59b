"""``make fuzz-readers N=200000``: damaged files into every reader, one after the other.

A reader may answer or say in one short sentence what is wrong; anything else, and whatever takes longer than LIMIT_S
of processor time, is a finding. What is found is kept below ``build/fuzz`` by reader; one that is mended moves to
``tests/data/hostile``.
``SEED=2`` draws others, ``ONLY=prices`` asks one reader, ``FIRST=1000`` begins with that number.
"""

from __future__ import annotations

import hashlib
import random
import resource
import signal
import sys
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FrameType

from core.errors import RoofplanError
from tests.hostile.doors import DOORS, Door
from tests.hostile.mutations import damaged
from tests.repository_files import ROOT

LIMIT_S = 5.0
"""Of processor time: what other programs of the machine take is no fault of a reader."""

STALL_S = 60.0
"""On the clock, for a reader that waits for ever and takes none."""

MOST_MIB = 500
TOLD_MIB = 30
KEPT_OF_EACH = 3
LONGEST_SENTENCE = 1500
FOUND = ROOT / "build" / "fuzz"


class HangError(BaseException):
    """A reader takes too long."""


class LongSentenceError(BaseException):
    """What is told of a file is longer than anybody reads."""


@contextmanager
def limited(seconds: float, stall_s: float = STALL_S) -> Iterator[None]:
    """Raises HangError after so much processor time, or so long on the clock."""

    def stop(_: int, __: FrameType | None) -> None:
        raise HangError

    timers = (signal.ITIMER_PROF, signal.SIGPROF, seconds), (signal.ITIMER_REAL, signal.SIGALRM, stall_s)
    before = {number: signal.signal(number, stop) for _, number, _ in timers}
    for timer, _, limit_s in timers:
        signal.setitimer(timer, limit_s)
    try:
        yield
    finally:
        for timer, number, _ in timers:
            signal.setitimer(timer, 0)
            signal.signal(number, before[number])


def outcome(door: Door, path: Path, limit_s: float = LIMIT_S) -> str:
    """``read`` or ``refused``. Raises whatever the reader raises besides, and as :func:`limited`."""
    try:
        with limited(limit_s):
            door.read(path)
    except RoofplanError as error:
        if len(str(error)) > LONGEST_SENTENCE:
            raise LongSentenceError(str(error)[:300]) from None
        return "refused"
    return "read"


def case(name: str, number: int, seed: int) -> bytes:
    """The same bytes for the same number and seed."""
    door = DOORS[name]
    return damaged(door.seeds(), random.Random(f"{seed}:{name}:{number}"), door.may_be_packed)


def peak_mib() -> float:
    """Most memory that this process has held."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1024 if sys.platform != "darwin" else 2**20)


def _keep(name: str, data: bytes, error: BaseException) -> None:
    folder = FOUND / name
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"{hashlib.sha256(data).hexdigest()[:12]}{DOORS[name].suffix}"
    file.write_bytes(data)
    last = traceback.extract_tb(error.__traceback__)[-1]
    print(f"{type(error).__name__} in {last.filename}:{last.lineno}: {str(error)[:160]}\n  kept as {file}", flush=True)


class Tally:
    """What came of the inputs so far."""

    def __init__(self) -> None:
        self.outcomes, self.found, self.slowest_s = Counter[str](), Counter[str](), 0.0

    def ask(self, name: str, data: bytes, path: Path) -> None:
        """One input into one reader; a few of each finding are kept."""
        path.write_bytes(data)
        start = time.process_time()
        try:
            self.outcomes[f"{name} {outcome(DOORS[name], path)}"] += 1
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            last = traceback.extract_tb(error.__traceback__)[-1]
            key = f"{name}: {type(error).__name__} in {last.name}"
            self.found[key] += 1
            if self.found[key] <= KEPT_OF_EACH:
                _keep(name, data, error)
        self.slowest_s = max(self.slowest_s, time.process_time() - start)

    def words(self) -> str:
        """A line for each outcome and each finding."""
        read = [f"{number:8} {name}" for name, number in sorted(self.outcomes.items())]
        return "\n".join([*read, *(f"FOUND {number} x {key}" for key, number in self.found.most_common())])


def main(n_inputs: int, seed: int, only: str, first: int) -> int:
    """Asks every reader in turn; status 1 when anything was found or too much memory was held."""
    warnings.simplefilter("error", RuntimeWarning)
    names = [name for name in DOORS if only in ("", name)]
    if not names:
        sys.exit(f"No reader {only!r}, only {', '.join(DOORS)}")
    began, tally = time.monotonic(), Tally()
    with TemporaryDirectory() as folder:
        for number in range(first, first + n_inputs):
            name = names[number % len(names)]
            before = peak_mib()
            tally.ask(name, case(name, number, seed), Path(folder) / f"file{DOORS[name].suffix}")
            if peak_mib() > before + TOLD_MIB:
                print(f"memory {before:.0f} -> {peak_mib():.0f} MiB: {name} {number}", flush=True)
    print(tally.words())
    took_s = time.monotonic() - began
    words = f"{n_inputs} inputs, {tally.found.total()} findings, slowest {tally.slowest_s:.2f} s, {took_s:.0f} s in all"
    print(f"{words}, at most {peak_mib():.0f} MiB")
    return 1 if tally.found or peak_mib() > MOST_MIB else 0


if __name__ == "__main__":
    asked = [*sys.argv[1:], *("", "", "", "")][:4]
    sys.exit(main(int(asked[0] or 200_000), int(asked[1] or 1), asked[2], int(asked[3] or 0)))
