"""Who may sell: each limit with what was found and what would help; what is not proved is not met."""

from __future__ import annotations

import pytest

from core.catalogue.catalogue import Catalogue
from core.flexibility.seller_limits import seller_limits
from core.throughput.types import Reason
from core.workload.profile import Places, Profile


def missed(catalogue: Catalogue, provider: str, **places: object) -> tuple[Reason, ...]:
    offer = catalogue.offers_by_accelerator["h100-sxm"][0].model_copy(update={"provider": provider})
    return seller_limits(Profile(places=Places.model_validate(places)), catalogue, offer)


@pytest.mark.parametrize("provider", ["gcp", "lambda", "vast", "primeintellect", "own", "my-hoster"])
def test_nothing_asked_admits_every_seller(catalogue: Catalogue, provider: str) -> None:
    assert missed(catalogue, provider) == ()


@pytest.mark.parametrize(
    ("kind", "provider"),
    [("hyperscaler", "gcp"), ("specialised", "lambda"), ("marketplace", "vast"), ("broker", "fluidstack"),
     ("own", "own")],
)  # fmt: skip
def test_one_kind_admits_its_sellers_and_no_others(catalogue: Catalogue, kind: str, provider: str) -> None:
    assert missed(catalogue, provider, seller_classes=(kind,)) == ()
    others = {"gcp", "lambda", "vast", "fluidstack", "own", "my-hoster"} - {provider}
    for other in others:
        (reason,) = missed(catalogue, other, seller_classes=(kind,))
        assert reason.code == "seller_class"
        assert str(reason.text) and str(reason.nearest_change).startswith("Allow")


def test_the_class_is_told_with_its_source_and_an_unknown_one_is_not_proved(catalogue: Catalogue) -> None:
    (known,) = missed(catalogue, "vast", seller_classes=("hyperscaler",))
    assert "community of private hosts" in str(known.text) and "2026" in str(known.text)
    (unknown,) = missed(catalogue, "my-hoster", seller_classes=("hyperscaler", "specialised"))
    assert str(unknown.text).startswith("Not proved")


def test_each_certificate_must_be_proved(catalogue: Catalogue) -> None:
    assert missed(catalogue, "gcp", certificates=("soc2", "iso27001", "hipaa", "pci")) == ()
    (memory,) = missed(catalogue, "lambda", certificates=("soc2", "hipaa"))
    assert str(memory.text) == "HIPAA of Lambda not proved: known from memory only"
    assert str(memory.nearest_change) == "Ask Lambda for HIPAA, then name it as confirmed"
    (silent,) = missed(catalogue, "jarvislabs", certificates=("soc2", "hipaa"))
    assert "no source names them" in str(silent.text)
    (nobody,) = missed(catalogue, "my-hoster", certificates=("hipaa",))
    assert nobody.code == "certificates"


def test_a_seller_who_showed_the_papers_has_proved_them(catalogue: Catalogue) -> None:
    asked = {"certificates": ("hipaa",), "min_sla_pct": 99.9}
    assert {one.code for one in missed(catalogue, "lambda", **asked)} == {"certificates", "sla"}
    assert missed(catalogue, "lambda", **asked, confirmed_sellers=("lambda",)) == ()
    assert missed(catalogue, "own", **asked) == ()


@pytest.mark.parametrize(
    ("provider", "least", "words"),
    [
        ("crusoe", 99.98, ""),
        ("crusoe", 99.99, "Crusoe promises 99.98"),
        ("aws", 99.9, "known from memory only"),
        ("lambda", 99.0, "no promise of availability is told"),
    ],
)
def test_availability_must_be_promised_by_a_dated_source(
    catalogue: Catalogue, provider: str, least: float, words: str
) -> None:
    reasons = missed(catalogue, provider, min_sla_pct=least)
    assert bool(reasons) == bool(words)
    for reason in reasons:
        assert reason.code == "sla"
        assert words in str(reason.text)
        assert str(reason.nearest_change)
