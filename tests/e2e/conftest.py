"""A bare virtual screen, the packaged app, and a way to wait for it without guessing."""

from __future__ import annotations

import fcntl
import os
import select
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.repository_files import ROOT

READY_S = 30.0


class ReadyPipe:
    """Named pipe into which the app tells how far it is (see gui/start/readiness.py)."""

    def __init__(self, path: Path) -> None:
        os.mkfifo(path)
        self.path = path
        # Open for writing too: else the pipe ends whenever the program closes it between two lines.
        self._reader = os.open(path, os.O_RDWR | os.O_NONBLOCK)
        self._seen = ""

    def wait_for(self, word: str) -> str:
        """The rest of the next line that starts with ``word``; lines before it are done with.

        Fails when it does not come in time.
        """
        while True:
            whole, _, rest = self._seen.rpartition("\n")
            lines = whole.splitlines()
            for number, line in enumerate(lines):
                if line == word or line.startswith(f"{word} "):
                    self._seen = "\n".join([*lines[number + 1 :], rest])
                    return line.removeprefix(word).strip()
            ready, _, _ = select.select([self._reader], [], [], READY_S)
            assert ready, f"no {word!r} within {READY_S} s; told so far: {self._seen!r}"
            self._seen += os.read(self._reader, 65536).decode()

    def close(self) -> None:
        os.close(self._reader)


@pytest.fixture
def ready_pipe(tmp_path: Path) -> Iterator[ReadyPipe]:
    pipe = ReadyPipe(tmp_path / "ready")
    yield pipe
    pipe.close()


@pytest.fixture(scope="session")
def display() -> Iterator[str]:
    """A virtual screen of 1440 x 900 without a window manager; its number is free, as Xvfb itself found."""
    reader, writer = os.pipe()
    command = ["Xvfb", "-displayfd", str(writer), "-screen", "0", "1440x900x24", "-nolisten", "tcp"]
    server = subprocess.Popen(command, pass_fds=[writer], stderr=subprocess.DEVNULL)
    os.close(writer)
    with os.fdopen(reader) as told:
        number = told.readline().strip()
    assert number, "Xvfb did not start"
    yield f":{number}"
    server.terminate()
    server.wait(10)


@pytest.fixture(scope="session")
def desktop(display: str) -> Iterator[str]:
    """The virtual screen with a window manager, which moves the keyboard to new windows."""
    manager = subprocess.Popen(["openbox"], env={**os.environ, "DISPLAY": display}, stderr=subprocess.DEVNULL)
    yield display
    manager.terminate()
    manager.wait(10)


@pytest.fixture(scope="session")
def frozen_app(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Path:
    """The packaged app, built once for all tests of a run, whichever process asks for it first; ``ROOFPLAN_APP`` names
    one that is installed. Nobody changes it."""
    if installed := os.environ.get("ROOFPLAN_APP"):
        return Path(installed)
    own = tmp_path_factory.getbasetemp()
    dist = (own if worker_id == "master" else own.parent) / "dist"
    program = dist / "roofplan" / "roofplan"
    with Path(f"{dist}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not program.exists():
            _build(dist)
    return program


def _build(dist: Path) -> None:
    builder = [sys.executable, str(ROOT / "packaging" / "make_app.py"), str(dist), "--unchecked"]
    done = subprocess.run(builder, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture
def bare_environment(tmp_path: Path) -> Callable[..., dict[str, str]]:
    """What a program started from the desktop would see: no Python, no Qt setting, its own home."""

    def made(**more: str) -> dict[str, str]:
        home = tmp_path / "home"
        home.mkdir(exist_ok=True)
        return {"PATH": "/usr/bin:/bin", "HOME": str(home), "LANG": "C.UTF-8", "ROOFPLAN_HOME": str(home), **more}

    return made
