"""What one log of one job does for that job's prediction and for those of other models, on rows measured by others.

``python -m tests.bench.carry_over`` takes, of a chip and a software, the source that published most rows. Each of its
rows in turn is written as the log that such a run would leave, read like any other, and accepted as the only
calibration. Then the rows of all other models are predicted without it and with it.
"""

from __future__ import annotations

import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from core.calibration.measured.case import MeasuredCase, any_case_of
from core.calibration.measured.serving import BATCH, CLOSED, ServingCase
from core.calibration.measured.table import MeasuredRow
from core.calibration.own_logs.predicted import predicted
from core.calibration.own_logs.stretches import stretches, window_of
from core.calibration.speed_factors import corrections, propose
from core.calibration.studies.shipped_studies import shipped_table
from core.catalogue.loading import load_catalogue
from core.errors import InputError
from core.logs.read import read_log
from core.logs.record import LogRecord
from core.throughput.types import System
from core.workload.jobs.kinds import OnlineServing
from core.workload.profile import Profile, Stack

N_STEPS = 40
SCATTER = 0.01
"""Relative scatter of a steady step."""
N_REQUESTS = 2000


@dataclass(frozen=True)
class Setup:
    """Rows of some chips, any without one, and of a software, and how such a run writes its log."""

    name: str
    table: str
    chips: tuple[str, ...]
    software: str
    log_of: Callable[[Run], str]

    def holds(self, row: MeasuredRow) -> bool:
        """True for a row of the setup, whoever published it."""
        software = row.text("framework") or row.text("engine")
        is_of_chip = not self.chips or row.text("hardware") in self.chips
        return is_of_chip and self.software in software.lower()


@dataclass(frozen=True)
class Run:
    """A measured row as the plan of whoever ran it: ``tokens_per_s`` is measured, of all chips."""

    row: MeasuredRow
    profile: Profile
    system: System
    tokens_per_s: float
    concurrency: float = 0.0

    @property
    def model(self) -> str:
        """As the source names it."""
        return self.row.text("model")


@dataclass(frozen=True)
class Carried:
    """One row as the log: its own error and those of all rows of other models, as logarithms, before and after."""

    run: Run
    own: tuple[float, float]
    others: tuple[np.ndarray[tuple[int], np.dtype[np.float64]], np.ndarray[tuple[int], np.dtype[np.float64]]]

    @property
    def medians(self) -> tuple[float, float]:
        """Median size of the other models' errors, before and after."""
        before, after = (float(np.median(np.abs(errors))) for errors in self.others)
        return before, after


def _steps_s(run: Run) -> list[float]:
    """Seconds of each step: about the measured one, most of its scatter upwards as in real runs."""
    noise = np.random.default_rng(1).gamma(4.0, SCATTER / 2.0, N_STEPS)
    steps = run.profile.job.training
    assert steps is not None
    step_s = steps.global_batch_sequences * steps.sequence_length / run.tokens_per_s
    return list(step_s * (1.0 + noise - np.median(noise)))


def maxtext_log(run: Run) -> str:
    """MaxText's steps: the first compiles, the second is timed before its work is done."""
    steps = run.profile.job.training
    assert steps is not None
    tokens = steps.global_batch_sequences * steps.sequence_length / run.system.n_chips
    seconds = _steps_s(run)
    seconds[:2] = [60.0 + seconds[0], 0.02]
    head = f"num_devices: {run.system.n_chips}\n"
    return head + "".join(
        f"completed step: {i}, seconds: {s:.4f}, TFLOP/s/device: {400 / s:.3f}, "
        f"Tokens/s/device: {tokens / s:.3f}, total_weights: {tokens:.0f}, loss: {11 - i / 10:.3f}\n"
        for i, s in enumerate(seconds)
    )


