"""Why an entry of places cannot be taken."""

from __future__ import annotations

import pytest

from core.catalogue.loading import load_catalogue
from core.catalogue.places.known_places import refusal

CATALOGUE = load_catalogue()


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("places.providers", ("aws", "gcp")),
        ("places.providers", ()),
        ("places.providers", None),
        ("places.region_prefixes", ("us-",)),
        ("job.providers", ("nobody",)),
        ("places.no_such_field", ("nobody",)),
    ],
)
def test_known_names_and_other_fields_are_taken(path: str, value: object) -> None:
    assert refusal(CATALOGUE, path, value) == ""


@pytest.mark.parametrize("value", [("aws", "gpc", "nobody"), "gpc"])
def test_the_first_unknown_name_is_told_with_the_nearest(value: object) -> None:
    assert refusal(CATALOGUE, "places.providers", value) == "gpc is not known here; perhaps gcp"


def test_a_provider_is_told_whole_and_a_region_by_its_beginning() -> None:
    assert refusal(CATALOGUE, "places.providers", ("aw",)).startswith("aw is not known here")
    assert refusal(CATALOGUE, "places.region_prefixes", ("us-zzz",)).startswith("us-zzz is not known here")
