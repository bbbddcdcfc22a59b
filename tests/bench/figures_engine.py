"""Speed of the throughput engine and of reading logs."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
import tracemalloc
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


def _write_log(path: Path, n_rows: int) -> None:
    """A log of our own: eight GPUs, a reading a second, units in the cells."""
    with path.open("w", encoding="utf-8") as file:
        file.write("timestamp, index, name, utilization.gpu [%], memory.used [MiB], power.draw [W]\n")
        for row in range(n_rows):
            tick, gpu = divmod(row, 8)
            hours, rest = divmod(tick, 3600)
            stamp = f"2026/10/{1 + hours // 24:02d} {hours % 24:02d}:{rest // 60:02d}:{rest % 60:02d}.{gpu:03d}"
            file.write(
                f"{stamp}, {gpu}, NVIDIA H100 80GB HBM3, {90 + row % 9} %, {70000 + gpu} MiB, {600 + row % 7}.5 W\n"
            )


def smi_1m_s() -> float:
    """Reading an nvidia-smi CSV of a million rows, units stripped, stamps parsed."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "smi.csv"
        _write_log(path, N_ROWS)
        start_s = time.perf_counter()
        read_log(path)
        return time.perf_counter() - start_s


def smi_1m_peak_mib() -> float:
    """Memory that Python and NumPy hold at most meanwhile, estimated from a tenth of the rows."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "smi.csv"
        _write_log(path, N_ROWS // 10)
        tracemalloc.start()
        read_log(path)
        peak_bytes = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return 10 * peak_bytes / 2**20


FIGURES = {
    "layouts_per_s": (layouts_per_s, "1/s"),
    "search_gpt3_175b_4096_s": (search_gpt3_175b_4096_s, "s"),
    "engine_import_ms": (engine_import_ms, "ms"),
    "smi_1m_s": (smi_1m_s, "s"),
    "smi_1m_peak_mib": (smi_1m_peak_mib, "MiB"),
}
