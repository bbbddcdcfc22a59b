"""Conditions of common advice that look at results, and the figures that tell whether the numbers agree."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from core.catalogue.catalogue import Catalogue
from core.catalogue.places.distance import RouteToUsers
from core.comparison.advice.conditions import CHECKS, CONDITIONS, Facts
from core.comparison.advice.rules import rule_book
from core.comparison.result import CandidateResult
from core.cost.bill.types import CostPart
from core.ranges import Evidence, Range
from core.throughput.types import Layout
from core.units import THIN
from core.workload.jobs.kinds import FineTuning, OnlineServing, PreTraining
from core.workload.models.known import networks, presets
from core.workload.profile import Places, Profile, Stack, Team

DENSE = presets()["Llama 3.1 8B"].model
TRAIN = Profile(job=PreTraining(n_tokens=1e12), model=DENSE)
SERVE = Profile(job=OnlineServing(peak_requests_per_s=5.0, ttft_limit_ms=200.0), model=DENSE)

Make = Callable[..., CandidateResult]


def _says(
    name: str,
    profile: Profile,
    *ranked: CandidateResult,
    rejected: tuple[CandidateResult, ...] = (),
    catalogue: Catalogue | None = None,
) -> str:
    facts = Facts(profile, ranked, rejected, rule_book().thresholds, catalogue)
    return str(CONDITIONS[name](facts)).replace(THIN, " ").replace("\u202f", " ")


def _agrees(name: str, profile: Profile, *ranked: CandidateResult, catalogue: Catalogue | None = None) -> bool | None:
    return CHECKS[name](Facts(profile, ranked, (), rule_book().thresholds, catalogue))


def _speed(result: CandidateResult, **changes: object) -> CandidateResult:
    return replace(result, throughput=replace(result.throughput, **changes))  # type: ignore[arg-type]


def _billed(result: CandidateResult, part: str, usd: float) -> CandidateResult:
    """The same with a further part within the same total."""
    rest = [replace(one, usd=one.usd - usd) if one.id == "compute" else one for one in result.cost.parts]
    parts = (*rest, CostPart(part, usd, "given", (), "X", False))
    return replace(result, cost=replace(result.cost, parts=parts))


def _priced(result: CandidateResult, usd_per_chip_hour: float, **changes: object) -> CandidateResult:
    offer = result.candidate.offer
    host_usd = usd_per_chip_hour * offer.usd_per_host_hour / offer.usd_per_chip_hour
    changed = offer.model_copy(update={"usd_per_chip_hour": usd_per_chip_hour, "usd_per_host_hour": host_usd} | changes)
    return replace(result, candidate=replace(result.candidate, offer=changed))


def test_the_run_and_not_the_bill_of_porting_decides_how_costly_it_is(make_result: Make) -> None:
    jax = TRAIN.model_copy(update={"stack": Stack(framework="jax")})
    run = replace(make_result("tpu-v6e", 100_000.0, porting_usd=91_000.0), run_h=Range(200, 200, 200))
    assert _says("run_is_long_and_costly", jax, run) == ""
    dear = replace(make_result("tpu-v6e", 100_000.0, porting_usd=89_000.0), run_h=Range(200, 200, 200))
    words = _says("run_is_long_and_costly", jax, dear)
    assert words == "A run takes about 8.33 d and $11 k of chips on the best option"


def test_each_of_several_runs_is_looked_at(make_result: Make) -> None:
    pick = replace(make_result(), run_h=Range(60, 60, 60))
    thrice = Profile(job=PreTraining(n_tokens=1e12, n_runs=3), model=DENSE)
    assert _says("run_takes_hours", TRAIN, pick) == ""
    assert _says("run_takes_hours", thrice, pick) == "A run takes about 20 h on the best option"
    assert _says("works_in_cycles", thrice) == "3 runs one after the other"
    assert _says("works_in_cycles", Profile(job=PreTraining(n_runs=2))) == "2 runs one after the other"
    assert _says("works_in_cycles", TRAIN) == _says("works_in_cycles", SERVE) == ""


@pytest.mark.parametrize(
    ("name", "part", "least_usd"),
    [("storage_counts", "storage", 50.0), ("egress_counts", "egress", 50.0), ("running_it_costs", "operations", 50.0)],
)
def test_parts_of_a_twentieth_of_the_bill_are_told(make_result: Make, name: str, part: str, least_usd: float) -> None:
    pick = make_result(cost=1000.0)
    assert "$50" in _says(name, TRAIN, _billed(pick, part, least_usd))
    assert _says(name, TRAIN, _billed(pick, part, least_usd - 1)) == ""
    assert _says(name, TRAIN) == ""


def test_data_that_lies_elsewhere_is_told(make_result: Make) -> None:
    at_aws = TRAIN.model_copy(update={"places": Places(data_provider="aws")})
    near, far = make_result(provider="aws"), make_result(provider="gcp")
    assert _says("egress_counts", at_aws, far).startswith("The data lies at AWS: moving it")
    assert _says("egress_counts", at_aws, near) == ""
    assert [_agrees("pick_lies_with_the_data", at_aws, one) for one in (near, far)] == [True, False]
    assert _agrees("pick_lies_with_the_data", TRAIN, near) is None


def test_input_that_must_be_reworked_for_tpus(make_result: Make) -> None:
    tpu = make_result("tpu-v6e")
    assert _says("input_needs_rework", TRAIN, _billed(tpu, "pipeline", 3000.0)).endswith("takes $3 k")
    assert _says("input_needs_rework", TRAIN, tpu) == _says("input_needs_rework", SERVE, tpu) == ""
    assert _says("input_needs_rework", TRAIN, rejected=(_billed(tpu, "pipeline", 3000.0),)) != ""


@pytest.mark.parametrize(
    ("name", "bottleneck", "profile"), [("network_decides", "network", TRAIN), ("is_bound_by_memory", "memory", SERVE)]
)
def test_what_limits_the_best_option(make_result: Make, name: str, bottleneck: str, profile: Profile) -> None:
    assert _says(name, profile, _speed(make_result(), bottleneck=bottleneck)) != ""
    assert _says(name, profile, _speed(make_result(), bottleneck="compute")) == _says(name, profile) == ""


def test_a_copy_of_the_model_that_spans_servers(make_result: Make) -> None:
    tpu = make_result("tpu-v6e")
    wide, narrow = (_speed(tpu, layout=Layout(tp=chips, pp=2)) for chips in (8, 7))
    assert _says("model_spans_servers", SERVE, wide) == "One copy of the model takes 16 chips of Trillium v6e"
    assert _says("model_spans_servers", SERVE, narrow) == _says("model_spans_servers", TRAIN, wide) == ""
    assert _says("model_spans_servers", SERVE, make_result("h100-sxm")) == ""


def test_a_request_that_takes_a_tenth_of_a_chip(make_result: Make) -> None:
    large, small = (
        _speed(make_result(), layout=Layout(tp=2, max_batch=4), memory_gib={"kv_cache": gib}) for gib in (15.0, 14.0)
    )
    assert _says("requests_fill_memory", SERVE, large).startswith("One request holds 7.5 GiB of cache")
    assert _says("requests_fill_memory", SERVE, small) == _says("requests_fill_memory", TRAIN, large) == ""


@pytest.mark.parametrize(("gib", "fires"), [(67.0, False), (67.1, True)])
def test_memory_that_is_nine_tenths_full(make_result: Make, gib: float, fires: bool) -> None:
    """Of 74.5 GiB."""
    pick = _speed(make_result(), memory_gib={"weights": gib})
    assert bool(_says("memory_is_tight", TRAIN, pick)) is fires
    assert _says("memory_is_tight", SERVE, pick) == _says("memory_is_tight", TRAIN) == ""


@pytest.mark.parametrize(("way_ms", "fires"), [(9.9, False), (10.0, True)])
def test_users_a_twentieth_of_the_limit_away(make_result: Make, way_ms: float, fires: bool) -> None:
    way = Range(way_ms, way_ms, way_ms)
    pick = replace(make_result(), route=RouteToUsers(way, way, "Oslo"))
    assert bool(_says("users_are_far", SERVE, pick)) is fires
    assert _says("users_are_far", SERVE, make_result()) == _says("users_are_far", TRAIN, pick) == ""


def test_much_money_on_a_speed_that_is_not_measured(make_result: Make) -> None:
    assert _says("speed_is_not_measured", TRAIN, make_result(cost=10_000.0)) != ""
    assert _says("speed_is_not_measured", TRAIN, make_result(cost=9_999.0)) == ""
    assert _says("speed_is_not_measured", TRAIN, make_result(evidence=Evidence.MEASURED_HERE)) == ""


def test_porting_tells_the_runs_that_earn_it_back(make_result: Make) -> None:
    """A GPU run costs $1,000; TPU runs of $600 save $400 each, so that $1,000 of porting take 2.5 runs."""
    gpu, tpu = make_result("h100-sxm", 1000.0), make_result("tpu-v6e", 1600.0, porting_usd=1000.0)
    assert _says("porting_is_dear", TRAIN, gpu, tpu).endswith("; earned back after 2.5 runs")
    dear = make_result("tpu-v6e", 2000.0, porting_usd=1000.0)
    assert _says("porting_is_dear", TRAIN, gpu, dear).endswith("; no run saves anything to earn it back")
    assert ";" not in _says("porting_is_dear", TRAIN, tpu)


def test_code_that_needs_no_porting(make_result: Make) -> None:
    assert _says("needs_no_porting", TRAIN, make_result("tpu-v6e")) == "The code runs on 64 × Trillium v6e as it is"
    assert _says("needs_no_porting", TRAIN, make_result("tpu-v6e", porting_usd=1.0)) == ""
    assert _says("needs_no_porting", TRAIN, make_result()) == ""


def test_many_servers_that_the_team_runs_itself(make_result: Make) -> None:
    managed = TRAIN.model_copy(update={"team": Team(delivery="managed")})
    assert _says("cluster_needs_hands", TRAIN, make_result(n_chips=64)).startswith("The best option is 8 servers")
    assert _says("cluster_needs_hands", TRAIN, make_result(n_chips=56)) == ""
    assert _says("cluster_needs_hands", managed, make_result(n_chips=64)) == ""


def test_sellers_who_differ_by_a_tenth(make_result: Make) -> None:
    def sold(*usd: float) -> list[CandidateResult]:
        sellers = ("gcp", "aws", "lambda")
        return [make_result(cost=one, provider=seller) for one, seller in zip(usd, sellers, strict=False)]

    assert _says("prices_differ", TRAIN, *sold(1000, 1050, 1100)).endswith("at 3 sellers")
    assert _says("prices_differ", TRAIN, *sold(1000, 1050, 1099)) == _says("prices_differ", TRAIN, *sold(1, 2)) == ""
    assert _says("prices_differ", TRAIN) == ""


def test_energy_at_scale_or_of_own_servers(make_result: Make) -> None:
    used = [replace(make_result(), energy_kwh=Range(kwh, kwh, kwh)) for kwh in (100_000.0, 99_999.0)]
    assert [bool(_says("energy_is_large", TRAIN, one)) for one in used] == [True, False]
    own = TRAIN.model_copy(update={"places": Places(purchase_models=("owned",))})
    assert _says("energy_is_large", own, used[1]).startswith("Own servers are allowed")
    assert _says("energy_is_large", own) == ""
    tpu = [replace(make_result("tpu-v6e"), energy_kwh=Range(kwh, kwh, kwh)) for kwh in (99_998.0, 100_001.0)]
    assert [_agrees("tpu_takes_less_energy", TRAIN, used[1], one) for one in tpu] == [True, False]
    assert _agrees("tpu_takes_less_energy", TRAIN, used[1]) is None


def test_the_lowest_price_an_hour_that_costs_more_in_all(make_result: Make) -> None:
    slow = _priced(make_result("l4", 1050.0), 0.1)
    quick = _priced(make_result("h100-sxm", 1000.0), 2.0)
    assert _says("hourly_price_misleads", TRAIN, quick, slow).startswith("64 × L4 has the lowest price, $0.1")
    assert _says("hourly_price_misleads", TRAIN, quick, _priced(make_result("l4", 1049.0), 0.1)) == ""
    assert _says("hourly_price_misleads", TRAIN, quick) == _says("hourly_price_misleads", TRAIN) == ""


def test_a_larger_cluster_for_twice_the_money(make_result: Make) -> None:
    pick = make_result(cost=1000.0, n_chips=8)
    words = _says("wrong_size_is_dear", TRAIN, pick, make_result(cost=2000.0, n_chips=64))
    assert words == "64 × H100 SXM would cost 2 times as much as the best option"
    assert _says("wrong_size_is_dear", TRAIN, pick, make_result(cost=1999.0, n_chips=64)) == ""
    assert _says("wrong_size_is_dear", TRAIN, pick, make_result("l4", cost=2000.0, n_chips=64)) == ""
    assert _says("wrong_size_is_dear", TRAIN, pick, make_result(cost=2000.0, n_chips=8)) == ""
    assert _says("wrong_size_is_dear", TRAIN) == ""


@pytest.mark.parametrize(("usd", "fires"), [(1150.0, True), (1151.0, False)])
def test_both_kinds_within_a_seventh(make_result: Make, usd: float, fires: bool) -> None:
    gpu, tpu = make_result("h100-sxm", 1000.0), make_result("tpu-v6e", usd)
    assert bool(_says("both_kinds_are_close", TRAIN, gpu, tpu)) is fires
    assert bool(_says("both_kinds_are_close", TRAIN, tpu, gpu)) is fires
    assert _says("both_kinds_are_close", TRAIN, gpu) == ""


def test_gpus_of_other_makers(make_result: Make) -> None:
    assert _says("other_maker_is_best", TRAIN, make_result("mi300x")) == "MI300X is made by AMD"
    for pick in (make_result("h100-sxm"), make_result("tpu-v6e")):
        assert _says("other_maker_is_best", TRAIN, pick) == ""
    assert _says("makers_are_limited", Profile(places=Places(vendors=("AMD",)))) == "Only chips of AMD are allowed"
    assert _says("makers_are_limited", Profile()) == ""
    ported, free = make_result("mi300x", porting_usd=1.0), make_result("mi300x")
    assert [_agrees("pick_needs_no_porting", TRAIN, one) for one in (ported, free)] == [False, True]


def test_what_the_seller_promises(make_result: Make, catalogue: Catalogue) -> None:
    pick = make_result(cost=1000.0, provider="gcp")
    own = _priced(pick, 1.0, purchase_model="owned")
    assert _says("seller_must_hold", SERVE, pick, catalogue=catalogue).startswith("GCP promises")
    assert _says("seller_must_hold", TRAIN, pick, catalogue=catalogue) == ""
    assert _says("seller_must_hold", SERVE, pick) == _says("seller_must_hold", SERVE, own, catalogue=catalogue) == ""
    dear = make_result(cost=10_000.0, provider="gcp")
    assert _says("seller_must_hold", TRAIN, dear, catalogue=catalogue) != ""
    silent = _priced(pick, 1.0, provider="nobody")
    assert _says("seller_must_hold", SERVE, silent, catalogue=catalogue).endswith("is not known")
    assert _agrees("promise_is_proved", SERVE, silent, catalogue=catalogue) is False
    assert _agrees("promise_is_proved", SERVE, pick) is None


def test_small_and_varied_models(make_result: Make) -> None:
    vision = Profile(job=PreTraining(n_tokens=1e6), model=networks()["ResNet-50"].model)
    assert _says("is_small_or_varied", vision).startswith("Vision, 25.6 M weights")
    assert _says("is_small_or_varied", TRAIN) == _says("is_small_or_varied", Profile()) == ""


def test_data_prepared_on_the_way() -> None:
    images = Profile(job=PreTraining(n_tokens=1e6, data_kind="images"))
    assert _says("prepares_on_the_way", images) == "Images, decoded on the way"
    assert _says("prepares_on_the_way", TRAIN) == _says("prepares_on_the_way", SERVE) == ""


@pytest.mark.parametrize(("millions", "fires"), [(9_999.0, False), (10_000.0, True)])
def test_large_recommenders_where_google_is_open(millions: float, fires: bool) -> None:
    model = networks()["DLRM-DCNv2"].model.model_copy(update={"table_millions": millions})
    train = Profile(job=PreTraining(n_tokens=1e9), model=model)
    assert bool(_says("is_a_large_recommender", train)) is fires
    elsewhere = train.model_copy(update={"places": Places(providers=("aws",))})
    assert _says("is_a_large_recommender", elsewhere) == _says("is_a_large_recommender", TRAIN) == ""


def test_public_models_are_trained_by_recipe() -> None:
    tuned = Profile(job=FineTuning(n_tokens=1e9), model=DENSE)
    assert _says("trains_a_known_model", tuned) == "Llama 3.1 8B is public, and so are recipes for it"
    own = tuned.model_copy(update={"model": DENSE.model_copy(update={"name": "Ours"})})
    assert _says("trains_a_known_model", own) == _says("trains_a_known_model", SERVE) == ""


def test_nothing_is_entered_yet() -> None:
    assert _says("nothing_is_entered", Profile()) != ""
    assert _says("nothing_is_entered", TRAIN) == ""
    for default in ("framework_is_pytorch", "is_regular", "fills_tiles", "wastes_tiles"):
        assert _says(default, Profile()) == "", "a default is nothing that anybody said"


def test_a_share_of_the_step_in_kernels_tells_the_fallback_by_amdahl() -> None:
    """``0.65 + 0.35 x 10 = 4.15``."""
    stack = Stack(custom_kernels=5, custom_op_pct=35.0)
    words = _says("has_custom_kernels", TRAIN.model_copy(update={"stack": stack}))
    assert words.endswith("35 % of a step: left to the host at 1/10 of the speed, a step takes 4.2 times as long")


@pytest.mark.parametrize("model", ["commit_1y", "dedicated_monthly", "owned", "on_demand", "spot", "capacity_block"])
def test_what_is_held_costs_while_nothing_runs(make_result: Make, model: str) -> None:
    pick = _priced(make_result(), 1.0, purchase_model=model)
    is_held = model in ("commit_1y", "dedicated_monthly", "owned")
    assert _agrees("pick_is_held", SERVE, pick) is is_held
    assert _agrees("pick_can_be_given_back", SERVE, pick) is not is_held
    assert _agrees("pick_is_held", SERVE) is _agrees("pick_can_be_given_back", SERVE) is None


def test_gpu_now_with_tpu_in_reach(make_result: Make) -> None:
    gpu, tpu = make_result("h100-sxm"), make_result("tpu-v6e")
    told = [_agrees("gpu_now_and_tpu_in_reach", TRAIN, *ranked) for ranked in ((gpu, tpu), (tpu, gpu), (gpu,), ())]
    assert told == [True, False, False, None]
