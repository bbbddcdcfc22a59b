"""Places: the cheapest option of each over its way to users, on real results; the view in the Compare tab."""

from __future__ import annotations

from functools import cache

import pytest
from pytestqt.qtbot import QtBot

from core.catalogue.loading import load_catalogue
from core.comparison.evaluate import evaluate
from core.comparison.result import ResultSet
from core.units import Money, money_in
from core.workload.library import load_profiles
from gui.charts.figure.figure import Limit
from gui.charts.kinds.round_trip import MOST_PLACES, NO_USERS, round_trip, unplaced
from gui.tabs.compare.panel import ComparePanel
from tests.gui.charts.paint.shapes import assert_drawn, whole
from tests.gui.sample_results import sample_results
from tests.gui.sample_session import sample_session, themes


@cache
def served(*users: str, limit_ms: float | None = None, percentile: str = "p50") -> ResultSet:
    """The chat service with users in some places, on the shipped catalogue."""
    base = load_profiles()["chat-serving-70b"]
    places = base.places.model_copy(update={"user_places": users, "round_trip_limit_ms": limit_ms})
    job = base.job.model_copy(update={"latency_percentile": percentile})
    return evaluate(base.model_copy(update={"places": places, "job": job}), load_catalogue())


def test_users_in_hong_kong_are_served_from_its_neighbours() -> None:
    figure = round_trip(served("hong-kong"))
    names = {mark.name for mark in figure.marks}
    assert {"Taiwan", "Tokyo", "Singapore"} & names
    assert len(figure.marks) <= MOST_PLACES
    assert len(names) == len(figure.marks), "each place once"
    nearest = min(figure.marks, key=lambda mark: mark.x)
    assert nearest.name in {"Taiwan", "Seoul", "Singapore", "Tokyo"}
    assert figure.x.title.endswith("an estimate from the distance")


def test_each_mark_is_the_cheapest_that_fits_at_its_place() -> None:
    results = served("hong-kong")
    for mark in round_trip(results).marks:
        shown = results.by_id[mark.id]
        same = [
            r.cost.per_month_usd
            for r in results.results
            if r.feasible and r.candidate.offer.region == shown.candidate.offer.region
            and r.candidate.offer.provider == shown.candidate.offer.provider
        ]  # fmt: skip
        assert shown.feasible
        assert shown.cost.per_month_usd == pytest.approx(min(same))
        assert mark.x_range is not None
        assert mark.x_range[0] < mark.x < mark.x_range[1]


def test_what_has_no_place_is_counted_and_not_drawn() -> None:
    results = served("hong-kong")
    left = unplaced(results)
    assert left
    figure = round_trip(results)
    assert figure.subtitle.startswith(f"{len(left)} options without a stated place not drawn, from $")
    assert not {mark.id for mark in figure.marks} & {results.columns.ids[row] for row in left}


def test_99_of_100_requests_show_the_farthest_users() -> None:
    half, most = round_trip(served("tokyo", "london")), round_trip(served("tokyo", "london", percentile="p99"))
    assert "farthest" in most.x.title
    assert "farthest" not in half.x.title
    by_name = {mark.name: mark.x for mark in half.marks}
    assert all(mark.x >= by_name[mark.name] for mark in most.marks if mark.name in by_name)


def test_the_limit_of_the_way_can_be_dragged_and_shuts_places_out() -> None:
    figure = round_trip(served("hong-kong", limit_ms=60.0))
    limit = figure.limits[0]
    assert limit == Limit("way", "x", 60.0, limit.label, draggable=True)
    assert all(mark.x <= 60.0 for mark in figure.marks)


def test_without_users_it_says_where_to_name_them() -> None:
    assert round_trip(served()).empty == NO_USERS
    assert round_trip(sample_results()).empty == NO_USERS


def test_costs_are_told_in_the_currency_shown() -> None:
    with money_in(Money("EUR", 0.92)):
        figure = round_trip(served("hong-kong"))
    assert "€" in figure.y.title
    assert all("€" in mark.value for mark in figure.marks)


def test_places_are_drawn_as_ever(qtbot: QtBot) -> None:
    limited, far = served("hong-kong", limit_ms=60.0), served("tokyo", "london", percentile="p99")
    assert_drawn("places", {
        "near": whole(round_trip(served("hong-kong")), (640, 360)),
        "limited": whole(round_trip(limited, limited.results[2].id), (640, 360)),
        "far": whole(round_trip(far), (640, 360)),
    })  # fmt: skip


def test_places_are_a_view_of_compare_when_serving(qtbot: QtBot) -> None:
    session = sample_session(qtbot, served("hong-kong"))
    panel = ComparePanel(session, themes())
    qtbot.addWidget(panel)
    panel.resize(1100, 700)
    with qtbot.waitExposed(panel):
        panel.show()
    assert panel.views.isVisible()
    assert panel.charts() == (panel.map,)
    panel.views.setCurrentIndex(1)
    assert panel.places.isVisible()
    assert panel.charts() == (panel.places,)
    panel.places.limit_moved.emit("way", 75.4)
    assert session.profile is not None
    assert session.profile.places.round_trip_limit_ms == 75.0


def test_training_has_no_places_to_compare(qtbot: QtBot) -> None:
    panel = ComparePanel(sample_session(qtbot, sample_results()), themes())
    qtbot.addWidget(panel)
    with qtbot.waitExposed(panel):
        panel.show()
    assert not panel.views.isVisible()
    assert panel.map.isVisible()


def test_the_axis_holds_every_way_and_a_limit_that_lies_within_twice_the_farthest() -> None:
    """A limit far beyond is left out of view, so that it does not push all places to one side."""
    farthest = round_trip(served("hong-kong")).x.high / 1.05
    for limit_ms, top in ((1.5 * farthest, 1.5 * farthest), (5 * farthest, 2 * farthest)):
        axis = round_trip(served("hong-kong", limit_ms=limit_ms)).x
        assert axis.high == pytest.approx(1.05 * top)
        assert axis.low == 0.0
