"""A Slurm batch script for work that ends: nodes, chips a node and the longest time the run is expected to take."""

from __future__ import annotations

from math import ceil, isfinite

from core.constants import HOURS_PER_MONTH, MONTHS_PER_YEAR
from core.handoff.order import Order

_LONGEST_H = MONTHS_PER_YEAR * HOURS_PER_MONTH


def slurm(order: Order) -> str | None:
    """The script; None for services, which never end, and for TPUs, of which Slurm does not know."""
    if order.is_tpu or not order.ends:
        return None
    lines = [
        "#!/usr/bin/env bash",
        *order.head,
        f"#SBATCH --job-name={order.name}",
        f"#SBATCH --nodes={order.n_hosts}",
        "#SBATCH --ntasks-per-node=1",
        f"#SBATCH --gpus-per-node={order.chips_per_host}",
        *_time(order),
        "##SBATCH --partition=  # FILL IN: partition with these chips, and one # less before it",
        "set -euo pipefail",
        "",
        'COMMAND=""  # FILL IN: script that starts the work on one node',
        'srun bash "${COMMAND:?is to be filled in}"',
    ]
    return "\n".join(lines) + "\n"


def _time(order: Order) -> list[str]:
    """The late end of the run's range, in whole hours; nothing where that is over a year."""
    hours = order.result.run_h.high
    if not isfinite(hours) or hours > _LONGEST_H:
        return ["##SBATCH --time=  # FILL IN: longest time, and one # less before it"]
    days, rest = divmod(max(ceil(hours), 1), 24)
    return [f"#SBATCH --time={days}-{rest:02}:00:00"]
