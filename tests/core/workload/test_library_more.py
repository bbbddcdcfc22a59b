"""Every shipped workload, the further ones too: read, told apart, answered."""

from __future__ import annotations

from pathlib import Path

import pytest

from core import paths
from core.catalogue.loading import load_catalogue
from core.comparison.evaluate import evaluate
from core.workload.library import MORE, load_profiles, more_profiles

MORE_PROFILES = more_profiles()


def test_seventeen_further_workloads_of_other_kinds_have_names_and_notes_of_their_own() -> None:
    both = {**load_profiles(), **MORE_PROFILES}
    assert len(MORE_PROFILES) == 17 and len(both) == len(load_profiles()) + 17
    assert len({profile.name for profile in both.values()}) == len(both)
    assert all(profile.note for profile in MORE_PROFILES.values())
    assert {path.stem for path in Path(paths.profiles() / MORE).glob("*.json")} == set(MORE_PROFILES)


@pytest.mark.parametrize("name", list(MORE_PROFILES))
def test_each_is_answered(name: str) -> None:
    told = evaluate(MORE_PROFILES[name], load_catalogue())
    assert told.choice is not None and told.choice.obtainable.status != "on paper"
    assert told.choice.chance is not None and told.choice.chance.in_limits > 0.5
