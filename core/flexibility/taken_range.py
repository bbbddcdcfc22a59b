"""F5, the workload range, as a criterion of the ranking: only where the user took it, as scores by hand of every chip.

It follows from the answers of all workloads of a plan, and so cannot take part by itself: each answer would wait for
all others, and for itself.
"""

from __future__ import annotations

from core.catalogue.catalogue import Catalogue
from core.flexibility.criterion import Criterion, Finding, Subject
from core.ranges import Range
from core.workload.freedom import Freedom

ID = "F5"
TITLE = "Workload range"
WEIGHT = 12.0
"""Its weight for exploring and for settled work alike (our proposal)."""
UNKNOWN = Range(0.0, 0.5, 1.0)


def is_taken(freedom: Freedom, catalogue: Catalogue) -> bool:
    """True where every chip of the catalogue has a score by hand: of some alone, the scores of chips would be means of
    different criteria."""
    typed = {one.accelerator_id for one in freedom.overrides if one.criterion_id == ID}
    return bool(typed) and all(chip.id in typed for chip in catalogue.accelerators)


def _value(_: Subject) -> Range:
    return UNKNOWN


def _judge(_: Subject) -> Finding:
    return Finding(UNKNOWN, (), "not known", "", True)


TAKEN = Criterion(
    id=ID,
    title=TITLE,
    formula="as taken from the answers of this plan's workloads",
    weight_exploring=WEIGHT,
    weight_standard=WEIGHT,
    value=_value,
    judge=_judge,
)
