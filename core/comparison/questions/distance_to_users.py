"""The way to users in words: there and back, always as the estimate from the distance that it is."""

from __future__ import annotations

from core.catalogue.places.distance import RouteToUsers
from core.comparison.result import CandidateResult
from core.ranges import Range
from core.units import THIN, plain, span
from core.workload.profile import Profile

UNKNOWN = "The offer does not say where it runs: the way to users is counted from the farthest place of its seller"
FORMULA = "2 × distance × route factor 1.2 to 2.2 ÷ 204 km/ms in fibre + 1 to 10 ms of equipment; an estimate"


def ms_text(value: float) -> str:
    """``62 ms``."""
    return f"{plain(value, 2)}{THIN}ms"


def span_text(value: Range) -> str:
    """``45–90 ms``."""
    return span(plain(value.low, 2), ms_text(value.high))


def route_line(route: RouteToUsers) -> str:
    """``About 62 ms to users and back, 45–90 ms (an estimate from the distance); farthest London, 210 ms``."""
    told = f"About {ms_text(route.mean_ms.likely)} to users and back, {span_text(route.mean_ms)}"
    far = (
        f"; farthest {route.farthest}, {ms_text(route.farthest_ms.likely)}"
        if route.farthest_ms != route.mean_ms
        else ""
    )
    place = (
        f" from {route.assumed}, the farthest place, as the offer does not say where it runs" if route.assumed else ""
    )
    return f"{told}{place} (an estimate from the distance){far}"


def felt_text(profile: Profile, result: CandidateResult) -> str:
    """The first token as users feel it: ``420 ms + about 62 ms on the way``; empty where there is none to tell."""
    percentile, latency = profile.job.time_limits.percentile, result.throughput.latency
    if latency is None or result.route is None:
        return ""
    own_ms, route_ms = latency.ttft_ms(percentile), result.route.ms(percentile).likely
    return f"{ms_text(own_ms)} + about {ms_text(route_ms)} on the way"


def route_sentence(profile: Profile, result: CandidateResult) -> str:
    """What users feel, with the way in it; empty where nobody says where users are."""
    if result.route is None:
        return ""
    felt = felt_text(profile, result)
    first = "Answer" if result.throughput.unit == "samples" else "First token"
    return f"{route_line(result.route)}. {first} as users feel it: {felt}" if felt else route_line(result.route)


def says_no_place(result: CandidateResult) -> bool:
    """True where users are known and nobody knows how far the chips are from them."""
    return result.route is not None and bool(result.route.assumed)
