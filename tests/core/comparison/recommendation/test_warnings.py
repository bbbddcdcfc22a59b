"""Warnings: each fires on the case it is for and keeps still on the one beside it."""

from dataclasses import replace
from datetime import date

import pytest

from core.catalogue.catalogue import Catalogue
from core.catalogue.loading import load_catalogue
from core.catalogue.prices.quality import QUALITIES, span_words
from core.comparison.evaluate import evaluate
from core.comparison.obtain.price_proof import PROOF_WORDS
from core.comparison.recommendation.recommend import recommend, too_little_known
from core.comparison.recommendation.warnings import old_price, warnings_of, warnings_on
from core.comparison.result import Basis, CandidateResult, Recommendation, ResultSet
from core.cost.bill.types import Cost, CostPart
from core.ranges import Range
from core.throughput.correction import NO_CORRECTIONS
from core.throughput.types import Reason
from core.units import THIN
from core.workload.jobs.kinds import OnlineServing, PreTraining
from core.workload.library import load_profiles
from core.workload.models.transformer import TransformerModel
from core.workload.profile import Limits, Places, Profile

TODAY = date(2026, 11, 21)


def codes(results: ResultSet, result: CandidateResult) -> set[str]:
    return {reason.code for reason in warnings_of(results, result)}


@pytest.fixture
def results_of(profile: Profile):
    def made(*results: CandidateResult, limits: Limits | None = None, job: object = None) -> ResultSet:
        changes = {"limits": limits or profile.limits, "job": job or profile.job}
        asked = profile.model_copy(update=changes)
        ranked = [r for r in results if r.feasible]
        return ResultSet(asked, "2026-11-21", "none", results, recommend(asked, ranked, []), (), "")

    return made


def with_offer(result: CandidateResult, **changes: object) -> CandidateResult:
    offer = result.candidate.offer.model_copy(update=changes)
    return replace(result, candidate=replace(result.candidate, offer=offer))


def with_parts(result: CandidateResult, **usd: float) -> CandidateResult:
    parts = tuple(CostPart(name, amount, "", (), "X", False) for name, amount in usd.items())
    total = sum(usd.values())
    return replace(result, cost=Cost(Range(total, total, total), parts, 1.0, "1M tokens", total, total))


def test_too_many_chips_are_told_with_days_money_and_the_better_number(results_of, make_result) -> None:
    pick = make_result("b200-sxm", cost=1.1e6, days=20.0, rank=1)
    many = make_result(cost=1.2e6, days=20.0, n_chips=256, rank=2)
    few = make_result(cost=1.0e6, days=26.0, n_chips=128, rank=3)
    found = next(w for w in warnings_of(results_of(pick, many, few), many) if w.code == "over_provisioned")
    money = f"$200{THIN}k"
    assert found.words == (f"Half the chips finish 6 days later, still in time, and cost {money} less. Take 128 chips")


def test_one_chip_and_one_day_are_told_in_the_singular(results_of, make_result) -> None:
    pick = make_result("b200-sxm", cost=1.1e6, days=20.0, rank=1)
    many = make_result(cost=1.2e6, days=20.0, n_chips=8, rank=2)
    few = make_result(cost=1.0e6, days=21.0, n_chips=1, rank=3)
    warning = next(w for w in warnings_of(results_of(pick, many, few), many) if w.code == "over_provisioned")
    told = f"1 chip would finish 1 day later, still in time, and cost $200{THIN}k less. Take 1 chip"
    assert warning.words == told


def test_of_the_pick_no_other_number_of_chips_is_advised(results_of, make_result) -> None:
    many = make_result(cost=1.2e6, days=20.0, n_chips=256, rank=1)
    few = make_result(cost=1.0e6, days=26.0, n_chips=128, rank=2)
    assert "over_provisioned" not in codes(results_of(many, few), many)
    assert "over_provisioned" in codes(replace(results_of(many, few), recommendation=_nobody()), many)


def _nobody() -> Recommendation:
    return too_little_known(("a model",))


def test_a_few_dollars_saved_or_a_late_run_are_no_warning(results_of, make_result) -> None:
    many = make_result(cost=1.02e6, days=20.0, n_chips=256, rank=1)
    few = make_result(cost=1.0e6, days=26.0, n_chips=128, rank=2)
    late = make_result(cost=0.5e6, days=70.0, n_chips=64, reasons=(Reason("deadline", "10 d past."),))
    assert "over_provisioned" not in codes(results_of(many, few, late), many)


