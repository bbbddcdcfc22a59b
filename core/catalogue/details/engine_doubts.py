"""A serving engine that no chip of the catalogue runs any more: a plan with it is rejected whole, as its field says."""

from __future__ import annotations

from core.catalogue.catalogue import Catalogue
from core.workload.doubts import Doubt
from core.workload.jobs.base import ENGINE_WORDS
from core.workload.profile import Profile

USUAL = "vllm"
"""What takes its place with one click."""


def engine_doubts(profile: Profile, catalogue: Catalogue) -> tuple[Doubt, ...]:
    """One at the field of the engine where each of its rows says that it does not run; none for networks, which are
    served without an engine."""
    engine = None if profile.is_in_samples else profile.job.serving_engine
    rows = [row for row in catalogue.frameworks if row.framework == engine]
    if engine is None or not rows or any(row.support != "none" for row in rows):
        return ()
    instead = next((f"; take {row.via}" for row in rows if row.via), "")
    return (Doubt("job.engine", f"{ENGINE_WORDS[engine]} runs on no chip of the catalogue{instead}", USUAL),)
