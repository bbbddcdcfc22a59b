"""The pick can be had and its price is proved; leads beat it and say what to ask for; doubt never makes it worse."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from datetime import date, timedelta
from random import Random

import pytest

from core.catalogue.catalogue import Catalogue
from core.catalogue.entries import Offer
from core.catalogue.prices.dates import as_of_date
from core.comparison.evaluate import evaluate
from core.comparison.obtain.obtainable import STATUSES
from core.comparison.obtain.price_proof import PROVED, price_proof
from core.comparison.recommendation.leads import is_riskier
from core.comparison.result import CandidateResult, ResultSet
from core.workload.library import load_profiles, more_profiles
from core.workload.profile import Places, Profile

PROFILES = load_profiles()
ALL = PROFILES | more_profiles()


@pytest.fixture(scope="module")
def answers(answers_of_all: dict[str, ResultSet]) -> dict[str, ResultSet]:
    return {name: answers_of_all[name] for name in PROFILES}


def trust(result: CandidateResult) -> tuple[bool, int]:
    return result.is_firm, min(STATUSES.index(result.obtainable.status), 1)


def test_every_pick_can_be_had_at_a_proved_price(answers: dict[str, ResultSet]) -> None:
    for results in answers.values():
        assert results.choice is not None and results.choice.is_firm
        firm = [r for r in results.results[: results.n_feasible] if r.is_firm]
        assert firm[0] == results.choice and results.best_per_accelerator[0] == results.choice


def test_of_single_machines_more_than_the_fewest_are_a_candidate(answers: dict[str, ResultSet]) -> None:
    """Three B200 carry the peak at the likely speed and miss a limit now and then; four keep it, and are picked."""
    results = answers["chat-serving-70b"]
    few, roomy = (results.by_id[f"b200-sxm-{n}x-hyperstack-any-commit_1y-single"] for n in (3, 4))
    assert few.chance is not None and roomy.chance is not None
    assert few.chance.in_limits < 0.9 < roomy.chance.in_limits and roomy == results.choice
    ids = results.results.columns.ids  # type: ignore[attr-defined]
    assert len(set(ids)) == len(ids)


def test_only_what_spans_machines_is_asked_to_be_on_one_network(answers_of_all: dict[str, ResultSet]) -> None:
    """Four GH200 that answer each for itself were on paper, since nobody tells a network between them."""
    n_apart = 0
    for name, results in answers_of_all.items():
        for one in results.results[: min(results.n_feasible, 60)]:
            layout, machine = one.throughput.layout, one.candidate.offer.chips_per_host
            if ALL[name].job.trains or layout.prefill_replicas or one.candidate.accelerator.kind == "tpu":
                continue
            spans = one.candidate.n_chips > layout.replicas * machine
            assert one.obtainable.is_joined is spans, one.id
            n_apart += not spans and one.candidate.n_chips > machine
    assert n_apart > 100


def test_a_batch_keeps_its_window_in_nearly_all_draws(answers: dict[str, ResultSet]) -> None:
    pick = answers["nightly-batch-scoring"].choice
    assert pick is not None and pick.chance is not None and pick.chance.window is not None
    assert pick.chance.window > 0.9 and pick.run_h.likely < 6.0
    fewer = answers["nightly-batch-scoring"].by_id[pick.id.replace("-4x-", "-2x-")]
    assert fewer.chance is not None and (fewer.chance.window or 0.0) < 0.8


def test_leads_are_better_and_say_what_to_ask(answers: dict[str, ResultSet]) -> None:
    n_leads = 0
    for results in answers.values():
        pick = results.choice
        assert pick is not None
        for lead in results.recommendation.leads:
            n_leads += 1
            one = results.by_id[lead.id]
            assert one.feasible and not one.is_firm and 0 <= lead.best_then <= 1
            assert lead.saving_usd == pytest.approx(pick.cost.total.likely - one.cost.total.likely)
            sooner = lead.saving_days if lead.saving_days is not None else (lead.faster_share or 0.0) - 0.03
            assert lead.confirm and (lead.saving_usd > 0 or sooner > 0)
            now, most = one.candidate.usd_per_chip_hour, lead.better_up_to_usd_per_chip_hour
            assert most is None or most >= now
            if one.obtainable.status == "on paper":
                assert "size" in lead.confirm
    assert n_leads > 10


def test_leads_keep_the_limits_about_as_often_as_the_pick_and_riskier_ones_come_last(
    answers: dict[str, ResultSet],
) -> None:
    """Fewer chips are cheaper at any seller, and miss the limit more often: no matter of proof."""
    for results in answers.values():
        pick, told = results.choice, results.recommendation.leads
        assert pick is not None
        risky = [is_riskier(results.by_id[lead.id], pick) for lead in told]
        assert risky == sorted(risky)
        assert all(lead.best_then >= 0.4 for lead, is_risky in zip(told, risky, strict=True) if is_risky)
        kept = [chance.in_limits for lead in told if (chance := results.by_id[lead.id].chance) is not None]
        least = pick.chance.in_limits - 0.1 if pick.chance is not None else 0.0
        assert all(share > least for share, is_risky in zip(kept, risky, strict=True) if not is_risky)


def test_up_to_that_price_a_lead_stays_better(answers: dict[str, ResultSet]) -> None:
    """At a price above the one told the pick costs less in the user's weights; here cost alone counts."""
    profile = PROFILES["mixtral-8x7b-training"]
    alone = profile.weights.model_copy(update={"cost": 100.0, "time": 0.0, "flexibility": 0.0})
    results = evaluate(profile.model_copy(update={"weights": alone}), answers[profile.id].basis.catalogue)  # type: ignore[union-attr]
    pick, lead = results.choice, results.recommendation.leads[0]
    assert pick is not None and lead.better_up_to_usd_per_chip_hour is not None
    one = results.by_id[lead.id]
    rent = one.cost.part("compute")
    dearer = one.cost.total.likely + rent * (
        lead.better_up_to_usd_per_chip_hour / one.candidate.offer.usd_per_chip_hour - 1
    )
    assert dearer == pytest.approx(pick.cost.total.likely, rel=0.05)


