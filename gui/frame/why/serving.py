"""The chain behind a serving candidate: load at peak, and times as the chips give them and as users feel them."""

from __future__ import annotations

from core.comparison.questions.distance_to_users import FORMULA, ms_text, route_line
from core.comparison.result import CandidateResult
from core.report.run_words import PERCENTILE_WORDS
from core.units import THIN, counted, ms_words, plain
from core.workload.jobs.kinds import OnlineServing
from core.workload.profile import Profile
from gui.frame.why.breakdown import EQUALS, OVER, PLUS, Chain, ChainLine, speed_line, speed_per_s


def serving_chain(profile: Profile, job: OnlineServing, result: CandidateResult) -> Chain:
    """The load at peak against what the chips can answer, then the times as the chips answer and as users feel them."""
    needed = job.peak_requests_per_s * job.output_tokens
    clusters = max(1, round(result.candidate.n_chips / max(result.throughput.system.n_chips, 1)))
    can = result.throughput.tokens_per_s.likely * clusters
    load = 100 * needed / can if can > 0 else 0.0
    words = f"{counted(result.candidate.n_chips, 'chip')} can answer"
    in_samples = result.throughput.unit == "samples"
    title, formula = ("Samples at peak", "As entered") if in_samples else ("Output tokens at peak", _peak_formula(job))
    lines = [
        ChainLine("needed", "", title, speed_per_s(needed), needed, speed_per_s, formula),
        ChainLine("speed", OVER, words, speed_per_s(can), can, speed_per_s, speed_line(result).formula),
        ChainLine("load", EQUALS, "Load at peak", _percent(load), load, _percent, "Needed ÷ possible", is_total=True),
    ]
    if latency := result.throughput.latency:
        title = "Answer" if in_samples else "First token"
        lines.append(
            _latency_line(
                job, "ttft", title, job.ttft_limit_ms, latency.ttft_p50_ms, latency.ttft_ms(_late(job)), "requests"
            )
        )
        lines += _way_lines(profile, job, result, title)
    if latency and not in_samples:
        lines.append(
            _latency_line(
                job,
                "tpot",
                "Each next token",
                job.tpot_limit_ms,
                latency.tpot_p50_ms,
                latency.tpot_ms(_late(job)),
                "tokens",
            )
        )
        lines += _whole_answer(job, result)
    return Chain("Speed", result.evidence.value, tuple(lines))


def _whole_answer(job: OnlineServing, result: CandidateResult) -> list[ChainLine]:
    """An answer of mean length to its last token, the way included, where it is limited."""
    latency, limits = result.throughput.latency, job.time_limits
    if latency is None or limits.whole_ms is None:
        return []
    way_ms = result.route.ms(limits.percentile).likely if result.route else 0.0
    total = limits.whole(latency.ttft_ms(limits.percentile), latency.tpot_ms(limits.percentile)) + way_ms
    further = counted(job.output_tokens - 1, "further token")
    formula = f"First token, {further} and the way, each for {PERCENTILE_WORDS[limits.percentile]}"
    return [ChainLine("answer", EQUALS, _with_limit("Whole answer", limits.whole_ms), _ms(total), total, _ms, formula)]


def _way_lines(profile: Profile, job: OnlineServing, result: CandidateResult, title: str) -> list[ChainLine]:
    """The way to users and the first token as they feel it; a place that is not known is said."""
    if result.route is None or result.throughput.latency is None:
        return []
    route = result.route.ms(job.latency_percentile)
    own_ms = result.throughput.latency.ttft_ms(job.latency_percentile)
    whom = f"farthest users, {result.route.farthest}" if job.latency_percentile != "p50" else "users"
    how = "place unknown, the farthest counts" if result.route.assumed else "estimate"
    felt = f"{title} for {PERCENTILE_WORDS[job.latency_percentile]}, {_ms(own_ms)}, and the way; the limit counts both"
    total = own_ms + route.likely
    return [
        ChainLine("way", PLUS, f"Way to {whom} ({how})", ms_text(route.likely), route.likely, _ms,
                  f"{route_line(result.route)}\n{FORMULA}"),
        ChainLine("felt", EQUALS, f"{title} as users feel it", _ms(total), total, _ms, felt),
    ]  # fmt: skip


def _latency_line(
    job: OnlineServing, key: str, title: str, limit_ms: float | None, half_ms: float, late_ms: float, of: str
) -> ChainLine:
    """The time that the limit holds for: that of half of the requests, or of nearly all."""
    is_late, share = job.latency_percentile != "p50", _late(job).removeprefix("p")
    shown_ms, words = (late_ms, f"{title}, {share} of 100") if is_late else (half_ms, title)
    half = f"Half of {of}"
    formula = f"{half} within {_ms(half_ms)}" if is_late else f"{half}; {share}{THIN}% within {_ms(late_ms)}"
    return ChainLine(key, "", _with_limit(words, limit_ms), _ms(shown_ms), shown_ms, _ms, formula)


def _late(job: OnlineServing) -> str:
    """The share of the requests that is told beside half of them."""
    return "p95" if job.latency_percentile == "p95" else "p99"


def _peak_formula(job: OnlineServing) -> str:
    return f"{plain(job.peak_requests_per_s)} requests/s × {counted(job.output_tokens, 'output token')}"


def _with_limit(words: str, limit_ms: float | None) -> str:
    return f"{words}, limit {ms_words(limit_ms).removesuffix(f'{THIN}ms')}" if limit_ms else words


def _ms(value: float) -> str:
    return ms_words(value)


def _percent(value: float) -> str:
    return f"{value:.0f}{THIN}%"
