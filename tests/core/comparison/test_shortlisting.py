"""The search for candidates is asked again only where an edit may have changed what it gives."""

from dataclasses import replace
from typing import Any

import pytest

from core.catalogue.catalogue import Catalogue
from core.catalogue.loading import load_catalogue
from core.comparison import shortlisting
from core.comparison.search.predictions import MOST_KEPT
from core.comparison.shortlisting import Ground, RememberedSearch, WorthBilling, ground_of
from core.throughput.correction import NO_CORRECTIONS
from core.workload.library import load_profiles
from core.workload.profile import Profile

PROFILE = load_profiles()["chat-serving-8b"]


def _edited(part: str, **changes: Any) -> Profile:
    return PROFILE.model_copy(update={part: getattr(PROFILE, part).model_copy(update=changes)})


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[Profile]:
    """Profiles that were searched for, without searching."""
    profiles: list[Profile] = []

    def search(profile: Profile, *_: object) -> WorthBilling:
        profiles.append(profile)
        return WorthBilling(None, None, {})  # type: ignore[arg-type]

    monkeypatch.setattr(shortlisting, "search", search)
    return profiles


@pytest.mark.parametrize(
    "edited",
    [_edited("weights", cost=77.0), _edited("limits", budget_usd=1e5), _edited("team", engineer_usd_per_week=9e3)],
    ids=["weights", "budget", "salaries"],
)
def test_what_only_bill_and_ranking_read_searches_for_nothing(edited: Profile, asked: list[Profile]) -> None:
    remembered = RememberedSearch()
    for profile in (PROFILE, edited, PROFILE):
        remembered(profile, load_catalogue(), NO_CORRECTIONS)
    assert asked == [PROFILE]


@pytest.mark.parametrize(
    "edited",
    [_edited("limits", max_chips=9), _edited("places", providers=("gcp",)), _edited("team", engineers=7)],
    ids=["chips", "places", "engineers"],
)
def test_what_the_search_reads_is_searched_for_anew(edited: Profile, asked: list[Profile]) -> None:
    remembered = RememberedSearch()
    for profile in (PROFILE, edited):
        remembered(profile, load_catalogue(), NO_CORRECTIONS)
    assert asked == [PROFILE, edited]


@pytest.mark.parametrize(
    ("edited", "n_screened"),
    [
        (_edited("limits", deadline_days=9.0), 1),
        (_edited("limits", include_announced=True), 2),
        (_edited("places", must_be_on_prem=True), 2),
    ],
    ids=["deadline", "announced", "places"],
)
def test_another_deadline_screens_nothing_anew(
    edited: Profile, n_screened: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    screened: list[Profile] = []

    def ground(profile: Profile, catalogue: Catalogue) -> Ground:
        screened.append(profile)
        return ground_of(profile, catalogue)

    monkeypatch.setattr(shortlisting, "ground_of", ground)
    remembered, catalogue = RememberedSearch(), load_catalogue()
    for profile in (PROFILE, edited):
        remembered(profile, catalogue, NO_CORRECTIONS)
    assert len(screened) == n_screened
    assert remembered(edited, replace(catalogue), NO_CORRECTIONS).screened.options
    assert len(screened) == n_screened + 1, "another catalogue is screened anew"


def test_another_catalogue_is_searched_anew_and_the_oldest_question_is_forgotten(asked: list[Profile]) -> None:
    remembered, catalogue = RememberedSearch(), load_catalogue()
    for book in (catalogue, replace(catalogue)):
        remembered(PROFILE, book, NO_CORRECTIONS)
    assert len(asked) == 2
    for count in range(1, MOST_KEPT):
        remembered(_edited("limits", max_chips=count), catalogue, NO_CORRECTIONS)
    remembered(PROFILE, catalogue, NO_CORRECTIONS)
    assert len(asked) == 2 + MOST_KEPT
