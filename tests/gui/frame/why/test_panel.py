"""The Why dock: chains that add up, formulas on demand, arguments, sources, A against B."""

import subprocess
import sys
from dataclasses import replace
from datetime import date

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QPushButton
from pytestqt.qtbot import QtBot

from core.catalogue.loading import load_catalogue
from core.catalogue.places.distance import RouteToUsers
from core.comparison.evaluate import evaluate
from core.ranges import Range
from core.units import THIN, TIMES, Money, money_in, usd
from core.workload.jobs.kinds import BatchInference
from core.workload.library import load_profiles
from gui.frame.why.panel import WhyPanel
from gui.frame.why.sources import arguments, sources
from gui.frame.why.time_and_cost import cost_chain, paired, signed, time_chain
from tests.gui.sample_results import empty_results, sample_results
from tests.gui.sample_session import sample_session, themes


def shown(qtbot: QtBot) -> WhyPanel:
    panel = WhyPanel(sample_session(qtbot, sample_results()), themes())
    qtbot.addWidget(panel)
    panel.resize(296, 700)
    with qtbot.waitExposed(panel):
        panel.show()
    return panel


def words(panel: WhyPanel) -> str:
    inside = panel._area.widget()
    assert inside is not None
    labels = [label.text() for label in inside.findChildren(QLabel)]
    return "\n".join(labels + [button.text() for button in inside.findChildren(QPushButton)])


def test_the_time_chain_adds_up() -> None:
    results = sample_results()
    first = results.results[0]
    lines = {line.key: line for line in time_chain(results.profile, first).lines}
    assert lines["goodput"].number + lines["waiting"].number == pytest.approx(lines["done"].number)
    assert lines["pure"].number == pytest.approx(0.945 * lines["goodput"].number)
    assert "94.5" in lines["goodput"].words and lines["done"].words == "Done 6 Jan 2027"


def test_the_cost_chain_adds_up_and_starts_without_operator() -> None:
    results = sample_results()
    result = results.results[0]
    *parts, total = cost_chain(results.profile, result).lines
    assert sum(line.number for line in parts) == pytest.approx(total.number) == pytest.approx(1.48e6)
    assert [line.operator for line in (*parts, total)] == ["", *["+"] * (len(parts) - 1), "="]
    assert parts[0].words.startswith("256 × ") and parts[0].words.endswith("$6.20")


@pytest.mark.parametrize("money", [Money(), Money("EUR", 0.8637)])
def test_hours_and_price_multiply_to_the_rent_beside_them(money: Money) -> None:
    """16 x 22 h x $6.69 stood beside $2.31 k, and 128 x 3 354 h x 6.63 beside 2.84 M."""
    results = evaluate(load_profiles()["llama3-70b-finetune"], load_catalogue())
    with money_in(money):
        for result in results.results[:40]:
            first = cost_chain(results.profile, result).lines[0]
            chips, hours, price = (part.strip().replace(THIN, "") for part in first.words.split("(")[0].split(TIMES))
            product = float(chips) * float(hours.removesuffix("h")) * float(price.removeprefix(money.sign))
            assert usd(product / money.per_usd) == first.text, first.words


def test_serving_and_batch_have_chains_of_their_own() -> None:
    serving = sample_results(serving=True)
    keys = [line.key for line in time_chain(serving.profile, serving.results[0]).lines]
    assert keys == ["needed", "speed", "load", "ttft", "tpot"]
    profile = serving.profile.model_copy(update={"job": BatchInference()})
    batch = time_chain(profile, serving.results[0])
    assert batch.lines[-1].number == 766 and batch.lines[-1].is_total


def test_pairs_show_the_difference_of_b_less_a() -> None:
    results = sample_results()
    lines = {
        line.words: line
        for line in paired(
            cost_chain(results.profile, results.results[0]), cost_chain(results.profile, results.results[3])
        )
    }
    assert lines["Total"].difference == "−$320\u202fk" and lines["Total"].is_total
    assert signed(0.0, str) == "–"


def test_arguments_of_the_pick_are_the_recommendations_and_others_get_their_own() -> None:
    results = sample_results()
    assert arguments(results, results.results[0])[0] == results.recommendation.reasons_for
    speaks_for, speaks_against = arguments(results, results.results[-1])
    assert any("256 × B200" in line for line in (*speaks_for, *speaks_against))
    assert speaks_against[0].startswith("6 d past the deadline")


def test_old_and_undated_prices_are_marked() -> None:
    result = sample_results().results[0]
    catalogue = load_catalogue()
    fresh = sources(catalogue, result, date(2026, 11, 21))[0]
    old = sources(catalogue, result, date(2027, 6, 1))[0]
    assert fresh.when == "1 Nov 2026" and not fresh.is_old and old.is_old
    undated = result.candidate.offer.model_copy(update={"as_of": "undated v8"})
    other = replace(result, candidate=replace(result.candidate, offer=undated))
    assert sources(catalogue, other, date(2026, 11, 21))[0].is_old


def test_a_click_on_a_value_opens_and_closes_its_formula(qtbot: QtBot) -> None:
    panel = shown(qtbot)
    button, formula = (
        panel.findChild(QPushButton, "value-cost-compute"),
        panel.findChild(QLabel, "formula-cost-compute"),
    )
    assert isinstance(button, QPushButton) and isinstance(formula, QLabel)
    assert not formula.isVisible()
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert formula.isVisible() and "Hours: 766" in formula.text() and "Source: price list" in formula.text()
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert not formula.isVisible()
    panel.session.close()


