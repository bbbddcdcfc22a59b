"""F10: what the seller stands for. Silence never scores, memory is marked."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.catalogue.catalogue import Catalogue
from core.catalogue.loading import load_catalogue
from core.flexibility.criterion import Finding, Subject
from core.flexibility.judgements import Judgements, Scorable, SituationOf, TeamOf
from core.flexibility.porting import porting_estimate
from core.flexibility.seller import CRITERION, FIELDS, promise_score, seller_finding, term_score
from core.ranges import Range
from core.workload.profile import Profile


def subject(catalogue: Catalogue, provider: str, chip: str = "h100-sxm") -> Subject:
    profile = Profile()
    known = Judgements(catalogue, (), SituationOf(profile.stack, TeamOf("some", "normal"), profile.places))
    accelerator = catalogue.accelerator_by_id[chip]
    offer = catalogue.offers_by_accelerator[chip][0].model_copy(update={"provider": provider})
    one = Scorable(accelerator, offer, 1e6, 0.0, 2.0, Range(0.0, 0.0, 0.0))
    return known.subject(one, porting_estimate(known.situation, catalogue, accelerator), 0.0, 0.0)


def told(catalogue: Catalogue, provider: str) -> Finding:
    return seller_finding(subject(catalogue, provider))


def test_scores_of_promise_and_term() -> None:
    assert promise_score(99.9) == pytest.approx(1.0) and promise_score(99.999) == 1.0
    assert promise_score(90.0) == pytest.approx(1 / 3)
    assert promise_score(0.0) == 0.0
    assert term_score(0.0) == 1.0 and term_score(90.0) == pytest.approx(0.3679, abs=1e-4)


def test_a_seller_of_whom_nothing_is_told_scores_nothing_but_may_be_anything(catalogue: Catalogue) -> None:
    nobody = told(catalogue, "my-hoster").value
    assert (nobody.low, nobody.likely) == (0.0, 0.0)
    assert nobody.high == pytest.approx(0.75)


@pytest.mark.parametrize("provider", [seller.provider for seller in load_catalogue().sellers])
def test_taking_out_a_fact_never_raises_the_score(catalogue: Catalogue, provider: str) -> None:
    before = CRITERION.value(subject(catalogue, provider))
    for field in FIELDS:
        sellers = tuple(
            one.model_copy(update={field: None}) if one.provider == provider else one for one in catalogue.sellers
        )
        after = CRITERION.value(subject(replace(catalogue, sellers=sellers), provider))
        assert after.low <= before.low + 1e-12 and after.likely <= before.likely + 1e-12


def test_a_fact_from_memory_is_marked_and_reaches_down_to_nothing(catalogue: Catalogue) -> None:
    aws = told(catalogue, "aws")
    inputs = {name: str(text) for name, text in aws.inputs}
    assert inputs["Class"] == "hyperscaler"
    assert inputs["Least term"] == "1 day"
    assert inputs["Availability promised"].endswith(", from memory")
    assert not aws.estimate and "from memory" in aws.source
    assert aws.value.low < aws.value.likely
    assert told(catalogue, "ibm").estimate and told(catalogue, "my-hoster").estimate


def test_own_hardware_has_no_seller(catalogue: Catalogue) -> None:
    own = told(catalogue, "own")
    assert own.evidence == "Nobody but you"
    assert own.value.low == own.value.high > 0.5


def test_hyperscalers_stand_above_small_marketplaces(catalogue: Catalogue) -> None:
    assert told(catalogue, "gcp").value.likely > told(catalogue, "gpuhub").value.likely
