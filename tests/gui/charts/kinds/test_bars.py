"""Bars of speed, flexibility and leaving: their figures by hand, without a window."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.catalogue.loading import load_catalogue
from core.comparison.evaluate import evaluate
from core.comparison.questions.leaving import ANYWHERE, targets
from core.comparison.result import CandidateResult, ResultSet
from core.ranges import Range
from core.throughput.types import Latency
from core.units import THIN, Money, money_in
from core.workload.jobs.kinds import BatchInference, OnlineServing
from core.workload.library import load_profiles
from core.workload.profile import Limits, Profile
from gui.charts.kinds.exit_bill import _words, exit_bill, exit_money
from gui.charts.kinds.flexibility_bars import EVIDENCE_LETTERS, flexibility_bars
from gui.charts.kinds.latency_load import latency_load
from gui.charts.kinds.throughput import needed_tokens_per_s, speed_scale, throughput
from tests.gui.sample_results import sample_results


def _first() -> CandidateResult:
    """A result of 1,000 tokens/s that runs 20 of 25 days."""
    one = sample_results().results[0]
    speed = replace(one.throughput, tokens_per_s=Range(900.0, 1000.0, 1100.0))
    return replace(one, throughput=speed, run_h=Range(400.0, 480.0, 600.0), days_to_finish=Range(20.0, 25.0, 30.0))


def _until(days: float | None) -> Profile:
    return sample_results().profile.model_copy(update={"limits": Limits(deadline_days=days)})


@pytest.mark.parametrize(
    ("deadline", "needed"),
    [(25.0, 1000.0), (45.0, 500.0), (15.0, 2000.0), (5.5, 40_000.0), (5.0, None), (4.0, None), (None, None)],
)
def test_the_speed_that_ends_on_the_last_day(deadline: float | None, needed: float | None) -> None:
    """Five days pass beside the run: 20 days at 1,000 tokens/s in what the deadline leaves."""
    assert needed_tokens_per_s(_first(), _until(deadline)) == (None if needed is None else pytest.approx(needed))


def test_where_no_speed_is_needed() -> None:
    """A service never finishes, whatever the deadline."""
    one = _first()
    endless = replace(one, days_to_finish=None)
    assert needed_tokens_per_s(endless, _until(45.0)) is None
    assert needed_tokens_per_s(endless, _until(45.0).model_copy(update={"job": OnlineServing()})) is None
    still = replace(one, throughput=replace(one.throughput, tokens_per_s=Range(0.0, 0.0, 0.0)))
    assert needed_tokens_per_s(still, _until(45.0)) is None


def test_a_batch_needs_the_speed_that_ends_in_its_window() -> None:
    """480 h at 1,000 tokens/s in a window of 8 h: sixty times as fast."""
    profile = _until(None).model_copy(update={"job": BatchInference(window_h=8.0)})
    assert needed_tokens_per_s(_first(), profile) == pytest.approx(60_000.0)
    named = throughput(replace(sample_results(), profile=profile)).legend
    assert [entry.text for entry in named] == ["needed for the window"]
    assert [entry.text for entry in throughput(sample_results()).legend] == ["needed for the deadline"]


@pytest.mark.parametrize(
    ("fastest", "divisor", "words"),
    [
        (1e7, 1e6, "Million tokens/s"), (9.99e6, 1e3, "Thousand tokens/s"), (2e3, 1e3, "Thousand tokens/s"),
        (1999.0, 1.0, "Tokens/s"),
    ],
)  # fmt: skip
def test_speeds_are_shown_in_a_round_unit(fastest: float, divisor: float, words: str) -> None:
    scale = speed_scale(fastest)
    assert (scale.divisor, scale.words) == (divisor, words)


def test_speeds_have_two_digits_or_one_decimal() -> None:
    scale = speed_scale(5e6)
    assert [scale.text(value) for value in (123_456.0, 10_000.0, 9_940.0, 1_234.0)] == ["120", "10", "9.9", "1.2"]
    assert [speed_scale(0.1, "samples").text(value) for value in (0.0899, 0.059, 0.13, 1.2)] == [
        "0.09", "0.059", "0.13", "1.2",
    ]  # fmt: skip
    assert [speed_scale(0.1, "samples").text(value) for value in (0.1, 0.2, 0.11)] == ["0.10", "0.20", "0.11"]


def test_what_misses_a_limit_and_is_far_faster_does_not_flatten_those_that_fit() -> None:
    """64 chips that miss a limit at a million samples/s made bars of a few pixels of all that fit."""
    made = sample_results()

    def of(speed: float, feasible: bool, number: int) -> CandidateResult:
        one = made.results[number]
        ranged = Range(0.9 * speed, speed, 1.1 * speed)
        return replace(one, feasible=feasible, throughput=replace(one.throughput, tokens_per_s=ranged))

    far = throughput(replace(made, results=(of(1e4, True, 0), of(1e6, False, 3))))
    assert far.x.high == pytest.approx(1.1e4 * 1.03)
    near = throughput(replace(made, results=(of(1e4, True, 0), of(1.3e4, False, 3))))
    assert near.x.high == pytest.approx(1.43e4 * 1.03)
    none = throughput(replace(made, results=(of(1e4, False, 0), of(1e6, False, 3))))
    assert none.x.high == pytest.approx(1.1e6 * 1.03)


def test_speeds_stand_fastest_first_and_those_that_miss_a_limit_last() -> None:
    results = sample_results()
    figure = throughput(results)
    by_id = {result.id: result for result in results.results}
    order = [(not by_id[row.id].feasible, -by_id[row.id].throughput.tokens_per_s.likely) for row in figure.rows]
    assert order == sorted(order)
    assert [row.hollow for row in figure.rows] == [not by_id[row.id].feasible for row in figure.rows]
    largest = max(result.throughput.tokens_per_s.high for result in results.results)
    assert figure.x.high == pytest.approx(1.03 * largest)
    assert [bar.row for bar in figure.bars] == list(range(len(figure.rows)))
    for bar, row in zip(figure.bars, figure.rows, strict=True):
        speed = by_id[row.id].throughput.tokens_per_s
        assert (bar.start, bar.end, row.range) == (0.0, speed.likely, (speed.low, speed.high))


def test_points_of_each_criterion_with_their_span_and_the_runner_up_as_a_tick() -> None:
    results = sample_results()
    figure = flexibility_bars(results, results.results[0].id)
    criteria = results.results[0].flexibility.criteria
    other = {one.id: one for one in results.results[1].flexibility.criteria}
    for bar, row, one in zip(figure.bars, figure.rows, criteria, strict=True):
        assert bar.end == pytest.approx(100 * one.value.likely)
        assert row.range == pytest.approx((100 * one.value.low, 100 * one.value.high))
        assert row.ticks == pytest.approx((100 * other[one.id].value.likely,))
        assert row.right[0][0] == f"{100 * one.value.likely:.0f}"


def _of_one_criterion(value: Range, evidence: str = "counted", estimate: bool = False) -> ResultSet:
    results = sample_results()
    first = results.results[0]
    one = replace(first.flexibility.criteria[0], value=value, evidence=evidence, estimate=estimate)
    flexible = replace(first, flexibility=replace(first.flexibility, criteria=(one,)))
    return replace(results, results=(flexible, *results.results[1:]))


@pytest.mark.parametrize(
    ("value", "words"),
    [(Range(0.8, 0.9, 0.98), ("80", "98")), (Range(0.5, 0.5, 0.5), ()), (Range(0.501, 0.502, 0.503), ()),
     (Range(0.0, 0.5, 1.0), ("0", "100"))],
)  # fmt: skip
def test_a_span_of_points_is_told_where_it_shows(value: Range, words: tuple[str, ...]) -> None:
    results = _of_one_criterion(value)
    told = flexibility_bars(results, results.results[0].id).rows[0].right[1][0]
    assert (told.startswith(words[0]) and told.endswith(words[1])) if words else told == ""


def test_evidence_is_cut_to_its_room_and_estimates_are_hatched() -> None:
    for letters, is_cut in ((EVIDENCE_LETTERS, False), (EVIDENCE_LETTERS + 1, True)):
        results = _of_one_criterion(Range(0.5, 0.5, 0.5), "x" * letters, estimate=is_cut)
        figure = flexibility_bars(results, results.results[0].id)
        told = figure.rows[0].right[3][0]
        assert len(told) == EVIDENCE_LETTERS and told.endswith("…") is is_cut
        assert figure.bars[0].hatched is is_cut
        assert ("estimates only" in [entry.text for entry in figure.legend]) is is_cut


def test_bills_for_leaving_stand_cheapest_first_and_their_parts_add_up() -> None:
    results = sample_results()
    costs = iter((5e4, 2e5, 1e5))
    leaving = tuple(
        replace(one, flexibility=replace(one.flexibility, exit_usd=next(costs, 3e5))) for one in results.results
    )
    results = replace(results, results=leaving)
    by_id = {one.id: one.flexibility.exit_usd for one in leaving}
    figure = exit_bill(results)
    bills = [by_id[row.id] for row in figure.rows]
    assert bills == sorted(bills) and bills[0] == 5e4
    assert figure.x.high == pytest.approx(1.03 * max(bills)) and figure.x.low == 0.0
    for number, bill in enumerate(bills):
        own = [bar for bar in figure.bars if bar.row == number]
        assert own[0].start == 0.0 and own[-1].end == pytest.approx(bill)
        assert all(one.end == two.start for one, two in zip(own, own[1:], strict=False))


def test_where_leaving_is_free_no_axis_measures_nothing() -> None:
    results = sample_results()
    free = [
        replace(one, feasible=True, reasons=(), flexibility=replace(one.flexibility, exit_usd=0.0, exit_weeks=0.0))
        for one in results.results
    ]
    figure = exit_bill(replace(results, results=free))
    assert figure.rows and not figure.bars and not figure.x.shown
    assert exit_bill(results).x.shown == bool(exit_bill(results).bars)


def test_where_to_leave_for_is_told_as_within_a_sentence() -> None:
    assert _words(sample_results(), ANYWHERE) == "another seller or chip"
    known = evaluate(load_profiles()["llama3-70b-finetune"], load_catalogue())
    title = next(one.title for one in targets(known) if one.key == "google_tpu")
    assert _words(known, "google_tpu") == title and title[0].isupper()
    assert _words(known, "gone") == "another seller or chip"


@pytest.mark.parametrize(("usd", "words"), [(0.0, "$0"), (0.99, "$0"), (1.0, "$1.00"), (1.5, "$1.50")])
def test_nothing_to_pay_for_leaving_is_a_plain_0(usd: float, words: str) -> None:
    with money_in(Money()):
        assert exit_money(usd) == words


def test_latency_over_the_rate_shows_the_limit_and_the_busiest_hour() -> None:
    results = sample_results(serving=True)
    job = OnlineServing(peak_requests_per_s=10.0, ttft_limit_ms=1000.0, latency_percentile="p99")
    results = replace(results, profile=results.profile.model_copy(update={"job": job}))
    figure = latency_load(results, results.results[0].id)
    limits = {limit.id: limit for limit in figure.limits}
    assert limits["peak"].at == 10.0 and limits["peak"].solid and not limits["peak"].past
    assert limits["ttft"].at == pytest.approx(3.0) and limits["ttft"].label.endswith("for 99 of 100")
    tail, half = figure.curves
    assert (tail.id, half.id, half.dashed, tail.dashed) == ("p99", "p50", True, False)
    assert all(below < above for below, above in zip(half.ys, tail.ys, strict=True))
    assert figure.x.high == pytest.approx(0.95 * 4 * 5 * 1.03)  # four replicas of 5 requests/s, nearly full
    assert figure.y.low < min(half.ys) and figure.y.high >= 3.0 + 0.342  # 2.2 times the limit at least


def test_latency_without_a_limit_has_one_line_and_a_busy_peak_widens_the_axis() -> None:
    results = sample_results(serving=True)
    job = OnlineServing(peak_requests_per_s=100.0, ttft_limit_ms=None)
    results = replace(results, profile=results.profile.model_copy(update={"job": job}))
    figure = latency_load(results, results.results[0].id)
    assert [limit.id for limit in figure.limits] == ["peak"]
    assert figure.x.high == pytest.approx(103.0)


def test_the_table_of_speeds_says_which_options_fit() -> None:
    results = sample_results()
    by_name = {one.candidate.name: one for one in results.results}
    header, *rows = throughput(results).table
    assert header[2:] == ("fits", "tokens_per_s", "low", "high")
    assert {row[2] for row in rows} == {"yes", "no"}
    for name, place, fits, likely, low, high in rows:
        one, speed = by_name[name], by_name[name].throughput.tokens_per_s
        assert (place, fits) == (one.candidate.place, "yes" if one.feasible else "no")
        assert (likely, low, high) == (f"{speed.likely:.1f}", f"{speed.low:.1f}", f"{speed.high:.1f}")


def test_a_wide_limit_of_time_sets_the_height_of_latencies() -> None:
    """2.2 times the limit of 100 s, where everything measured is far below."""
    results = sample_results(serving=True)
    job = OnlineServing(peak_requests_per_s=10.0, ttft_limit_ms=100_000.0)
    results = replace(results, profile=results.profile.model_copy(update={"job": job}))
    assert latency_load(results, results.results[0].id).y.high == pytest.approx(5.342423)


def test_even_one_token_a_second_can_be_scaled_to_a_deadline() -> None:
    one = _first()
    slow = replace(one, throughput=replace(one.throughput, tokens_per_s=Range(1.0, 1.0, 1.0)))
    assert needed_tokens_per_s(slow, _until(45.0)) == pytest.approx(0.5)


def test_an_answer_that_is_not_followed_over_the_load_says_what_is_known() -> None:
    results = sample_results(serving=True)
    first = results.results[0]
    unfollowed = replace(first.throughput, load=None, latency=Latency(150_000.0, 220_000.0, 0.0, 0.0))
    for speed, words in ((unfollowed, "an answer takes 2 min 30 s"), (replace(unfollowed, latency=None), "no replica")):
        figure = latency_load(replace(results, results=(replace(first, throughput=speed),)), first.id)
        assert words in figure.empty.replace(THIN, " ")
