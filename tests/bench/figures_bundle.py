"""The packaged app: its size, its first window, its memory. Needs ``make app``, or ROOFPLAN_APP with another program.

Where no packaged app is there are no figures of it. Started off screen; cold means that the files of the app were
dropped from the system's page cache before, which needs Linux.
"""

from __future__ import annotations

import os
import select
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from statistics import median
from time import perf_counter, sleep

ROOT = Path(__file__).resolve().parent.parent.parent
PROGRAM = Path(os.environ.get("ROOFPLAN_APP", ROOT / "dist" / "roofplan" / "roofplan"))
N_STARTS = 5
GLIMPSE, WINDOW = "glimpse", "window"
"""What the app tells: the first picture with its name, and the whole window, when they are painted."""

PATIENCE_S = 60.0
REST_S = 8.0
"""From the first results until all workloads are answered and what is free was given back."""

_HIGH_WATER, _RESIDENT = "VmHWM", "VmRSS"


def unpacked_mb() -> float:
    """Bytes of all files, links not counted."""
    return sum(path.stat().st_size for path in _files()) / 1e6


def warm_s(word: str) -> float:
    """From the command to what the app tells by ``word``, with the files in the page cache."""
    _start_s(word)
    return median(_start_s(word) for _ in range(N_STARTS))


def cold_s(word: str) -> float:
    """From the command to what the app tells by ``word``, with the app's files read from the disk."""
    return median(_cold_start_s(word) for _ in range(N_STARTS))


def _cold_start_s(word: str) -> float:
    for path in _files():
        with path.open("rb") as file:
            os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
    return _start_s(word)


def _start_s(word: str) -> float:
    started = perf_counter()
    with _started(word):
        return perf_counter() - started


def full_window_cpu_s() -> float:
    """Processor time until the whole window is painted: a warm start on a machine that does nothing else."""
    return median(_full_window_cpu_s() for _ in range(N_STARTS))


def _full_window_cpu_s() -> float:
    with _started(WINDOW) as process_id:
        ticks = Path(f"/proc/{process_id}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[11:13]
    return sum(map(int, ticks)) / os.sysconf("SC_CLK_TCK")


def sample_plan_rss_mb() -> float:
    """Memory of the process once the sample plan is answered in all and lies still."""
    with _started("results") as process_id:
        sleep(REST_S)
        return _memory_mb(process_id, _RESIDENT)


def sample_plan_peak_rss_mb() -> float:
    """The most that the process had of memory until then."""
    with _started("results") as process_id:
        sleep(REST_S)
        return _memory_mb(process_id, _HIGH_WATER)


def _memory_mb(process_id: int, name: str) -> float:
    lines = Path(f"/proc/{process_id}/status").read_text(encoding="utf-8").splitlines()
    [kib] = [line.split()[1] for line in lines if line.startswith(f"{name}:")]
    return int(kib) * 1024 / 1e6


def _files() -> list[Path]:
    return [path for path in PROGRAM.parent.rglob("*") if path.is_file() and not path.is_symlink()]


@contextmanager
def _started(word: str) -> Iterator[int]:
    """The app with the sample plan, as soon as it tells a line that begins with ``word``; gives its process id."""
    with tempfile.TemporaryDirectory() as folder:
        pipe = Path(folder) / "ready"
        os.mkfifo(pipe)
        reader = os.open(pipe, os.O_RDWR | os.O_NONBLOCK)
        own = {"QT_QPA_PLATFORM": "offscreen", "ROOFPLAN_READY_FILE": str(pipe), "ROOFPLAN_HOME": folder}
        program = subprocess.Popen([PROGRAM, "--sample"], env={**os.environ, **own})
        try:
            _wait_for(word, reader)
            yield program.pid
        finally:
            program.kill()
            program.wait()
            os.close(reader)


def _wait_for(word: str, reader: int) -> None:
    told = ""
    while f"\n{word} " not in f"\n{told}":
        ready, _, _ = select.select([reader], [], [], PATIENCE_S)
        if not ready:
            raise RuntimeError(f"no {word!r} within {PATIENCE_S:.0f} s; told so far: {told!r}")
        told += os.read(reader, 65536).decode()


FIGURES = (
    {
        "app_unpacked_mb": (unpacked_mb, "MB"),
        "app_full_window_cpu_s": (full_window_cpu_s, "s"),
        "app_first_window_warm_s": (partial(warm_s, GLIMPSE), "s"),
        "app_first_window_cold_s": (partial(cold_s, GLIMPSE), "s"),
        "app_full_window_warm_s": (partial(warm_s, WINDOW), "s"),
        "app_full_window_cold_s": (partial(cold_s, WINDOW), "s"),
        "app_sample_plan_rss_mb": (sample_plan_rss_mb, "MB"),
        "app_sample_plan_peak_rss_mb": (sample_plan_peak_rss_mb, "MB"),
    }
    if PROGRAM.is_file()
    else {}
)
