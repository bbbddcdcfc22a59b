"""Performance and serving limits on paper: what stands there is what was predicted."""

from dataclasses import replace
from datetime import date
from types import SimpleNamespace

import pytest

from core.comparison.recommendation.arguments import best_of_each
from core.plan.plan import Plan
from core.ranges import Range
from core.report.blocks import Figure, Paragraph, Section, Table
from core.report.pages.context import PageContext
from core.report.pages.decision import _time_kpi
from core.report.pages.performance import _row, _way_cell, layout_text, performance_page, serving_page
from core.throughput.types import Layout
from core.units import THIN, grouped
from core.workload.jobs.kinds import OnlineServing
from core.workload.profile import Places

TODAY = date(2026, 11, 21)


@pytest.fixture
def train(plan: Plan, results, catalogue) -> PageContext:
    return PageContext(plan, results["train"], catalogue, TODAY, "Base")


@pytest.fixture
def serve(plan: Plan, results, catalogue) -> PageContext:
    return PageContext(plan, results["serve"], catalogue, TODAY, "Base")


def _limited(context: PageContext, **job: object) -> PageContext:
    """The page of the same results under other limits of time."""
    results = context.results
    changed = results.profile.job.model_copy(update=job)
    return replace(context, results=replace(results, profile=results.profile.model_copy(update={"job": changed})))


def _table(section: Section | None) -> Table:
    assert section is not None
    return next(block for block in section.blocks if isinstance(block, Table))


def test_a_slow_service_is_not_printed_as_none(serve: PageContext) -> None:
    """26 chips that make 0.14 videos a second stood as 0, 0-0."""
    result = serve.results.results[0]
    slow = replace(result, throughput=replace(result.throughput, tokens_per_s=Range(0.1002, 0.1427, 0.1895)))
    assert _row(slow)[1].text == "0.14"
    kpi = _time_kpi(serve, replace(slow, days_to_finish=None))
    assert (kpi.value, kpi.range_text) == ("0.14", "0.1\u20130.19")


def test_the_way_to_users_stands_over_its_range_and_an_unknown_one_is_marked(serve: PageContext) -> None:
    job, result = serve.profile.job, serve.results.results[0]
    assert isinstance(job, OnlineServing)
    cell = _way_cell(job, replace(result, route=None))
    assert (cell.text, cell.tone, cell.second) == ("unknown", "warn", "")
    route = SimpleNamespace(ms=lambda _: Range(8.0, 20.0, 64.0))
    cell = _way_cell(job, replace(result, route=route))
    assert cell.below and cell.text.startswith("20") and "8" in cell.second and "64" in cell.second


def _charts(section: Section | None) -> list[str]:
    assert section is not None
    return [block.chart for block in section.blocks if isinstance(block, Figure)]


def _words(section: Section | None) -> str:
    assert section is not None
    return " ".join(block.text for block in section.blocks if isinstance(block, Paragraph))


@pytest.mark.parametrize(
    ("layout", "serving", "words"),
    [
        (Layout(fsdp=32, tp=8), False, "FSDP 32, TP 8, micro-batch 1"),
        (Layout(dp=2, pp=4, interleave=2, zero=2, micro_batch=3), False,
         "DP 2, PP 4, 2 stages a rank, gradients split, micro-batch 3"),
        (Layout(cp=2, ep=4, interleave=1, recompute="full"), False, "CP 2, EP 4, micro-batch 1, full recompute"),
        (Layout(), False, "micro-batch 1"),
        (Layout(tp=2, replicas=1), True, "TP 2, 1 replica"),
        (Layout(tp=2, replicas=3, micro_batch=5), True, "TP 2, 3 replicas"),
    ],
)  # fmt: skip
def test_a_layout_in_words(layout: Layout, serving: bool, words: str) -> None:
    assert layout_text(layout, serving).replace(THIN, " ") == words


def test_one_row_a_chip_with_its_speed_and_layout(train: PageContext) -> None:
    table, best = _table(performance_page(train)), best_of_each(train.results.results[: train.results.n_feasible])
    assert 1 < len(table.rows) == min(len(best), 10)
    for row, result in zip(table.rows, best, strict=False):
        told = result.throughput
        assert [row[1].text, row[3].text] == [grouped(told.tokens_per_s.likely), told.bottleneck.capitalize()]
        assert row[5].text == layout_text(told.layout, False)
    assert _charts(performance_page(train)) == ["step-time", "roofline"]


def test_serving_shows_the_curve_of_the_pick_only_where_there_is_one(serve: PageContext) -> None:
    assert _charts(serving_page(serve)) == ["latency-load"]
    pick = serve.pick
    assert pick is not None
    mute = replace(pick, throughput=replace(pick.throughput, load=None))
    others = tuple(mute if one.id == pick.id else one for one in serve.results.results)
    assert _charts(serving_page(replace(serve, results=replace(serve.results, results=others)))) == []


def test_training_has_no_serving_page(train: PageContext) -> None:
    assert serving_page(train) is None


@pytest.mark.parametrize("percentile", ["p50", "p95", "p99"])
def test_times_over_their_limit_are_marked_in_the_column_of_the_limit(serve: PageContext, percentile: str) -> None:
    """A limit of 1 ms is broken by every time of its percentile, and by none of the other."""
    job = {"latency_percentile": percentile, "ttft_limit_ms": 1.0, "tpot_limit_ms": 1.0}
    table = _table(serving_page(_limited(serve, **job)))
    marked = [True, False] if percentile == "p50" else [False, True]
    assert [column.title for column in table.columns][2] == ("p95" if percentile == "p95" else "p99")
    for row in table.rows:
        assert [cell.tone == "bad" for cell in row[1:5]] == [*marked, *marked]


def test_without_limits_nothing_is_marked_and_the_words_say_so(serve: PageContext) -> None:
    page = serving_page(_limited(serve, ttft_limit_ms=None, tpot_limit_ms=None))
    assert all(cell.tone == "" for row in _table(page).rows for cell in row[1:])
    assert "first token no limit, each next token no limit" in _words(page)
    limited = serving_page(_limited(serve, ttft_limit_ms=250.0, tpot_limit_ms=None))
    assert f"first token 250{THIN}ms, each next token no limit" in _words(limited)


def test_a_time_at_its_limit_is_not_over_it(serve: PageContext) -> None:
    first = _table(serving_page(serve)).rows[0]
    assert isinstance(serve.profile.job, OnlineServing)
    latency = best_of_each([r for r in serve.results.results if r.throughput.latency])[0].throughput.latency
    assert latency is not None and first[1].text.endswith("ms")
    at = _limited(serve, latency_percentile="p50", ttft_limit_ms=latency.ttft_p50_ms, tpot_limit_ms=None)
    over = _limited(serve, latency_percentile="p50", ttft_limit_ms=latency.ttft_p50_ms * 0.999, tpot_limit_ms=None)
    assert [_table(serving_page(one)).rows[0][1].tone for one in (at, over)] == ["", "bad"]


def test_named_users_bring_a_column_for_the_way_to_them(serve: PageContext) -> None:
    plain = _table(serving_page(serve))
    places = Places(user_places=("berlin",))
    profile = serve.results.profile.model_copy(update={"places": places})
    named = serving_page(replace(serve, results=replace(serve.results, profile=profile)))
    assert len(_table(named).columns) == len(plain.columns) + 1 == len(_table(named).rows[0])
    assert "the way to users in" in _words(named) and "places" in _charts(named)
    assert {row[5].text for row in _table(named).rows} == {"unknown"}