def megatron_log(run: Run) -> str:
    """Megatron's arguments and iterations; the first builds its kernels."""
    steps = run.profile.job.training
    assert steps is not None
    seconds = _steps_s(run)
    seconds[0] += 40.0
    head = (
        f"using world size: {run.system.n_chips}, data-parallel-size: 1\n"
        f"  seq_length ...................................... {steps.sequence_length}\n"
        f"  global_batch_size ............................... {steps.global_batch_sequences}\n"
    )
    return head + "".join(
        f" iteration {i:8d}/  500000 | consumed samples: {i * steps.global_batch_sequences:12d} | "
        f"elapsed time per iteration (ms): {1e3 * s:.1f} | learning rate: 1.5E-04 | "
        f"global batch size: {steps.global_batch_sequences:5d} | lm loss: {11 - i / 10:.6E} | loss scale: 1.0 | "
        f"number of skipped iterations:   0 | number of nan iterations:   0 |\n"
        for i, s in enumerate(seconds, 1)
    )


def vllm_log(run: Run) -> str:
    """The block that vLLM's serving benchmark ends with; times per token and first token as the row has them."""
    job = run.profile.job
    assert isinstance(job, OnlineServing)
    written = N_REQUESTS * job.output_tokens
    seconds = written / run.tokens_per_s
    lines = [
        f"Namespace(backend='vllm', max_concurrency={run.concurrency:.0f}, num_prompts={N_REQUESTS})",
        "============ Serving Benchmark Result ============",
        f"Successful requests:                     {N_REQUESTS}",
        f"Maximum request concurrency:             {run.concurrency:.0f}",
        f"Benchmark duration (s):                  {seconds:.2f}",
        f"Total input tokens:                      {N_REQUESTS * job.input_tokens}",
        f"Total generated tokens:                  {written}",
        f"Request throughput (req/s):              {N_REQUESTS / seconds:.4f}",
        f"Output token throughput (tok/s):         {run.tokens_per_s:.2f}",
        "==================================================",
    ]
    return "\n".join(lines) + "\n"


MAXTEXT = Setup("MaxText", "training", ("tpu-v5p",), "maxtext", maxtext_log)
MEGATRON = Setup("Megatron", "training", (), "megatron", megatron_log)
MEGATRON_OLDER = Setup("Megatron", "training", ("a100-sxm-80", "a100-sxm-40", "h100-sxm"), "megatron", megatron_log)
VLLM = Setup("vLLM", "inference", (), "vllm", vllm_log)
SETUPS = (MAXTEXT, MEGATRON, MEGATRON_OLDER, VLLM)


def runs_of(setup: Setup) -> list[Run]:
    """What can be predicted of the source that published most rows of a setup on one chip."""
    catalogue = load_catalogue()
    rows = [row for row in shipped_table(setup.table).rows if setup.holds(row)]
    cases = [any_case_of(row, row.work, catalogue) for row in rows]
    runs = [run for case in cases if (run := _run_of(case)) is not None]
    (most, _), *_ = Counter(map(_source, runs)).most_common(1)
    return [run for run in runs if _source(run) == most]


def _source(run: Run) -> tuple[str, str]:
    row = run.row
    return row.text("hardware"), row.text("source_group") or row.text("publisher")


def _run_of(case: object) -> Run | None:
    if isinstance(case, MeasuredCase):
        measured = case.row.measured().get("tokens_per_s_per_chip")
        return Run(case.row, case.profile, case.system, measured * case.system.n_chips) if measured else None
    if not isinstance(case, ServingCase) or case.load not in (BATCH, CLOSED) or not case.concurrency:
        return None
    measured = case.row.number("output_tokens_per_s_total")
    return Run(case.row, _served(case), case.system, measured, case.concurrency) if measured else None


def _served(case: ServingCase) -> Profile:
    """The plan of who runs this server: no limits on its times."""
    job = OnlineServing(
        input_tokens=round(case.input_tokens),
        output_tokens=round(case.output_tokens),
        weight_precision=case.precision if case.precision != "w8a16" else "fp8",
        kv_precision="fp8" if case.kv_bytes == 1.0 else "bf16",
        engine="vllm",
        ttft_limit_ms=None,
        tpot_limit_ms=None,
    )
    year = min(max(int(case.year), 2018), 2030)
    return Profile(model=case.model, job=job, stack=Stack(software_year=year))


