"""Speed and memory of reading logs, beside polars on the same file.

polars is no part of the program and not of its environment: it is measured where ``ROOFPLAN_POLARS`` names a Python
that has it, or this one does; else the ratios are ``nan``.
"""

from __future__ import annotations

import importlib.util
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

N_ROWS = 1_000_000
_TIMES = 3
_HEADER = (
    "timestamp, index, name, uuid, pci.bus_id, driver_version, pstate, temperature.gpu, temperature.memory, "
    "utilization.gpu [%], utilization.memory [%], memory.total [MiB], memory.used [MiB], memory.free [MiB], "
    "power.draw [W], power.limit [W], clocks.current.sm [MHz], clocks.current.memory [MHz], fan.speed [%], "
    "clocks_event_reasons.active, ecc.errors.uncorrected.volatile.total\n"
)
_TOLD = (
    "print(time.perf_counter() - start_s, time.process_time() - cpu_s, "
    "next(line.split()[1] for line in open('/proc/self/status') if line.startswith('VmHWM')))"
)
_OURS = (
    "import pathlib, sys, time; from core.logs.read import read_log; from core.logs.registry import formats; "
    "formats(); start_s, cpu_s = time.perf_counter(), time.process_time(); "
    "read_log(pathlib.Path(sys.argv[1])); " + _TOLD
)
_POLARS = (
    "import sys, time; import polars as pl; start_s, cpu_s = time.perf_counter(), time.process_time(); "
    "rows = pl.read_csv(sys.argv[1], infer_schema=False); "
    "rows = rows.rename({name: name.strip() for name in rows.columns}); "
    "wanted = [name for name in rows.columns if name.startswith(('temperature', 'utilization', 'memory.t', 'memory.u', "
    "'power', 'clocks.'))]; "
    "rows.select(pl.col('timestamp').str.to_datetime('%Y/%m/%d %H:%M:%S%.3f'), pl.col('uuid'), "
    "*[pl.col(name).str.extract(r'([-+]?[0-9]+(?:[.][0-9]+)?)').cast(pl.Float64) for name in wanted]).mean(); " + _TOLD
)


def _write_log(path: Path, n_rows: int) -> None:
    """A log of our own: eight GPUs, a reading a second, all that is usually asked, units in the cells."""
    with path.open("w", encoding="utf-8") as file:
        file.write(_HEADER)
        for row in range(n_rows):
            tick, gpu = divmod(row, 8)
            hours, rest = divmod(tick, 3600)
            stamp = f"2026/10/{1 + hours // 24:02d} {hours % 24:02d}:{rest // 60:02d}:{rest % 60:02d}.{gpu:03d}"
            used = 70_000 + 128 * gpu + tick % 80
            file.write(
                f"{stamp}, {gpu}, NVIDIA H100 80GB HBM3, GPU-0a{gpu}c5e77-1b2d-4c3e-8f90-a1b2c3d4e5f{gpu}, "
                f"00000000:{0x19 + 16 * gpu:02X}:00.0, 570.86.15, P0, {60 + row % 9}, {68 + row % 9}, "
                f"{90 + row % 9} %, {45 + row % 7} %, 81559 MiB, {used} MiB, {81_008 - used} MiB, "
                f"{600 + row % 70}.5{row % 10} W, 700.00 W, {1980 - 15 * (row % 5)} MHz, 2619 MHz, [N/A], "
                "0x0000000000000000, 0\n"
            )


@contextmanager
def _log(n_times: int = 1) -> Iterator[Path]:
    """A million rows, so many times after one another."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "smi.csv"
        _write_log(path, N_ROWS)
        rows = path.read_bytes()[len(_HEADER) :] if n_times > 1 else b""
        with path.open("ab") as file:
            for _ in range(n_times - 1):
                file.write(rows)
        del rows
        yield path


def _run(python: str, code: str, path: Path) -> tuple[float, float, float]:
    """Seconds of the wall clock, seconds of the processors, and at most MiB of the whole process; on Linux alone."""
    told = subprocess.run([python, "-c", code, str(path)], check=True, capture_output=True, text=True).stdout.split()
    return float(told[0]), float(told[1]), int(told[2]) / 1024


def smi_1m_s() -> float:
    """Reading an nvidia-smi CSV of a million rows and 21 columns, units stripped, stamps parsed."""
    with _log() as path:
        return statistics.median(_run(sys.executable, _OURS, path)[0] for _ in range(_TIMES))


def _ratio(which: int) -> float:
    """Ours over polars', each in a process of its own, in turn."""
    python = os.environ.get("ROOFPLAN_POLARS") or (sys.executable if importlib.util.find_spec("polars") else "")
    if not python:
        return float("nan")
    with _log() as path:
        runs = [(_run(sys.executable, _OURS, path), _run(python, _POLARS, path)) for _ in range(_TIMES)]
    return statistics.median(ours[which] for ours, _ in runs) / statistics.median(theirs[which] for _, theirs in runs)


def smi_1m() -> float:
    """Time of reading a million rows over the time that polars takes for the same columns, by the wall clock."""
    return _ratio(0)


def smi_1m_cpu() -> float:
    """The same by the time of the processors, of which polars uses all."""
    return _ratio(1)


def smi_1m_rss_mib() -> float:
    """Memory of a whole process that reads such a file."""
    with _log() as path:
        return _run(sys.executable, _OURS, path)[2]


def smi_10m_rss_mib() -> float:
    """The same with ten million rows."""
    with _log(10) as path:
        return _run(sys.executable, _OURS, path)[2]


FIGURES = {
    "smi_1m": (smi_1m, "times polars"),
    "smi_1m_cpu": (smi_1m_cpu, "times polars"),
    "smi_1m_s": (smi_1m_s, "s"),
    "smi_1m_rss_mib": (smi_1m_rss_mib, "MiB"),
    "smi_10m_rss_mib": (smi_10m_rss_mib, "MiB"),
}
