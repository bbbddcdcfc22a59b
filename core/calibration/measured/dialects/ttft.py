"""Time to the first token at low load."""

from __future__ import annotations

from core.calibration.measured.dialect import Cells, Dialect
from core.calibration.measured.techniques import attention_groups


def _work(_: Cells) -> str:
    return "inference"


def _computed(cells: Cells) -> Cells:
    """The median counts, as a mean holds the warm-up; a run that stands for no server pays for no front end."""
    return {
        "ttft_ms": cells.get("ttft_median_ms") or cells.get("ttft_mean_ms", ""),
        "scenario": "static" if cells.get("mode", "").startswith("offline") else "",
        "weight_precision": cells.get("weight_precision", "").split(" (")[0].replace("not stated", ""),
        "kv_precision": "",
        **attention_groups(cells.get("tp", ""), cells.get("dp", "")),
    }


DIALECT = Dialect(
    name="ttft",
    marks=frozenset({"mode", "check_implied_tflops_per_chip"}),
    work_of=_work,
    renamed={"batch_or_concurrency": "concurrency"},
    computed=_computed,
)
