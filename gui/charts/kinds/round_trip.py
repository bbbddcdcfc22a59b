"""Places against each other: how far each is from the users, and what serving them from there costs a month."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.catalogue.catalogue import Catalogue
from core.catalogue.entries import OWN, Offer
from core.catalogue.places.distance import RouteToUsers, region_of, route_of
from core.catalogue.places.sale_places import place_name
from core.catalogue.providers import provider_name
from core.comparison.questions.distance_to_users import FORMULA, ms_text, span_text
from core.comparison.result import CandidateResult, ResultSet
from core.ranges import Range
from core.units import THIN, counted, plain, span, usd
from gui.charts.figure.figure import Axis, Curve, Figure, LegendEntry, Limit, Mark, log10_of, padded, step_line
from gui.charts.figure.kind import ChartKind
from gui.charts.figure.shown import colour_key, empty_sentence, legend_of, shape_of
from gui.charts.figure.texts import money_scale
from gui.charts.kinds.decision_map import cost_measure, lower_left, mark_radius

TITLE = "Places"
MOST_PLACES = 14
N_VALUES = 5
NO_USERS = "Say under Describe where users are, to see how far each place is from them"


@dataclass(frozen=True, slots=True)
class _Spot:
    """The cheapest option of one place: its name, the option, and the way to users that the limits count."""

    name: str
    result: CandidateResult
    route: Range


def round_trip(results: ResultSet, selected_id: str | None = None) -> Figure:
    """One mark a place: the cheapest option that fits, over its round trip to the users."""
    if sentence := empty_sentence(results):
        return Figure(TITLE, empty=sentence)
    job = results.profile.job
    if not job.answers_users or not results.profile.places.user_places:
        return Figure(TITLE, empty=NO_USERS)
    spots = _spots(results, selected_id)
    if not spots:
        return Figure(TITLE, empty="No option that fits says where it runs")
    x, y = _x_axis(results, spots), _y_axis(spots)
    marks = tuple(_mark(spot, y, number, selected_id) for number, spot in enumerate(spots))
    best = lower_left([(spot.route.likely, y.place(_cost(spot.result).likely)) for spot in spots])
    return Figure(
        TITLE,
        _summary(results, spots),
        _subtitle(results),
        x=x,
        y=y,
        marks=marks,
        curves=(Curve(*step_line(best, x.high), "ink2", width_px=1.5),),
        limits=_limits(results),
        legend=(*legend_of([spot.result for spot in spots]), LegendEntry("larger = more flexible")),
        table=_table(spots),
        left_px=62,
    )


def _cost(result: CandidateResult) -> Range:
    return cost_measure(result, per_month=True)


def _spots(results: ResultSet, selected_id: str | None) -> list[_Spot]:
    """The cheapest option of each place, the selected one for its own place; the cheapest and nearest places."""
    costs, catalogue = results.columns.per_month_usd, results.basis.catalogue if results.basis else None
    best: dict[str, int] = {}

    def order(row: int) -> tuple[bool, float]:
        return results.columns.ids[row] != selected_id, float(costs[row])

    for row, route in enumerate(_ways(results)):
        if route is not None and not route.assumed and catalogue is not None:
            name = _place(catalogue, results.columns.offers[row])
            best[name] = min(best.get(name, row), row, key=order)
    cheapest_at = {name: results.results[row] for name, row in best.items()}
    percentile = results.profile.job.time_limits.percentile
    spots = [_Spot(name, one, one.route.ms(percentile)) for name, one in cheapest_at.items() if one.route]
    cheapest = sorted(spots, key=lambda spot: _cost(spot.result).likely)
    nearest = sorted(spots, key=lambda spot: spot.route.likely)
    mixed = {spot.name: spot for pair in zip(nearest, cheapest, strict=True) for spot in pair}
    return list(mixed.values())[:MOST_PLACES]


def _ways(results: ResultSet) -> list[RouteToUsers | None]:
    """The way of each option that fits, in their order; none of them is put together for that."""
    catalogue = results.basis.catalogue if results.basis else None
    offers = results.columns.offers[: results.n_feasible]
    return [route_of(results.profile, catalogue, offer) if catalogue else None for offer in offers]


def _place(catalogue: Catalogue, offer: Offer) -> str:
    region = region_of(catalogue, offer.provider, offer.region)
    if region is None and offer.provider == OWN:
        return provider_name(OWN)
    return place_name(region) if region else offer.region


def _mark(spot: _Spot, y: Axis, number: int, selected_id: str | None) -> Mark:
    result, cost, route = spot.result, _cost(spot.result), spot.route
    candidate = result.candidate
    tip = (
        f"{spot.name}: {candidate.name}, {candidate.place}",
        f"About {ms_text(route.likely)} to users and back, {span_text(route)}; an estimate",
        f"Cost {usd(cost.likely)} a month, {span(usd(cost.low), usd(cost.high))}",
    )
    return Mark(
        result.id,
        route.likely,
        y.place(cost.likely),
        (route.low, route.high),
        (y.place(cost.low), y.place(cost.high)),
        mark_radius(result.flexibility.score.likely),
        shape_of(candidate.accelerator),
        colour_key(candidate.accelerator),
        False,
        spot.name,
        f"{candidate.name}, {usd(cost.likely)}",
        "\n".join(tip),
        show_value=number < N_VALUES or result.id == selected_id,
    )


def _x_axis(results: ResultSet, spots: Sequence[_Spot]) -> Axis:
    farthest = max(spot.route.high for spot in spots)
    limit = results.profile.places.round_trip_limit_ms or 0.0
    whom = "the farthest users" if results.profile.job.time_limits.percentile != "p50" else "users"
    top = max(farthest, min(limit, 2 * farthest))
    return Axis(f"Round trip to {whom}, ms, an estimate from the distance", 0.0, top * 1.05)


def _y_axis(spots: Sequence[_Spot]) -> Axis:
    costs = [_cost(spot.result) for spot in spots]
    low, high = min(cost.low for cost in costs), max(cost.high for cost in costs)
    scale = money_scale(high)
    bounds = padded(log10_of(low), log10_of(high), 0.08)
    return Axis(f"Cost a month, {scale.words}, log scale", *bounds, log=True, scale=scale.divisor)


def _limits(results: ResultSet) -> tuple[Limit, ...]:
    limit_ms = results.profile.places.round_trip_limit_ms
    if limit_ms is None:
        return ()
    return (Limit("way", "x", limit_ms, f"Way within {plain(limit_ms)}{THIN}ms", draggable=True),)


def unplaced(results: ResultSet) -> list[int]:
    """Rows of options that fit and do not say where they run, best first."""
    return [row for row, route in enumerate(_ways(results)) if route is None or route.assumed]


def _subtitle(results: ResultSet) -> str:
    """What is not drawn, and what it would cost."""
    left = unplaced(results)
    if not left:
        return "The cheapest option that fits at each place"
    cheapest_usd = min(float(results.columns.per_month_usd[row]) for row in left)
    words = f"{counted(len(left), 'option')} without a stated place not drawn"
    return f"{words}, from {usd(cheapest_usd)} a month"


def _summary(results: ResultSet, spots: Sequence[_Spot]) -> str:
    near = sorted(spots, key=lambda spot: spot.route.likely)[:3]
    told = [
        f"{spot.name}: {plain(spot.route.likely, 2)} ms, {spot.result.candidate.name} at "
        f"{usd(_cost(spot.result).likely)} a month."
        for spot in near
    ]
    return " ".join([f"{counted(len(spots), 'place')}.", *told, f"{_subtitle(results)}. {FORMULA}."]).replace(THIN, " ")


def _table(spots: Sequence[_Spot]) -> tuple[tuple[str, ...], ...]:
    header = ("place", "candidate", "offer", "round_trip_ms_low", "round_trip_ms_likely", "round_trip_ms_high")
    rows = [
        (
            spot.name,
            spot.result.candidate.name,
            spot.result.candidate.place,
            *(f"{ms:.4g}" for ms in (spot.route.low, spot.route.likely, spot.route.high)),
            f"{_cost(spot.result).likely:.6g}",
            "yes",
        )
        for spot in spots
    ]
    return ((*header, "usd_per_month", "estimate"), *rows)


CHART = ChartKind("places", TITLE, round_trip)