@pytest.fixture(scope="module")
def doubtful(answers_of_all: dict[str, ResultSet]) -> frozenset[str]:
    """The offers nearest to the picks, and those of leads, that are firm in none of the answers."""
    near = {offer for results in answers_of_all.values() for offer in _doubtful_of(results)}
    firm = {r.candidate.offer.id for results in answers_of_all.values() for r in results.trusted}
    assert len(near - firm) > 20
    return frozenset(near - firm)


def _doubtful_of(results: ResultSet) -> list[str]:
    leads = [results.by_id[lead.id] for lead in results.recommendation.leads]
    return [r.candidate.offer.id for r in (*leads, *results.results[:20]) if not r.is_firm]


def older(offer: Offer) -> Offer:
    """The offer as if it had been read 200 days earlier."""
    day = as_of_date(offer) or date(2026, 6, 1)
    return offer.model_copy(update={"as_of": (day - timedelta(days=200)).isoformat()})


@pytest.mark.parametrize("is_removed", [True, False])
def test_without_doubtful_offers_or_with_older_ones_every_pick_stays(
    catalogue: Catalogue, answers_of_all: dict[str, ResultSet], doubtful: frozenset[str], is_removed: bool
) -> None:
    """All of them at once: what lacks proof takes no part in any pick; fewer sellers of a chip may tip a close call."""
    kept = (offer for offer in catalogue.offers if not (is_removed and offer.id in doubtful))
    moved = replace(catalogue, offers=tuple(older(offer) if offer.id in doubtful else offer for offer in kept))
    for name, profile in ALL.items():
        before, after = answers_of_all[name].choice, evaluate(profile, moved).choice
        assert before is not None and after is not None and trust(after) >= trust(before), name
        told = answers_of_all[name].recommendation
        assert after.id == before.id or (told.too_close and after.id == told.runner_up), name


@pytest.mark.parametrize("name", ALL)
def test_without_any_one_doubtful_offer_or_with_any_one_older_the_pick_is_no_worse_to_be_had(
    catalogue: Catalogue, answers_of_all: dict[str, ResultSet], name: str
) -> None:
    """One that fits is drawn for each workload: a doubtful one is removed, or any but the pick's own grows old."""
    results, random = answers_of_all[name], Random(name)
    before, offers = results.choice, {one.id for one in results.columns.offers[: results.n_feasible]}
    firm = {one.candidate.offer.id for one in results.trusted}
    assert before is not None
    doubtful = sorted(offers - firm)
    is_removed = bool(doubtful) and random.random() < 0.5
    moved = random.choice(doubtful if is_removed else sorted(offers - {before.candidate.offer.id}))
    after = evaluate(ALL[name], _without(catalogue, moved) if is_removed else _aged(catalogue, moved)).choice
    assert after is not None and had(after) >= had(before), moved
    assert after.id == before.id or not is_removed, moved


