"""What the seeded draws make of one candidate, draw by draw: what a plan adds up over its workloads."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

Draws = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class DrawnCandidate:
    """Outcomes of one candidate, shapes (n draws,); draws of one number belong together over all candidates and
    workloads, since an error follows from its cause alone.

    ``goodness`` is what the user says matters, 0..1 and less where a limit is missed; ``usd_per_goodness`` what it is
    worth at the candidate's likely cost. ``keeps`` is true where all limits are kept, None without limits; ``kept`` has
    the same for each limit that is set: deadline, budget, latency, peak, window. ``days`` are those until a run is
    done, None where nothing ends.
    """

    cost_usd: Draws
    goodness: Draws
    usd_per_goodness: float
    keeps: NDArray[np.bool_] | None
    kept: Mapping[str, NDArray[np.bool_]] = field(default_factory=dict)
    days: Draws | None = None
