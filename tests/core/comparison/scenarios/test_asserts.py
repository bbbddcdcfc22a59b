"""What the guides' scenarios ask of the answers: one test for each, by its id."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from itertools import pairwise

import numpy as np
import pytest

from core.catalogue.catalogue import Catalogue
from core.comparison.advice.rules import rule_book
from core.comparison.questions.cash import CashPlan, cash_plan
from core.comparison.recommendation.warnings import warnings_on
from core.comparison.result import CandidateResult, ResultSet
from core.cost.utilisation import crossings, is_committed, unit_cost_at
from core.report.document import PAGES
from core.throughput.predict import predict
from core.throughput.types import Layout, System, Throughput
from core.workload.models.transformer import TransformerModel
from core.workload.profile import Profile
from tests.core.comparison.scenarios import profiles as scenarios
from tests.core.comparison.scenarios.conftest import Answer
from tests.core.comparison.scenarios.test_leans import best, cost

TODAY = date(2026, 11, 22)


def changed(profile: Profile, part: str, **fields: object) -> Profile:
    """The profile with other fields of one of its parts."""
    inner = getattr(profile, part)
    return profile.model_copy(update={part: type(inner).model_validate(inner.model_dump(exclude_unset=True) | fields)})


def of_kind(results: ResultSet, kind: str) -> list[CandidateResult]:
    """All results on a kind of chip, the rejected ones included."""
    rows = [row for row, chip in enumerate(results.columns.accelerators) if chip.kind == kind]
    return [results.results[row] for row in rows]


def advice_of(results: ResultSet, rule: str) -> list[str]:
    """Why a rule fired, in words."""
    return [str(one.fired_because) for one in results.advice if one.rule == rule]


def picked(results: ResultSet) -> CandidateResult:
    """The pick, which there must be."""
    assert results.choice is not None
    return results.choice


def codes(result: CandidateResult) -> set[str]:
    """What a result fails on."""
    return {reason.code for reason in result.reasons}


def systems(catalogue: Catalogue, chip: str, counts: tuple[int, ...], gbit: float = 3200.0) -> list[System]:
    """Clusters of hosts of eight."""
    return [System(catalogue.accelerator_by_id[chip], n, 8, gbit, False) for n in counts]


def test_sc01_exploring_is_told_and_a_gpu_is_picked(answer: Answer) -> None:
    results = answer(scenarios.SC01)
    assert advice_of(results, "R03") == ["Model code is still being explored"]
    assert picked(results).candidate.accelerator.kind == "gpu"
    assert picked(results).run_h.likely < 24


def test_sc01b_framework_and_maturity_are_told_apart(answer: Answer) -> None:
    told = str(answer(scenarios.SC01B).advice_conflicts[0])
    assert told.startswith("Framework fit says TPU; workload maturity says GPU; the numbers decide for TPU: ")


def test_sc02_the_top_option_is_a_tpu(answer: Answer) -> None:
    results = answer(scenarios.SC02)
    assert picked(results).candidate.accelerator.kind == "tpu"
    assert best(results, "tpu").cost.total.high < best(results, "gpu").cost.total.likely
    assert picked(results).run_h.likely / 24 == pytest.approx(30, rel=0.1)


def test_sc04_tpus_pay_for_the_kernels_and_the_fallback_is_told(answer: Answer) -> None:
    results = answer(scenarios.SC04)
    (told,) = advice_of(results, "R04")
    slower = 1 - 0.35 + 0.35 * 10
    assert told.endswith(f"a step takes {slower:.2g} times as long")
    assert all(one.cost.part("porting") > 0 for one in of_kind(results, "tpu") if one.throughput.fits)


def test_sc06_the_latency_limit_filters(answer: Answer) -> None:
    results = answer(scenarios.SC06)
    late = [one for one in results.results if codes(one) & {"ttft", "latency"}]
    assert late
    for one in results.contenders:
        assert one.throughput.latency is not None
        way_ms = one.route.ms("p95").likely if one.route else 0.0
        assert one.throughput.latency.ttft_ms("p95") + way_ms <= 200.0
    loose = answer(changed(scenarios.SC06, "job", latency_percentile="p50"))
    strict = answer(changed(scenarios.SC06, "job", latency_percentile="p99"))
    kept = [{one.candidate.offer.id for one in some.results[: some.n_feasible]} for some in (loose, results, strict)]
    assert kept[0] >= kept[1] >= kept[2]
    assert kept[0] > kept[2]


def test_sc06_a_whole_answer_can_be_limited_for_95_of_100(answer: Answer) -> None:
    """2.5 s from asking to the last of 256 tokens, the way included."""
    results = answer(changed(scenarios.SC06, "job", ttft_limit_ms=None, tpot_limit_ms=None, answer_limit_ms=2500.0))
    assert results.n_feasible and any("answer" in codes(one) or "latency" in codes(one) for one in results.results)
    for one in results.contenders:
        assert one.throughput.latency is not None
        told = one.throughput.latency
        assert told.ttft_ms("p95") + 255 * told.tpot_ms("p95") + one.throughput.system.route_ms <= 2500.0
        assert one.chance is not None and one.chance.latency is not None


def test_sc07_batches_are_as_large_as_pays(answer: Answer) -> None:
    """No smaller batch of the same arrangement answers more."""
    chosen = picked(answer(scenarios.SC07)).throughput
    sizes = [size for size in (1, 8, 16, 32) if size < chosen.layout.max_batch]
    layouts = [replace(chosen.layout, max_batch=size) for size in sizes]
    fewer = [predict(scenarios.SC07, [chosen.system], layout=layout)[0] for layout in layouts]
    assert fewer and all(one.tokens_per_s.likely < chosen.tokens_per_s.likely for one in fewer)


def test_sc08_tokens_have_a_price_under_commitment(answer: Answer) -> None:
    results = answer(scenarios.SC08)
    committed = next(one for one in results.results if one.candidate.offer.purchase_model == "commit_1y")
    assert committed.feasible and committed.cost.unit == "1M output tokens" and committed.cost.unit_usd > 0
    assert {one.candidate.accelerator.kind for one in results.contenders} >= {"gpu", "tpu"}


def test_sc09_a_token_costs_less_the_busier_the_chips(answer: Answer) -> None:
    """Two answers of the same service; and a line over use, with the use from which committing pays."""
    told = [picked(answer(changed(scenarios.SC08, "job", mean_load_pct=pct))) for pct in (15.0, 50.0, 85.0)]
    assert all(less.cost.unit_usd > more.cost.unit_usd for less, more in pairwise(told))
    results = answer(changed(scenarios.SC08, "job", autoscale=True))
    use = np.linspace(0.1, 1.0, 50)
    rows = results.first_of(lambda chip, offer: is_committed(offer.purchase_model))
    lines = {
        is_committed(one.candidate.offer.purchase_model): unit_cost_at(
            one.cost, is_committed(one.candidate.offer.purchase_model), 0.88, use
        )
        for one in rows
    }
    assert lines.keys() == {True, False}
    assert all((np.diff(line) <= 1e-12).all() for line in lines.values())
    is_cheaper = (lines[True] < lines[False])[[0, -1]]
    assert bool(len(crossings(use, lines[True], lines[False]))) is bool(is_cheaper[0] != is_cheaper[1])


def test_sc10_tpus_render_nothing(answer: Answer) -> None:
    refused = of_kind(answer(scenarios.SC10), "tpu")
    assert refused
    for one in refused:
        assert "runs no graphics" in " ".join(reason.words for reason in one.reasons if reason.code == "non_ml")


def test_sc12_bandwidth_and_not_peak_decides_the_speed_of_a_single_request(catalogue: Catalogue) -> None:
    """Of two chips the one with the higher peak and the lower bandwidth is slower, at a batch of one."""
    more_peak, more_bandwidth = (systems(catalogue, chip, (8,))[0] for chip in ("l40s", "a100-sxm-80"))
    peaks = [one.accelerator.bf16_tflops or 0.0 for one in (more_peak, more_bandwidth)]
    assert peaks[0] > peaks[1]
    assert more_peak.accelerator.memory_bandwidth_gbps < more_bandwidth.accelerator.memory_bandwidth_gbps
    alone = Layout(tp=8, max_batch=1)
    slow, quick = predict(scenarios.SC12, [more_peak, more_bandwidth], layout=alone)
    assert slow.latency is not None and quick.latency is not None
    assert quick.latency.tpot_p50_ms < slow.latency.tpot_p50_ms


def test_sc12_the_rule_says_so(answer: Answer) -> None:
    results = answer(scenarios.SC12)
    assert picked(results).throughput.bottleneck == "memory" and advice_of(results, "R29")


def _hidden(width: int) -> TransformerModel:
    return TransformerModel(name=str(width), d_model=width, d_ff=4 * width, n_heads=4, n_kv_heads=4, d_head=width // 4)


def test_sc13_odd_sizes_waste_tiles(catalogue: Catalogue, answer: Answer) -> None:
    def mfu(width: int) -> float:
        profile = scenarios.SC32.model_copy(update={"model": _hidden(width)})
        return predict(profile, systems(catalogue, "tpu-v5p", (8,)))[0].mfu

    assert mfu(100) < mfu(128) < mfu(4096)
    rules = [
        {one.favours for one in answer(scenarios.SC32.model_copy(update={"model": _hidden(width)})).advice
         if one.rule == "R12"}
        for width in (4096, 100)
    ]  # fmt: skip
    assert rules == [{"tpu"}, {"gpu"}]


def test_sc14_chips_do_less_each_the_more_there_are_and_less_still_on_a_slow_network(catalogue: Catalogue) -> None:
    """With one way of splitting the model. Where the layout is searched, more chips leave more memory to each, so that
    a chip may do a little more; on the slow network it never does."""
    counts = (16, 64, 256, 512)

    def per_chip(gbit: float, searched: bool = False) -> list[float]:
        told = []
        for system in systems(catalogue, "h200-sxm", counts, gbit):
            layout = None if searched else Layout(fsdp=system.n_chips // 8, tp=8, recompute="full")
            (speed,) = predict(scenarios.SC14, [system], layout=layout)
            assert speed.fits
            told.append(speed.tokens_per_s.likely / system.n_chips)
        return told

    quick, slow = per_chip(3200.0), per_chip(100.0)
    for curve in (quick, slow, per_chip(100.0, searched=True)):
        assert all(fewer >= more for fewer, more in pairwise(curve))
    assert all(one < other for one, other in zip(slow, quick, strict=True))
    assert max(per_chip(3200.0, searched=True)) < 1.05 * min(per_chip(3200.0, searched=True))


def test_sc15_the_tables_are_read_and_that_takes_time(catalogue: Catalogue) -> None:
    def step_s(lookups: float) -> float:
        model = scenarios.RECOMMENDER.model_copy(update={"lookup_values": lookups})
        rested = changed(scenarios.SC15, "job", storage_gb_per_s=1e6, preprocess_ms_per_sample=0.0)
        return predict(rested.model_copy(update={"model": model}), systems(catalogue, "h200-sxm", (64,)))[0].step_time_s

    assert step_s(100 * scenarios.RECOMMENDER.lookup_values) > 1.5 * step_s(scenarios.RECOMMENDER.lookup_values)


def test_sc16_tpus_come_in_with_google(answer: Answer) -> None:
    refused = of_kind(answer(scenarios.SC16), "tpu")
    assert refused
    for one in refused:
        assert not one.feasible and "GCP is not among the providers allowed" in one.reasons[0].words
    open_to_google = answer(changed(scenarios.SC16, "places", providers=("gcp",)))
    assert any(one.feasible for one in of_kind(open_to_google, "tpu"))


def test_sc17_exploring_on_gpus_and_scaling_on_tpus_costs_least(answer: Answer) -> None:
    explore, scale = answer(scenarios.SC17_EXPLORE), answer(scenarios.SC17_SCALE)
    assert (explore.recommendation.lean, explore.recommendation.strength) == ("gpu", "strong")
    assert (scale.recommendation.lean, scale.recommendation.strength) == ("tpu", "strong")
    mixed = cost(explore, "gpu") + cost(scale, "tpu")
    alike = {kind: cost(explore, kind) + cost(scale, kind) for kind in ("gpu", "tpu")}
    assert mixed < min(alike.values())
    assert "Code that compiles for TPUs is still being explored" in advice_of(explore, "R30")
    assert next(rule.agrees for rule in explore.advice if rule.rule == "R30") is True


def test_sc18b_a_commitment_while_the_roadmap_moves_is_a_tie_at_most_and_advised_against(answer: Answer) -> None:
    """A year of few H200 and an hour of few GH200 cost alike: neither is told as the better one, and the common advice
    speaks for the one that can be given back."""
    results = answer(scenarios.SC18B)
    told = next(rule for rule in results.advice if rule.rule == "R23")
    assert "still changes" in str(told.fired_because)
    is_bound = is_committed(picked(results).candidate.offer.purchase_model)
    assert told.agrees is not is_bound
    rival = results.by_id[results.recommendation.runner_up or ""]
    assert not is_bound or (
        "too close to call" in str(results.recommendation.headline)
        and not is_committed(rival.candidate.offer.purchase_model)
    )


def test_sc19_chips_that_are_given_back_beat_committed_ones(answer: Answer) -> None:
    by_hour = answer(changed(scenarios.SC19, "job", autoscale=True))
    assert not is_committed(picked(by_hour).candidate.offer.purchase_model)
    held = [one for one in by_hour.results if one.feasible and is_committed(one.candidate.offer.purchase_model)]
    assert held
    assert picked(by_hour).cost.total.likely < min(one.cost.total.likely for one in held)
    assert all(one.cost.part("idle") + one.cost.part("commitment_waste") > 0 for one in held)


def test_sc19_the_answer_changes_with_the_use(answer: Answer) -> None:
    """At one provider that sells both: what is used two fifths of the time is paid by the hour, what is used nearly
    always is committed to, and the advice turns with it."""
    places = {"providers": ("hyperstack",), "purchase_models": ("on_demand", "commit_1y")}
    of_one = changed(scenarios.SC19, "places", **places)
    swinging, steady = (
        answer(changed(of_one, "job", mean_load_pct=pct, traffic=traffic, autoscale=traffic != "steady"))
        for pct, traffic in ((40.0, "day_night"), (95.0, "steady"))
    )
    held = [is_committed(picked(one).candidate.offer.purchase_model) for one in (swinging, steady)]
    assert held == [False, True]
    for results in (swinging, steady):
        assert next(rule.agrees for rule in results.advice if rule.rule == "R40") is True


def test_sc19_what_is_scaled_at_a_steady_load_is_committed_to_only_where_that_costs_less(answer: Answer) -> None:
    """Autoscaling gives back the room above the peak, which a commitment pays: as many chips by the hour cost less."""
    places = {"providers": ("hyperstack",), "purchase_models": ("on_demand", "commit_1y")}
    of_one = changed(scenarios.SC19, "places", **places)
    results = answer(changed(of_one, "job", mean_load_pct=95.0, traffic="steady", autoscale=True))
    pick = picked(results)
    others = [
        one.cost.total.likely
        for one in results.results
        if one.candidate.accelerator.id == pick.candidate.accelerator.id
        and one.candidate.n_chips == pick.candidate.n_chips
        and is_committed(one.candidate.offer.purchase_model) != is_committed(pick.candidate.offer.purchase_model)
    ]
    assert others and pick.cost.total.likely < min(others)


@pytest.mark.parametrize("profile", [scenarios.SC21, scenarios.SC24], ids=["SC21", "SC24"])
def test_sc21_and_sc24_only_own_gpus_are_left(profile: Profile, answer: Answer) -> None:
    results = answer(profile)
    fitting = results.results[: results.n_feasible]
    assert fitting
    assert {(one.candidate.accelerator.kind, one.candidate.offer.purchase_model) for one in fitting} == {
        ("gpu", "owned")
    }
    assert all("place" in codes(one) for one in of_kind(results, "tpu"))


def test_sc22_newcomers_are_quicker_on_gpus(answer: Answer) -> None:
    results = answer(scenarios.SC22)
    ramp = [best(results, kind).time_terms_days.get("porting", 0.0) for kind in ("gpu", "tpu")]
    assert ramp[0] < ramp[1]


def test_sc22b_without_money_both_kinds_are_told_and_what_they_would_need(answer: Answer) -> None:
    """No notebook is sold in the catalogue, so that the nearest of each kind are listed; with money there is a pick."""
    results = answer(scenarios.SC22B)
    nearest = {one.candidate.accelerator.kind for one in results.best_per_accelerator if "budget" in codes(one)}
    assert results.choice is None and nearest >= {"gpu", "tpu"}
    assert answer(changed(scenarios.SC22B, "limits", budget_usd=20_000.0)).recommendation.lean == "gpu"


def test_sc23_three_years_of_use_are_cheaper_held_than_by_the_hour(answer: Answer) -> None:
    """Owning beats the hour at the sellers who ask most for it, and the use from which it does is told; at the cheapest
    by the hour it never does: the pick is one of those, which a flat price would cost more."""
    results = answer(scenarios.SC23)
    plans = [
        plan for plan in (cash_plan(results, one) for one in results.contenders) if plan and plan.buy and plan.rent
    ]
    paying = [plan for plan in plans if _bought_over_rented(plan) < 1]
    assert paying and all(0 < (plan.break_even_use or 0) < 1 for plan in paying)
    assert all(plan.break_even_use is None for plan in plans if plan not in paying)
    flat = answer(changed(scenarios.SC23, "places", purchase_models=("dedicated_monthly", "commit_3y", "owned")))
    assert picked(flat).candidate.accelerator.kind == "gpu"
    assert picked(flat).cost.total.likely > picked(results).cost.total.likely


def _bought_over_rented(plan: CashPlan) -> float:
    """Worth today of buying over that of renting, at the use of the plan."""
    assert plan.buy is not None and plan.rent is not None
    return plan.present_usd(plan.buy)[1] / plan.present_usd(plan.rent)[1]


def test_sc25_both_kinds_are_predicted_and_the_guides_disagree(answer: Answer) -> None:
    results = answer(scenarios.SC25)
    assert best(results, "gpu").throughput.latency and best(results, "tpu").throughput.latency
    told = str(results.advice_conflicts[0])
    assert told.startswith("Scale-out and links says TPU; latency and uneven batches says GPU; the numbers decide")


def test_sc26_a_faster_chip_gains_nothing_on_slow_storage(answer: Answer) -> None:
    results = answer(scenarios.SC26)
    starved = [one for one in results.contenders if one.throughput.bottleneck == "input"]
    assert picked(results).throughput.bottleneck == "input"
    speeds = [one.throughput.tokens_per_s.likely for one in starved]
    peaks = {one.candidate.n_chips * (one.candidate.accelerator.bf16_tflops or 0.0) for one in starved}
    assert max(peaks) > 3 * min(peaks)
    assert max(speeds) == pytest.approx(min(speeds), rel=0.01)
    assert max(speeds) == pytest.approx(0.5e9 / 120e3, rel=0.05)


def test_sc27_tpus_miss_the_deadline(answer: Answer) -> None:
    results = answer(scenarios.SC27)
    running = [one for one in of_kind(results, "tpu") if one.throughput.fits and "purchase" not in codes(one)]
    assert running and all("deadline" in codes(one) for one in running)
    assert all(one.time_terms_days["porting"] >= 6 * 7 * 0.9 for one in running)


def test_sc27b_porting_costs_more_than_the_job(answer: Answer) -> None:
    results = answer(scenarios.SC27B)
    porting = best(results, "tpu").cost.part("porting")
    assert porting > picked(results).cost.total.likely
    assert any("no run saves anything" in told or "earned back after" in told for told in advice_of(results, "R16"))


def test_sc28_too_many_chips_are_warned_of(answer: Answer) -> None:
    results = answer(scenarios.SC28)
    rows = np.flatnonzero(results.columns.feasible & (results.columns.n_chips >= 128))
    assert rows.size
    for row in rows.tolist():
        told = warnings_on(results, results.results[row], TODAY, 90)
        assert "over_provisioned" in {reason.code for reason in told}
    assert advice_of(results, "R34")


def test_sc28b_nothing_is_ranked_before_it_is_known(answer: Answer) -> None:
    results = answer(scenarios.SC28B)
    told = results.recommendation
    assert len(results.results) == 0 and results.choice is None
    assert (told.lean, told.strength, told.confidence) == ("gpu", "soft", "low")


def test_sc29_memory_decides_and_is_told_part_by_part(answer: Answer) -> None:
    results = answer(scenarios.SC29)
    unfit = [one for one in results.best_per_accelerator if "memory" in codes(one)]
    assert {one.candidate.accelerator.kind for one in unfit} >= {"gpu", "tpu"}
    for one in unfit:
        needed = sum(one.throughput.memory_gib.values())
        assert needed > one.throughput.memory_capacity_gib and one.throughput.memory_gib.keys() >= {"weights"}
    more = answer(changed(scenarios.SC29, "limits", max_chips=64))
    assert {one.candidate.accelerator.id for one in more.contenders} > {
        one.candidate.accelerator.id for one in results.contenders
    }


def test_sc29b_the_cache_decides_how_many_chips(catalogue: Catalogue, answer: Answer) -> None:
    """The cache outweighs the weights, and half of it takes fewer chips."""
    results = answer(scenarios.SC29B)
    memory = picked(results).throughput.memory_gib
    assert memory["kv_cache"] > memory["weights"] and advice_of(results, "R31")
    halved = answer(changed(scenarios.SC29B, "job", kv_precision="fp8"))
    assert _fewest(halved, "b200-sxm") < _fewest(results, "b200-sxm")


def _fewest(results: ResultSet, chip: str) -> int:
    """Of all that keep the limits: some carry the load at its peak without any room, which are seldom contenders."""
    feasible = (one.candidate for one in results.results if one.feasible)
    return min(one.n_chips for one in feasible if one.accelerator.id == chip)


def test_sc30_who_runs_it_changes_the_work(answer: Answer) -> None:
    ways = ("managed", "kubernetes", "bare_metal")
    hours = [picked(answer(changed(scenarios.SC30, "team", delivery=way))).cost.part("operations") for way in ways]
    assert hours[0] < hours[1] < hours[2]


def test_sc31_every_line_counts_and_they_add_up(answer: Answer) -> None:
    results = answer(scenarios.SC31)
    seen: dict[str, float] = {}
    for one in results.contenders:
        parts = {part.id: part.usd for part in one.cost.parts}
        assert sum(parts.values()) == pytest.approx(one.cost.total.likely, abs=0.005)
        assert min(parts.values()) >= 0
        seen = {part: max(usd, seen.get(part, 0.0)) for part, usd in (seen | parts).items()}
    wanted = {"compute", "storage", "egress", "operations", "support", "idle", "energy", "porting"}
    assert {part for part in wanted if seen.get(part, 0.0) <= 0} == set()
    committed = [one for one in results.contenders if is_committed(one.candidate.offer.purchase_model)]
    assert any(one.cost.part("idle") + one.cost.part("commitment_waste") > 0 for one in committed)


def test_sc32_the_order_of_chips_moves_with_the_sequence(catalogue: Catalogue) -> None:
    chips = [chip.id for chip in catalogue.accelerators if not chip.announced and chip.bf16_tflops]

    def order(length: int) -> list[str]:
        job = {"sequence_length": length, "global_batch_sequences": 4_194_304 // length}
        profile = changed(scenarios.SC32, "job", **job)
        answers: list[Throughput] = predict(profile, [systems(catalogue, chip, (32,))[0] for chip in chips])
        running = [one for one in answers if one.fits]
        return [one.system.accelerator.id for one in sorted(running, key=lambda one: -one.tokens_per_s.likely)]

    short, long = order(128), order(32_768)
    both = set(short) & set(long)
    assert [chip for chip in short if chip in both] != [chip for chip in long if chip in both]


def test_sc35_the_same_chip_costs_differently_at_each_seller(answer: Answer) -> None:
    results = answer(scenarios.SC35)
    totals = {
        one.candidate.offer.provider: one.cost.total.likely
        for one in results.contenders
        if one.candidate.accelerator.id == "h100-sxm" and one.candidate.n_chips == 8
    }
    assert len(totals) >= 3 and len(set(totals.values())) == len(totals)
    assert any("sellers" in told for told in advice_of(results, "R21"))


def test_sc36_ranges_and_regret_are_told_of_every_contender(answer: Answer) -> None:
    results = answer(scenarios.SC36)
    for one in results.contenders:
        assert one.cost.total.low < one.cost.total.likely < one.cost.total.high
        assert one.chance is not None and 0 <= one.chance.in_limits <= 1
    regrets = [one.chance.regret_usd for one in results.contenders if one.chance and one.chance.regret_usd is not None]
    assert regrets and min(regrets) >= 0
    assert {one.candidate.accelerator.vendor for one in results.contenders} <= {"NVIDIA", "AMD", "Intel", "Google"}


def test_sc36_the_plan_tells_what_the_guides_ask_for() -> None:
    """A map of the decision, ranges and regret, the rules with their pilot, and files to take along."""
    assert {"decision", "map", "candidates", "cost", "performance", "flexibility", "advice", "sources"} <= PAGES.keys()
    assert {"Measure a pilot before much money rests on it", "Try the port on a small slice first"} <= {
        rule.title for rule in rule_book().rules if rule.rule == "R37"
    }


def test_sc36_what_is_not_measured_gets_a_pilot(answer: Answer) -> None:
    told = advice_of(answer(scenarios.SC36), "R37")
    assert any("rest on a speed that is" in words for words in told)
    assert advice_of(answer(scenarios.SC36), "R38") == ["2 engineers, none of whom has used XLA"]
