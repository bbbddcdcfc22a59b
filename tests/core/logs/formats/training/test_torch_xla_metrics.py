"""The metrics report of PyTorch/XLA: compilations, run times, operations that fell back to the host."""

import math
from pathlib import Path

import pytest

from core.errors import InputError
from core.logs.formats.training.torch_xla_metrics import _seconds
from tests.core.logs.training_logs import log_of, record_of

REPORT = """Metric: CompileTime
  TotalSamples: 4
  Accumulator: 12s400ms
  ValueRate: 01ms234.5us / second
  Rate: 0.5 / second
  Percentiles: 1%=01ms; 50%=3s100ms; 90%=4s; 99%=5s
Metric: ExecuteTime
  TotalSamples: 0
Counter: aten::nonzero
  Value: 33
Counter: aten::_local_scalar_dense
  Value: 7
Counter: CachedCompile
  Value: 2
"""


def test_compilations_and_fallbacks_are_counted(tmp_path: Path) -> None:
    read = log_of(tmp_path, "training\n" + REPORT + "done\n")
    (record,) = read.records
    quantities = record.quantities
    compiling = quantities["graph_compile_s"]
    assert (compiling.n, compiling.mean, compiling.p50, compiling.p99) == (4, pytest.approx(3.1), 3.1, 5.0)
    assert math.isnan(compiling.max)
    assert {name: quantities[name].mean for name in quantities.keys() - {"graph_compile_s"}} == {
        "graph_compilations": 4.0, "host_fallback_operations": 2.0, "host_fallback_calls": 40.0
    }  # fmt: skip
    assert (record.first_line, read.n_other) == (2, 2)


def test_the_last_report_counts(tmp_path: Path) -> None:
    later = REPORT.replace("TotalSamples: 4", "TotalSamples: 9").replace("Value: 33", "Value: 93")
    quantities = record_of(tmp_path, REPORT + later).quantities
    assert (quantities["graph_compilations"].mean, quantities["host_fallback_calls"].mean) == (9.0, 100.0)


def test_a_report_of_nothing_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="without those of compilation"):
        log_of(tmp_path, "Metric: InboundData\n  TotalSamples: 3\n  Accumulator: 4KB\n")


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("01s234ms567.5us", 1.2345675), ("02m03s", 123.0), ("1h01m", 3660.0), ("1d02h", 93_600.0), ("500ns", 5e-7)],
)
def test_times_are_summed_over_their_units(text: str, seconds: float) -> None:
    assert _seconds(text) == pytest.approx(seconds)
