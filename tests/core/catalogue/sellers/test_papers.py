"""Kinds, certificates and promises of sellers: what a dated source says proves something, memory does not."""

import pytest

from core.catalogue.entries import CLASS_WORDS
from core.catalogue.loading import load_catalogue
from core.catalogue.sellers.papers import (
    KIND_OF_CLASS,
    certificate_rows,
    certificates_from_memory,
    kind_of_seller,
    promise_of,
    proved_certificates,
)
from core.workload.profile import CERTIFICATE_WORDS, SELLER_WORDS


def test_every_class_of_the_catalogue_is_of_one_kind_and_every_kind_has_a_class() -> None:
    assert set(KIND_OF_CLASS) == set(CLASS_WORDS)
    assert set(KIND_OF_CLASS.values()) == set(SELLER_WORDS)


@pytest.mark.parametrize(
    ("provider", "kind"),
    [
        ("aws", "hyperscaler"),
        ("lambda", "specialised"),
        ("verda", "specialised"),
        ("vast", "marketplace"),
        ("sfcompute", "marketplace"),
        ("primeintellect", "broker"),
        ("own", "own"),
        ("my-hoster", None),
    ],
)
def test_the_kind_of_a_seller_follows_its_class(provider: str, kind: str | None) -> None:
    assert kind_of_seller(load_catalogue(), provider) == kind


def test_each_row_of_certificates_has_a_known_seller_a_source_and_its_mark() -> None:
    catalogue = load_catalogue()
    for row in certificate_rows():
        assert row.provider in catalogue.seller_by_provider
        assert set(row.source.split("+")) <= set(catalogue.sources)
        assert row.certificates and row.as_of
        assert row.estimate == (row.quality in ("memory", "estimate"))


def test_what_sellers_csv_says_from_memory_proves_nothing() -> None:
    """HIPAA stands there for Lambda "on request", and no dated source says so."""
    catalogue = load_catalogue()
    assert "HIPAA" in catalogue.seller_by_provider["lambda"].certifications
    assert "hipaa" not in proved_certificates("lambda")
    assert "hipaa" in certificates_from_memory(catalogue, "lambda")
    assert "soc2" in proved_certificates("lambda")
    assert proved_certificates("vast") == proved_certificates("my-hoster") == frozenset()


def test_every_certificate_that_sellers_csv_names_can_be_asked_for() -> None:
    catalogue = load_catalogue()
    told = {one for seller in catalogue.sellers for one in certificates_from_memory(catalogue, seller.provider)}
    proved = {one for seller in catalogue.sellers for one in proved_certificates(seller.provider)}
    assert told | proved == set(CERTIFICATE_WORDS)


def test_a_promise_counts_as_proved_only_where_its_field_is_sourced() -> None:
    catalogue = load_catalogue()
    crusoe, aws = promise_of(catalogue, "crusoe"), promise_of(catalogue, "aws")
    assert crusoe is not None and crusoe.proved and crusoe.pct == 99.98
    assert aws is not None and not aws.proved
    assert promise_of(catalogue, "lambda") is promise_of(catalogue, "my-hoster") is None
