"""``make kill N=1000``: programs killed at random moments while they save, autosave, migrate and keep copies.

Other processes read the files all the time. Every file has to be whole at every moment, and once somebody has opened
or saved again, nothing may be left of the dead.
"""

from __future__ import annotations

import os
import random
import signal
import sqlite3
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import NoReturn

from core.errors import RoofplanError
from core.plan import recovery
from core.plan.holder import holder, take_hold
from core.plan.plan import Plan
from core.plan.sample_plan import sample_plan
from core.plan.store import load, open_plan, read_rows, save
from gui.session.working_copy import NEW, WorkingCopy, left_over, private_folder

READERS = 2
MOST_S = 0.12
NOTE_LETTERS = 60_000


def numbered(number: int) -> Plan:
    """A plan whose note tells whether it is whole: it says the number of the name all over."""
    note = f"{number} " * (NOTE_LETTERS // len(f"{number} "))
    return sample_plan().model_copy(update={"name": f"New {number}", "note": note})


def is_whole(plan: Plan) -> bool:
    """True when every part is of one and the same save."""
    return plan == numbered(int(plan.name.removeprefix("New ")))


@dataclass
class Tally:
    """What the rounds came to."""

    kills: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)
    n_reads: int = 0

    def check(self, is_well: bool, what: str) -> None:
        """Notes what should not be."""
        if not is_well:
            self.faults.append(what)


def child(act: Callable[[], None]) -> tuple[int, int]:
    """A process that does this until it is killed: its number, and the end of a pipe on which it says that it began."""
    begun, tell = os.pipe()
    number = os.fork()
    if not number:
        _never_return(act, tell)
    os.close(tell)
    return number, begun


def _never_return(act: Callable[[], None], tell: int) -> NoReturn:
    try:
        os.write(tell, b"x")
        act()
    finally:
        os._exit(9)


def killed_while(act: Callable[[], None], chance: random.Random) -> None:
    """Runs this in a process of its own and kills it at a random moment."""
    number, begun = child(act)
    os.read(begun, 1)
    os.close(begun)
    time.sleep(chance.uniform(0, MOST_S))
    os.kill(number, signal.SIGKILL)
    _, status = os.waitpid(number, 0)
    assert os.WIFSIGNALED(status), "it ended by itself"


@contextmanager
def readers(file: Path, tally: Tally) -> Iterator[None]:
    """Processes that open the file again and again; one that finds it not whole is a fault."""
    ends = [os.pipe() for _ in range(READERS)]
    numbers = []
    for begun, tell in ends:
        number = os.fork()
        if not number:
            _read_for_ever(file, tell)
        os.close(tell)
        numbers.append((number, begun))
    try:
        yield
    finally:
        for number, begun in numbers:
            os.kill(number, signal.SIGKILL)
            os.waitpid(number, 0)
            with os.fdopen(begun, "rb") as told:
                words = told.read()
            tally.n_reads += words.count(b".")
            tally.check(b"!" not in words, f"a reader saw a file that is not whole: {words.replace(b'.', b'')!r}")


def _read_for_ever(file: Path, tell: int) -> NoReturn:
    while True:
        try:
            os.write(tell, b"." if is_whole(open_plan(file).plan) else b"!torn")
        except RoofplanError as error:
            os.write(tell, f"!{error}".encode())
        time.sleep(0.005)


def _saves(file: Path, first: int) -> None:
    hold = take_hold(file)
    for number in count(first):
        save(numbered(number), file)
    assert hold


def _autosaves(first: int) -> None:
    copy = WorkingCopy()
    for number in count(first):
        copy.write(numbered(number), NEW, copy.number)
        if number % 5 == 4:
            copy.drop()


def _migrates(file: Path, old: bytes, kept: Path) -> None:
    while True:
        save(load(file), file)
        kept.unlink()
        part = file.with_name("made-by-an-older-roofplan")
        part.write_bytes(old)
        part.replace(file)


def _keeps_copies(first: int) -> None:
    for number in count(first):
        recovery.take(numbered(number))


