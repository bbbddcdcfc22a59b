"""What the seeded draws make of one candidate, draw by draw: what a plan adds up over its workloads."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Draws = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class DrawnCandidate:
    """Outcomes of one candidate, shapes (n draws,); draws of one number belong together over all candidates and
    workloads, since an error follows from its cause alone.

    ``goodness`` is what the user says matters, 0..1 and less where a limit is missed; ``usd_per_goodness`` what it is
    worth at the candidate's likely cost. ``keeps`` is true where all limits are kept, None without limits.
    """

    cost_usd: Draws
    goodness: Draws
    usd_per_goodness: float
    keeps: NDArray[np.bool_] | None