def test_another_offer_of_the_same_chip_is_not_fewer_chips(results_of, make_result) -> None:
    many = make_result(cost=1.2e6, n_chips=256, rank=1)
    other = with_offer(make_result(cost=1.0e6, n_chips=128, rank=2), id="another")
    assert "over_provisioned" not in codes(results_of(many, other), many)


def test_a_small_model_on_many_chips(catalogue: Catalogue) -> None:
    """A 1B run on a large cluster wastes set-up and network; the real engine finds the smaller number."""
    model = TransformerModel(name="1B", n_layers=16, d_model=2048, n_heads=32, n_kv_heads=8, d_ff=8192)
    job = PreTraining(n_tokens=2e10, global_batch_sequences=256)
    places = Places(purchase_models=("on_demand",))
    results = evaluate(Profile(job=job, model=model, limits=Limits(deadline_days=30), places=places), catalogue)
    many = [r for r in results.results if r.feasible and "over_provisioned" in codes(results, r)]
    assert many
    for result in many[:20]:
        siblings = results.by_offer[result.candidate.offer.id]
        assert any(s.candidate.n_chips < result.candidate.n_chips and s.feasible for s in siblings)


def test_low_use_of_a_commitment(results_of, make_result) -> None:
    base = make_result(purchase_model="commit_1y", rank=1)
    idle, busy = (
        with_parts(base, compute=1e5, commitment_waste=9e5),
        with_parts(base, compute=9e5, commitment_waste=1e5),
    )
    found = next(w for w in warnings_of(results_of(idle), idle) if w.code == "low_use")
    assert f"10{THIN}%" in str(found.text) and f"$900{THIN}k" in str(found.text)
    assert "low_use" not in codes(results_of(busy), busy)


def test_the_rest_of_low_use_is_every_hour_without_work(results_of, make_result) -> None:
    base = make_result(purchase_model="commit_1y", rank=1)
    quiet = with_parts(base, compute=86e3, idle=131e3, commitment_waste=90e3, storage=50e3)
    found = next(w for w in warnings_of(results_of(quiet), quiet) if w.code == "low_use")
    assert f"28{THIN}%" in str(found.text) and str(found.text).endswith(f"the rest costs $221{THIN}k")


def test_a_service_that_idles_on_chips_it_could_give_back(results_of, make_result) -> None:
    base = with_parts(make_result(days=None, rank=1), compute=2e5, idle=8e5)
    quiet = OnlineServing(mean_load_pct=20.0)
    assert "idle_service" in codes(results_of(base, job=quiet), base)
    assert "idle_service" not in codes(results_of(base, job=OnlineServing(mean_load_pct=20.0, autoscale=True)), base)
    assert "idle_service" not in codes(results_of(base, job=OnlineServing(mean_load_pct=60.0)), base)


def test_chips_that_wait_for_each_other(results_of, make_result) -> None:
    """Both make 100 000 tokens a second in all, so each of 512 chips does an eighth of each of 64."""
    few, many = make_result(n_chips=64, rank=1), make_result(n_chips=512, rank=2)
    found = next(w for w in warnings_of(results_of(few, many), many) if w.code == "poor_scaling")
    assert f"12{THIN}%" in str(found.text) and "64" in str(found.text)
    assert "poor_scaling" not in codes(results_of(few, many), few)


def test_spot_needs_spare_time(results_of, make_result) -> None:
    tight = make_result(purchase_model="spot", days=57.0, rank=1)
    easy = make_result(purchase_model="spot", days=30.0, rank=1)
    assert "spot_no_slack" in codes(results_of(tight, limits=Limits(deadline_days=60)), tight)
    assert "spot_no_slack" not in codes(results_of(easy, limits=Limits(deadline_days=60)), easy)


def test_prices_without_a_date_or_list_are_told_apart(results_of, make_result) -> None:
    plain = with_offer(make_result(rank=1), quality="ok", estimate=False, as_of="2026-11-01")
    cases = {
        "price_estimate": {"estimate": True},
        "price_second_hand": {"quality": "average"},
        "price_undated": {"as_of": "undated v8"},
    }
    assert not codes(results_of(plain), plain)
    for code, change in cases.items():
        changed = with_offer(plain, **change)
        assert codes(results_of(changed), changed) == {code}


