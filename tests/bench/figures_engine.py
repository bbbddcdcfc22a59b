"""Speed of the throughput engine."""

from __future__ import annotations

import subprocess
import sys

from figures_core import median_ms

from core.calibration.measured.system import measured_system
from core.catalogue.loading import load_catalogue
from core.throughput.chips.fleet import fleet_of
from core.throughput.predict import predict
from core.throughput.training.layouts import training_layouts
from core.workload.jobs.kinds import PreTraining
from core.workload.models.known import presets
from core.workload.profile import Profile


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


FIGURES = {
    "layouts_per_s": (layouts_per_s, "1/s"),
    "search_gpt3_175b_4096_s": (search_gpt3_175b_4096_s, "s"),
    "engine_import_ms": (engine_import_ms, "ms"),
}