def carried(setup: Setup, folder: Path, step: int = 1) -> Iterator[Carried]:
    """Each run of a setup in turn as the only log, or every so many of them."""
    known = [known for run in runs_of(setup) if (known := _known(run, setup, folder)) is not None]
    for run, record, before in known[::step]:
        own, factor_of = _factor(run, record)
        others = [(one, error) for one, _, error in known if one.model != run.model]
        errors = np.array([error for _, error in others])
        shifts = np.array([factor_of(one) for one, _ in others])
        yield Carried(run, (before, before + own), (errors, errors + shifts))


def _known(run: Run, setup: Setup, folder: Path) -> tuple[Run, LogRecord, float] | None:
    """A run with the record of its log and the error of its prediction, as a logarithm; None without prediction."""
    path = folder / "run.log"
    path.write_text(setup.log_of(run), encoding="utf-8")
    record = read_log(path)
    try:
        likely = predicted(record, run.profile, run.system, may_grow=False)
    except InputError:
        return None
    return run, record, float(np.log(likely.tokens_per_s / run.tokens_per_s))


def _factor(run: Run, record: LogRecord) -> tuple[float, Callable[[Run], float]]:
    """Logarithm of the factor for the run itself once its log is accepted, and that for another."""
    proposal = propose(record, "log", run.profile, run.system, *window_of(stretches(record)))
    factors = corrections([proposal])

    def factor_of(other: Run) -> float:
        factor = factors.find(other.system.accelerator.id, proposal.work, other.profile.model.n_params)
        assert factor is not None
        return float(np.log(factor.factor))

    return factor_of(run), factor_of


def pct(log_error: float) -> float:
    """An error as a factor less one, in percent."""
    return 100.0 * (float(np.exp(abs(log_error))) - 1.0)


def share_closer(cases: Sequence[Carried]) -> float:
    """Share of logs with which the other models' median error shrank."""
    return float(np.mean([after < before for before, after in (one.medians for one in cases)]))


def _line(name: str, one: Carried) -> str:
    own, others = map(pct, one.own), map(pct, one.medians)
    return f"{name:40}" + "".join(f"{figure:9.2f}" for figure in (*own, *others)) + f"{len(one.others[0]):6}"


def _print(setup: Setup, cases: Sequence[Carried], is_long: bool) -> None:
    print(
        f"{setup.name}: {len(cases)} rows of {' on '.join(reversed(_source(cases[0].run)))}; errors in %, before, after"
    )
    print(f"{'':40}{'own':>9}{'':9}{'others':>9}{'':9}{'rows':>6}")
    for one in cases if is_long else ():
        print(_line(f"  {one.run.row.text('id')} {one.run.model}", one))
    middle = sorted(cases, key=lambda one: abs(one.own[0]))[len(cases) // 2]
    row = middle.run.row
    print(_line(f"  median row, {row.text('id')} {row.text('model')}", middle))
    figures = np.array([(*np.abs(one.own), *one.medians) for one in cases])
    for name, of in (("median of all rows", np.median(figures, axis=0)), ("largest", figures.max(axis=0))):
        print(f"  {name:38}" + "".join(f"{pct(figure):9.2f}" for figure in of))
    within = np.mean(figures[:, 1] <= np.log(1.03))
    print(f"  own within 3 %: {within:.0%} of logs; other models closer: {share_closer(cases):.0%} of logs")


def main(names: Sequence[str]) -> None:
    """Prints what comes of each setup; row by row of those that are named."""
    for setup in SETUPS:
        with tempfile.TemporaryDirectory() as folder:
            _print(setup, list(carried(setup, Path(folder))), setup.name in names)


if __name__ == "__main__":
    main(sys.argv[1:])