def test_every_doubtful_quality_has_its_own_words(results_of, make_result) -> None:
    plain = with_offer(make_result(rank=1), estimate=False, as_of="2026-11-01")
    for word, quality in QUALITIES.items():
        result = with_offer(plain, quality=word)
        codes = ("price_second_hand", "price_worked_out")
        told = [one.text for one in warnings_of(results_of(result), result) if one.code in codes]
        assert told == ([f"{quality.warning}; {span_words(quality)}"] if quality.warning else [])


def test_what_was_worked_out_from_the_sellers_list_is_told_alike_as_proof_and_as_warning(
    results_of, make_result
) -> None:
    """Its proof said "the seller's own list" and its warning "worked out from others"."""
    result = with_offer(make_result(rank=1), quality="derived", estimate=False, as_of="2026-11-01")
    assert codes(results_of(result), result) == {"price_worked_out"}
    told = str(warnings_of(results_of(result), result)[0].text)
    assert PROOF_WORDS["worked out"].removeprefix("Price ") in told


def test_a_price_of_the_past_is_told_with_the_present_one(catalogue: Catalogue, results_of, make_result) -> None:
    """AWS asked 98.32 USD for eight H100 until June 2025; somebody enters it today."""
    p5 = next(offer for offer in catalogue.offers if offer.id == "aws_p5.48xlarge_us-east-1_on_demand")
    result = make_result(rank=1)
    entered = p5.model_copy(update={"usd_per_host_hour": 98.32, "usd_per_chip_hour": 12.29, "as_of": "2026-11-20"})
    results = replace(results_of(result), basis=Basis(catalogue, NO_CORRECTIONS))
    told = {}
    for name, offer in (("present", p5), ("entered", entered)):
        asked = replace(result, candidate=replace(result.candidate, offer=offer))
        told[name] = [one.text for one in warnings_of(results, asked) if one.code == "price_outdated"]
    assert told["present"] == []
    assert told["entered"] == [
        "The price is outdated: 98.32 USD per host and hour was the price until 2025-06-04; it is 55.04 now"
    ]


def test_an_old_price_is_told_on_the_day_it_is_read(results_of, make_result) -> None:
    """1 August to 21 November is 112 days."""
    result = with_offer(make_result(rank=1), quality="ok", estimate=False, as_of="2026-08-01")
    (found,) = warnings_on(results_of(result), result, TODAY)
    assert found.code == "price_old" and "1 Aug 2026, 112 days ago" in str(found.text)
    assert warnings_on(results_of(result), result, TODAY, old_price_days=112) == ()
    assert old_price(result.candidate.offer, date(2026, 9, 1)) is None


def test_how_far_spot_prices_lay_apart(catalogue: Catalogue, profile: Profile) -> None:
    """Prices of H100 on spot at AWS were read between 18 and 79 % of the price on demand."""
    asked = profile.model_copy(update={"places": Places(purchase_models=("spot",), providers=("aws",))})
    results = evaluate(asked, catalogue)
    spot = next(r for r in results.results if r.candidate.accelerator.id == "h100-sxm" and r.throughput.fits)
    row = catalogue.cost_inputs_by_name["spot_price_ratio"]
    known = next(one for one in row if one.scope == "aws h100-sxm")
    found = next(w for w in warnings_of(results, spot) if w.code == "spot_price")
    assert all(f"{100 * (end or 0):.0f}{THIN}%" in str(found.text) for end in (known.low, known.high))


def test_figures_of_chip_and_host_that_are_estimates_are_named() -> None:
    results = evaluate(load_profiles()["llama3-70b-pretraining"], load_catalogue())
    found = {r.id: next((w for w in warnings_of(results, r) if w.code == "facts_estimate"), None)
             for r in results.results if r.throughput.fits}  # fmt: skip
    assert any(found.values())
    for result in results.results:
        warning = found.get(result.id)
        chip, host = result.throughput.system.accelerator, result.throughput.system.host
        named = (*chip.estimated_fields, *(host.estimated_fields if host else ()))
        if warning is not None:
            assert named
            assert "released" not in str(warning.text)
        if (
            result.id in found
            and host
            and "network_gbit_per_s" in host.estimated_fields
            and result.candidate.n_hosts > 1
        ):
            assert warning is not None
            assert "network" in str(warning.text)