def save_round(folder: Path, number: int, chance: random.Random, tally: Tally) -> None:
    """A save is cut off; the next one finds a whole file, nobody who has it, and leaves nothing else."""
    file = folder / "plan.roofplan"
    killed_while(lambda: _saves(file, number * 1000), chance)
    tally.check(is_whole(load(file)), "save: the file is not whole")
    tally.check(holder(file) is None, "save: the dead still have it")
    hold = take_hold(file)
    save(numbered(number), file)
    if hold:
        hold.let_go()
    tally.check(_names(folder) == [file.name], f"save: left behind {_names(folder)}")


def migration_round(folder: Path, number: int, chance: random.Random, tally: Tally) -> None:
    """A plan of an older format is brought up to date; whatever was reached, the plan and its backup are whole."""
    file, kept = folder / "plan.roofplan", folder / "plan.format-1.roofplan"
    save(numbered(number), file)
    connection = sqlite3.connect(file)
    connection.execute("PRAGMA user_version = 1")
    connection.close()
    old = file.read_bytes()
    killed_while(lambda: _migrates(file, old, kept), chance)
    tally.check(load(file) == numbered(number), "migration: the file is not whole")
    is_new = read_rows(file)[0] > 1
    tally.check(not kept.exists() or kept.read_bytes() == old, "migration: the backup is not whole")
    (folder / "made-by-an-older-roofplan").unlink(missing_ok=True)
    save(numbered(number), file)
    tally.check(is_new or kept.exists(), "migration: no backup")
    kept.unlink(missing_ok=True)
    tally.check(_names(folder) == [file.name], f"migration: left behind {_names(folder)}")


def autosave_round(folder: Path, number: int, chance: random.Random, tally: Tally) -> None:
    """The unsaved plan of a dead window is whole, or there is none; nothing stays once it is in hands."""
    killed_while(lambda: _autosaves(number * 1000), chance)
    for draft in left_over():
        tally.check(is_whole(draft.plan()), "autosave: the draft is not whole")
        draft.forget()
    left_over()
    names = [name for name in _names(private_folder("open")) if not _is_new_lock(private_folder("open") / name)]
    tally.check(not names, f"autosave: left behind {names}")


def snapshot_round(folder: Path, number: int, chance: random.Random, tally: Tally) -> None:
    """Copies are whole; the next one sweeps what was cut off."""
    killed_while(lambda: _keeps_copies(number * 1000), chance)
    recovery.take(numbered(number))
    paths = list(recovery.folder().iterdir())
    known = recovery.snapshots()
    tally.check(len(known) == len(paths), f"snapshot: left behind {len(paths) - len(known)}")
    for one in known:
        tally.check(is_whole(load(one.path)), "snapshot: a copy is not whole")
        one.path.unlink()


def _is_new_lock(path: Path) -> bool:
    """A lock that was cut off before its first letter is swept an hour later."""
    return path.suffix == ".lock" and not path.stat().st_size


def _names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


ROUNDS = {"save": save_round, "migration": migration_round, "autosave": autosave_round, "snapshot": snapshot_round}


def run(n_kills: int, seed: int) -> Tally:
    """Kills that many programs, of every kind in turn."""
    tally, chance = Tally(), random.Random(seed)
    with tempfile.TemporaryDirectory() as made:
        os.environ["ROOFPLAN_HOME"] = str(Path(made) / "home")
        folder = Path(made) / "plans"
        folder.mkdir()
        save(numbered(0), folder / "plan.roofplan")
        with readers(folder / "plan.roofplan", tally):
            for number in range(n_kills):
                name = list(ROUNDS)[number % len(ROUNDS)]
                ROUNDS[name](folder, number, chance, tally)
                tally.kills[name] += 1
    return tally


def main(n_kills: int, seed: int) -> int:
    """Prints what came of it; status 1 for any fault."""
    tally = run(n_kills, seed)
    print(f"{sum(tally.kills.values())} kills ({', '.join(f'{name} {n}' for name, n in tally.kills.items())})")
    print(f"{tally.n_reads} reads by other processes meanwhile, {len(tally.faults)} faults")
    for fault in tally.faults[:20]:
        print(f"  {fault}")
    return 1 if tally.faults or not tally.n_reads else 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000, int(sys.argv[2]) if len(sys.argv) > 2 else 1))