def had(result: CandidateResult) -> tuple[bool, int]:
    return result.is_firm, STATUSES.index(result.obtainable.status)


def _without(catalogue: Catalogue, gone: str) -> Catalogue:
    return replace(catalogue, offers=tuple(offer for offer in catalogue.offers if offer.id != gone))


def _aged(catalogue: Catalogue, aged: str) -> Catalogue:
    return replace(catalogue, offers=tuple(older(one) if one.id == aged else one for one in catalogue.offers))


def test_no_price_of_the_catalogue_is_proved_by_growing_older(catalogue: Catalogue) -> None:
    """Any one of them: an H100 at Novita, read on one day by two, became a pick when one of the two was made older."""
    groups: defaultdict[tuple[str, ...], list[Offer]] = defaultdict(list)
    for offer in catalogue.offers:
        groups[offer.provider, offer.accelerator_id, offer.region, offer.purchase_model].append(offer)
    shared = [offers for offers in groups.values() if len({one.source for one in offers}) > 1]
    assert sum(map(len, shared)) > 100
    for offers in shared:
        proved = _proved(replace(catalogue, offers=tuple(offers)))
        for aged in offers:
            now = _aged(replace(catalogue, offers=tuple(offers)), aged.id)
            assert _proved(now) <= proved, aged.id


def _proved(catalogue: Catalogue) -> set[str]:
    return {offer.id for offer in catalogue.offers if price_proof(offer, catalogue) in PROVED}


def test_older_prices_of_the_picks_leave_picks_as_firm(
    catalogue: Catalogue, answers_of_all: dict[str, ResultSet]
) -> None:
    """Read 200 days earlier they are brought to today with a wider band; whatever is picked then can be had as
    surely."""
    own = {results.choice.candidate.offer.id for results in answers_of_all.values() if results.choice}
    offers = tuple(older(offer) if offer.id in own else offer for offer in catalogue.offers)
    moved = replace(catalogue, offers=offers)
    for name, profile in ALL.items():
        before, after = answers_of_all[name].choice, evaluate(profile, moved).choice
        assert before is not None and after is not None and trust(after) >= trust(before), name


def _only(profile: Profile, *providers: str) -> Profile:
    return profile.model_copy(update={"places": Places(providers=providers)})


def test_where_only_hearsay_fits_the_headline_says_so(catalogue: Catalogue) -> None:
    """TensorWave's cards: nothing attests eight in one server, so the nearest is told as being on paper."""
    profile = _only(PROFILES["mixtral-8x7b-training"], "tensorwave")
    told = evaluate(profile, catalogue)
    assert told.choice is not None and told.choice.obtainable.status == "on paper"
    assert str(told.recommendation.headline).startswith(
        "No option that can be had meets every limit. Nearest, on paper"
    )
    assert told.recommendation.confidence == "low" and told.recommendation.leads == ()


def test_where_no_price_is_proved_the_headline_says_so(catalogue: Catalogue) -> None:
    told = evaluate(_only(PROFILES["sdxl-serving"], "vast"), catalogue)
    assert told.choice is not None and told.choice.obtainable.status == "plausible"
    headline, why = str(told.recommendation.headline), str(told.recommendation.confidence_why)
    assert ", fits this plan best if its price holds: " in headline
    assert "No option with a proved price and speed fits" in headline and why.startswith("Not proved: price;")


def test_where_only_the_speed_is_not_proved_the_headline_names_it(catalogue: Catalogue) -> None:
    """Whisper on TPUs: Google lists the price itself, and nobody has told how fast such a model runs there."""
    profile = ALL["speech-to-text"].model_copy(update={"places": Places(vendors=("Google",))})
    told = evaluate(profile, catalogue)
    pick = told.choice
    assert pick is not None and pick.obtainable.is_firm and not pick.evidence.is_proof
    headline, why = str(told.recommendation.headline), str(told.recommendation.confidence_why)
    assert ", fits this plan best if its speed holds: " in headline and "price holds" not in headline
    assert why.startswith("Not proved: speed;")


def test_the_pick_s_own_chips_at_its_own_seller_are_no_lead(answers: dict[str, ResultSet]) -> None:
    for results in answers.values():
        pick = results.choice
        assert pick is not None
        own = pick.candidate.name, pick.candidate.offer.provider
        leads = [results.by_id[lead.id].candidate for lead in results.recommendation.leads]
        assert own not in [(one.name, one.offer.provider) for one in leads]