def test_an_open_formula_stays_open_for_the_next_candidate(qtbot: QtBot) -> None:
    panel = shown(qtbot)
    button = panel.findChild(QPushButton, "value-cost-compute")
    assert isinstance(button, QPushButton)
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    panel.session.select(sample_results().results[1].id)
    inside = panel._area.widget()
    assert inside is not None
    formula = inside.findChild(QLabel, "formula-cost-compute")
    assert isinstance(formula, QLabel) and formula.isVisibleTo(panel)
    panel.session.close()


def test_it_follows_the_selection_and_the_pins(qtbot: QtBot) -> None:
    panel = shown(qtbot)
    assert "256 × B200" in words(panel) and "CoreWeave us-east, 1-year, 32 hosts of 8" in words(panel)
    results = sample_results().results
    panel.session.select(results[3].id)
    assert "512 × TPU v6e" in words(panel)
    panel.session.pin(results[0].id)
    panel.session.pin(results[3].id)
    assert "A 256 × B200" in words(panel) and "B 512 × TPU v6e" in words(panel) and "+17" in words(panel)
    panel.session.close()


def test_without_results_it_says_what_is_missing(qtbot: QtBot) -> None:
    panel = WhyPanel(sample_session(qtbot, empty_results()), themes())
    qtbot.addWidget(panel)
    with qtbot.waitExposed(panel):
        panel.show()
    assert "Fill in tokens" in words(panel)
    panel.session.close()


def test_the_dock_does_not_load_the_charts() -> None:
    code = "import sys, gui.frame.why.panel; sys.exit('gui.charts.view' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_prices_are_flagged_by_the_days_of_the_plan_and_estimates_are_marked() -> None:
    catalogue, pick = load_catalogue(), sample_results().results[0]
    offer = pick.candidate.offer.model_copy(update={"as_of": "2026-11-01", "estimate": True})
    guess = replace(pick, candidate=replace(pick.candidate, offer=offer))
    price = sources(catalogue, guess, date(2026, 11, 21), old_price_days=10)[0]
    assert price.is_old
    assert price.flag == "over 10 days old"
    assert price.words.endswith(", estimate")
    assert not sources(catalogue, guess, date(2026, 11, 21), old_price_days=90)[0].is_old
    undated = replace(pick, candidate=replace(pick.candidate, offer=offer.model_copy(update={"as_of": "undated v9"})))
    assert sources(catalogue, undated, date(2026, 11, 21))[0].when == "undated"


def test_the_first_token_grows_by_the_way_to_users_and_an_unknown_way_is_said() -> None:
    results = sample_results(serving=True)
    places = results.profile.places.model_copy(update={"user_places": ("tokyo",)})
    profile = results.profile.model_copy(update={"places": places})
    route = RouteToUsers(Range(30, 40, 60), Range(80, 90, 99), "London")
    pick = replace(results.results[0], route=route)
    lines = {line.key: line for line in time_chain(profile, pick).lines}
    assert lines["felt"].number == pytest.approx(lines["ttft"].number + 40)
    assert "(estimate)" in lines["way"].words
    assert "London" in lines["way"].formula
    far = replace(pick, route=replace(route, assumed="Sydney"))
    unknown = {line.key: line for line in time_chain(profile, far).lines}
    assert "(place unknown, the farthest counts)" in unknown["way"].words
    assert "Sydney" in unknown["way"].formula
    assert unknown["felt"].number == lines["felt"].number
    assert "way" not in {line.key for line in time_chain(results.profile, results.results[0]).lines}


def test_the_time_told_is_the_one_that_the_limit_holds_for() -> None:
    results = sample_results(serving=True)
    pick, job = results.results[0], results.profile.job
    late = results.profile.model_copy(update={"job": job.model_copy(update={"latency_percentile": "p99"})})
    half_lines = {line.key: line for line in time_chain(results.profile, pick).lines}
    late_lines = {line.key: line for line in time_chain(late, pick).lines}
    latency = pick.throughput.latency
    assert latency is not None
    assert half_lines["ttft"].number == latency.ttft_p50_ms
    assert late_lines["ttft"].number == latency.ttft_p99_ms
    assert "99 of 100" in late_lines["ttft"].words
    whole = results.profile.model_copy(update={"job": job.model_copy(update={"answer_limit_ms": 9000.0})})
    answer = {line.key: line for line in time_chain(whole, pick).lines}["answer"]
    assert answer.number == pytest.approx(latency.ttft_p50_ms + (job.output_tokens - 1) * latency.tpot_p50_ms)
    assert "answer" not in half_lines
    nearly = results.profile.model_copy(update={"job": job.model_copy(update={"latency_percentile": "p95"})})
    told = {line.key: line for line in time_chain(nearly, pick).lines}["ttft"]
    assert told.number == latency.ttft_ms("p95") and "95 of 100" in told.words


def test_another_candidate_is_read_from_the_top_and_the_same_one_from_where_it_was(qtbot: QtBot) -> None:
    panel = shown(qtbot)
    panel.resize(296, 200)
    bar = panel._area.verticalScrollBar()
    qtbot.waitUntil(lambda: bar.maximum() > 80)
    bar.setValue(80)
    panel.session.results_changed.emit()
    assert bar.value() == 80
    ids = [one.id for one in sample_results().results]
    panel.session.select(next(one for one in ids if one != panel.session.selected_id and one != ids[0]))
    assert bar.value() == 0
