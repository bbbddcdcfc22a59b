"""Speed of the throughput engine and of reading logs."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path

from figures_core import median_ms

from core.calibration.measured.system import measured_system
from core.catalogue.loading import load_catalogue
from core.logs.read import read_log
from core.throughput.chips.fleet import fleet_of
from core.throughput.predict import predict
from core.throughput.training.layouts import training_layouts
from core.workload.jobs.kinds import PreTraining
from core.workload.models.known import presets
from core.workload.profile import Profile

N_ROWS = 1_000_000


def _gpt3() -> Profile:
    job = PreTraining(n_tokens=3e11, sequence_length=2048, global_batch_sequences=1536)
    return Profile(model=presets()["GPT-3 175B"].model, job=job)


def layouts_per_s() -> float:
    """Layouts of GPT-3 175B on 512 clusters of A100, evaluated a second on one core."""
    profile = _gpt3()
    systems = [measured_system(load_catalogue(), "a100-sxm-80", 512 + 8 * n) for n in range(512)]
    job = profile.job
    assert isinstance(job, PreTraining)
    n_layouts = training_layouts(fleet_of(systems, job.precision), profile.model, job).n_rows
    return n_layouts / (median_ms(lambda: predict(profile, systems), 3) / 1000)


def search_gpt3_175b_4096_s() -> float:
    """Every layout of GPT-3 175B on 4,096 A100."""
    profile, system = _gpt3(), measured_system(load_catalogue(), "a100-sxm-80", 4096)
    return median_ms(lambda: predict(profile, [system]), 5) / 1000


def engine_import_ms() -> float:
    """Importing the engine in a fresh interpreter, less the interpreter's own start."""

    def run(code: str) -> float:
        return median_ms(lambda: subprocess.run([sys.executable, "-c", code], check=True), 5)

    return run("import core.throughput.predict") - run("pass")


_HEADER = (
    "timestamp, index, name, uuid, pci.bus_id, driver_version, pstate, temperature.gpu, temperature.memory, "
    "utilization.gpu [%], utilization.memory [%], memory.total [MiB], memory.used [MiB], memory.free [MiB], "
    "power.draw [W], power.limit [W], clocks.current.sm [MHz], clocks.current.memory [MHz], fan.speed [%], "
    "clocks_event_reasons.active, ecc.errors.uncorrected.volatile.total\n"
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


def smi_1m_s() -> float:
    """Reading an nvidia-smi CSV of a million rows and 21 columns, units stripped, stamps parsed."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "smi.csv"
        _write_log(path, N_ROWS)
        start_s = time.perf_counter()
        read_log(path)
        return time.perf_counter() - start_s


_READS = (
    "import pathlib, sys; from core.logs.read import read_log; read_log(pathlib.Path(sys.argv[1])); "
    "print(next(line.split()[1] for line in open('/proc/self/status') if line.startswith('VmHWM')))"
)


def smi_1m_rss_mib() -> float:
    """Memory of a whole process that reads such a file, at most, as the system counts it; on Linux alone."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "smi.csv"
        _write_log(path, N_ROWS)
        told = subprocess.run([sys.executable, "-c", _READS, str(path)], check=True, capture_output=True, text=True)
        return int(told.stdout) / 1024


FIGURES = {
    "layouts_per_s": (layouts_per_s, "1/s"),
    "search_gpt3_175b_4096_s": (search_gpt3_175b_4096_s, "s"),
    "engine_import_ms": (engine_import_ms, "ms"),
    "smi_1m_s": (smi_1m_s, "s"),
    "smi_1m_rss_mib": (smi_1m_rss_mib, "MiB"),
}
