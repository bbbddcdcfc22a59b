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


@pytest.mark.parametrize(
    ("field", "name", "meant"),
    [
        ("region_places", "germany", "europe/de"),
        ("region_places", "europe/germany", "europe/de"),
        ("region_places", "Deutschland", "europe/de"),
        ("region_places", "UK", "europe/gb"),
        ("region_places", "usa", "north-america/us"),
        ("region_places", "London", "europe/gb/london"),
        ("region_places", "Sao Paulo", "south-america/br/sao-paulo"),
        ("region_places", "EU", "europe"),
        ("region_places", "germny", "europe/de"),
        ("user_places", "japan", "osaka, tokyo"),
        ("user_places", "New York", "new-york"),
        ("region_prefixes", "iceland", "EUR-IS-1"),
        ("providers", "google", "gcp"),
        ("providers", "Amazon", "aws"),
    ],
)
def test_common_names_are_answered_with_those_that_the_tables_know(field: str, name: str, meant: str) -> None:
    """Of "germany" it said "perhaps africa, africa/za, africa/za/johannesburg"."""
    told = refusal(CATALOGUE, f"places.{field}", (name,))
    assert told.startswith(f"{name} is not known here; perhaps {meant}") and "africa" not in told


@pytest.mark.parametrize("value", [("aws", "gpc", "nobody"), "gpc"])
def test_the_first_unknown_name_is_told_with_the_nearest(value: object) -> None:
    assert refusal(CATALOGUE, "places.providers", value) == "gpc is not known here; perhaps gcp"


def test_a_provider_is_told_whole_and_a_region_by_its_beginning() -> None:
    assert refusal(CATALOGUE, "places.providers", ("aw",)).startswith("aw is not known here")
    assert refusal(CATALOGUE, "places.region_prefixes", ("us-zzz",)).startswith("us-zzz is not known here")
