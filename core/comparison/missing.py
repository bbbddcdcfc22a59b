"""What must be said before anything may be ranked. A default is no answer to these questions."""

from __future__ import annotations

from core.workload.jobs.in_samples import WORDING
from core.workload.profile import Profile


def missing_facts(profile: Profile) -> tuple[str, ...]:
    """Titles of the essentials that were never entered: the model, and how much work there is."""
    titles = []
    if not profile.model.model_fields_set:
        titles.append("Model")
    quantity = profile.job.quantity_field
    if quantity not in profile.job.model_fields_set:
        words = WORDING.get(quantity) if profile.is_in_samples else None
        usual = str(type(profile.job).model_fields[quantity].title)
        titles.append(words.title or usual if words else usual)
    return tuple(titles)
