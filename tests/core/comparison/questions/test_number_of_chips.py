"""Cost and days over the number of chips: which numbers are told, and that they are the comparison's own."""

from dataclasses import replace

import pytest

from core.catalogue.catalogue import Catalogue
from core.comparison.evaluate import evaluate
from core.comparison.questions.number_of_chips import count_curve, curve_of, curve_sentences
from core.comparison.result import ResultSet
from core.throughput.types import Reason
from core.units import in_hundred
from core.workload.jobs.kinds import OnlineServing, PreTraining
from core.workload.library import load_profiles
from core.workload.profile import Limits, Profile


@pytest.fixture(scope="module")
def trained(catalogue: Catalogue) -> ResultSet:
    from core.workload.models.transformer import TransformerModel

    model = TransformerModel(name="7B", n_layers=32, d_model=4096, n_heads=32, n_kv_heads=8, d_ff=14336)
    job = PreTraining(n_tokens=1e12, global_batch_sequences=512)
    return evaluate(Profile(job=job, model=model, limits=Limits(deadline_days=60, max_chips=512)), catalogue)


def test_the_curve_goes_through_the_candidate_itself(trained: ResultSet) -> None:
    pick = trained.choice
    assert pick is not None
    curve = count_curve(trained, pick)
    assert curve is not None
    same = next(point for point in curve.points if point.id == pick.id)
    assert same.cost.total == pick.cost.total and same.days_to_finish == pick.days_to_finish


def test_counts_double_up_to_the_limit_and_runs_shorten(trained: ResultSet) -> None:
    pick = next(r for r in trained.results if r.candidate.accelerator.id == "h100-sxm" and r.candidate.n_hosts > 1)
    curve = count_curve(trained, pick)
    assert curve is not None
    counts = [point.candidate.n_chips for point in curve.points]
    days = [point.days_to_finish.likely for point in curve.points if point.days_to_finish]
    assert len(counts) > 4 and max(counts) == 512
    assert all(more == 2 * fewer for fewer, more in zip(counts, counts[1:], strict=False))
    runs = [point.time_terms_days["run"] for point in curve.points]
    waits = [point.time_terms_days["waiting"] for point in curve.points]
    assert runs == sorted(runs, reverse=True) and waits == sorted(waits)
    assert curve.soonest is curve.points[days.index(min(days))]


def test_fewest_meets_the_deadline_and_half_of_it_does_not(trained: ResultSet) -> None:
    pick = next(r for r in trained.results if r.feasible and r.candidate.accelerator.id == "h100-sxm")
    curve = count_curve(trained, pick)
    assert curve is not None and curve.fewest is not None and curve.cheapest is not None
    before = [point for point in curve.points if point.candidate.n_chips < curve.fewest.candidate.n_chips]
    assert curve.fewest.feasible and before and not any(point.feasible for point in before)
    assert all(curve.cheapest.cost.total.likely <= p.cost.total.likely for p in curve.points if p.feasible)


def test_serving_tells_sizes_that_carry_the_peak(catalogue: Catalogue, profile: Profile) -> None:
    served = profile.model_copy(update={"job": OnlineServing(peak_requests_per_s=40.0)})
    results = evaluate(served, catalogue)
    pick = next(r for r in results.results if r.feasible and r.candidate.accelerator.id == "h100-sxm")
    curve = count_curve(results, pick)
    assert curve is not None and curve.fewest is not None
    loads = [point.throughput.load for point in curve.points]
    assert len(curve.points) > 1 and all(load and load.max_requests_per_s >= 40.0 for load in loads)


def test_without_any_that_fits_the_cheapest_that_runs_is_told_and_no_fewest(make_result) -> None:
    late = (Reason("deadline", "9 d past the deadline."),)
    few, many = (make_result(cost=cost, n_chips=n, reasons=late, tag=str(n)) for cost, n in ((2e6, 8), (1e6, 16)))
    curve = curve_of([many, few])
    assert [point.candidate.n_chips for point in curve.points] == [8, 16]
    assert curve.cheapest is many and curve.fewest is None


def test_what_does_not_hold_the_model_is_left_out(make_result) -> None:
    curve = curve_of([make_result(reasons=(Reason("memory", "Takes 90 GiB of 80."),))])
    assert curve.points == () and curve.cheapest is None and curve.soonest is None


def test_results_put_together_by_hand_have_no_curve(trained: ResultSet) -> None:
    pick = trained.choice
    assert pick is not None and not count_curve(replace(trained, basis=None), pick).points


def test_a_number_beside_the_pick_says_how_often_it_keeps_the_limits(catalogue: Catalogue) -> None:
    """A pick of more chips than the fewest has a reason: these keep the limits less often."""
    results = evaluate(load_profiles()["chat-serving-70b"], catalogue)
    pick = results.choice
    assert pick is not None and pick.chance is not None
    curve = count_curve(results, pick)
    assert curve.fewest is not None and curve.fewest.candidate.n_chips < pick.candidate.n_chips
    told = curve_sentences(results, curve)
    fewest = results.by_id[curve.fewest.id].chance
    assert fewest is not None and fewest.in_limits < pick.chance.in_limits
    for text, chance in ((told[0], pick.chance), (told[-1], fewest)):
        assert text.endswith(f", all limits kept in {in_hundred(chance.in_limits)} draws.")
    unasked = replace(results, results=[pick])
    assert curve_sentences(unasked, curve)[-1].endswith("carry the peak, by the likely speed.")
