"""The comparison as text for a terminal: verdict first, then an aligned table."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from math import inf

from core.catalogue.own.stand_ins import NOTE
from core.catalogue.prices.age import price_badge
from core.catalogue.prices.dates import OLD_PRICE_DAYS
from core.comparison.advice.rules import agreement, agreement_lines
from core.comparison.cost_words import cost_told
from core.comparison.result import CandidateResult, ResultSet
from core.report.having_words import chance_line, having_line, lead_lines, rival_line
from core.report.price_notes import price_note
from core.report.time_words import time_words
from core.units import counted, plain, usd, usd_span
from core.workload.doubts import doubts

_MARKS = {"gpu": "\u25cf", "tpu": "\u25a0", "other": "\u25b2"}
_HOLLOW = {"gpu": "\u25cb", "tpu": "\u25a1", "other": "\u25b3"}
_REJECTED_SHOWN = 5
_LAST_HEADS = ("flex.", "bottleneck", "evidence", "price of")


def comparison_text(results: ResultSet, top: int | None, today: date, old_price_days: int = OLD_PRICE_DAYS) -> str:
    """Verdict, reasons, a line for the best of each accelerator (or the ``top`` candidates), the nearest rejected."""
    ranked = results.results[: min(top or 0, results.n_feasible)]
    best = results.best_feasible
    feasible = best if top is None else ranked
    rejected = [result for result in results.best_per_accelerator if not result.feasible][:_REJECTED_SHOWN]
    blocks = [
        NOTE if results.is_masked else "",
        _verdict(results),
        _doubts(results),
        _table([_header(results), *(_row(results, result, today, old_price_days) for result in feasible)])
        if feasible
        else "",
        _leads(results),
        _rejected(rejected),
        _counts(results, len(feasible)),
    ]
    return "\n\n".join(block for block in blocks if block)


def _verdict(results: ResultSet) -> str:
    recommendation = results.recommendation
    agree, sides = agreement(results.advice)
    lines = [str(recommendation.headline)]
    if recommendation.choice:
        first = f"Stays first in {plain(recommendation.stays_first_pct)} % of weightings"
        pick = results.choice
        if pick is not None:
            lines.append(having_line(pick))
        lines += [line for line in (chance_line(results), rival_line(results)) if line]
        lines.append(f"Confidence {recommendation.confidence}: {recommendation.confidence_why}. {first}.")
        badge = price_badge(pick.candidate.offer) if pick else ""
        own = f"Price of the pick: {badge}. " if badge else ""
        dated = f"{own}Oldest price {results.oldest_price}. Calibration {results.calibration}"
        lines.append(f"Common advice agrees on {agree} of {counted(sides, 'rule')}. {dated}.")
    lines += [f"  {line}" for line in agreement_lines(results.advice)]
    lines += [f"Advice is divided. {text}." for text in results.advice_conflicts]
    lines += [f"  + {reason}" for reason in recommendation.reasons_for]
    lines += [f"  - {reason}" for reason in recommendation.reasons_against]
    return "\n".join(lines)


def _doubts(results: ResultSet) -> str:
    """What of the profile deserves a look, as the form says it beside its fields."""
    lines = [f"  {one.path}: {one.text}" for one in doubts(results.profile)]
    return "\n".join(["Entries that deserve a look:", *lines]) if lines else ""


def _header(results: ResultSet) -> list[str]:
    time = "days" if any(days < inf for days in results.columns.days.tolist()) else f"{results.profile.unit_word}/s"
    cost = "cost" if results.profile.job.months_in_service is None else "per month"
    return ["", "candidate", "place", "can be had", time, "range", cost, "range", *_LAST_HEADS]


def _row(results: ResultSet, result: CandidateResult, today: date, old_price_days: int) -> list[str]:
    total = cost_told(results.profile, result.cost)
    return [
        _MARKS[result.candidate.accelerator.kind],
        result.candidate.name,
        result.candidate.place,
        result.obtainable.status,
        *time_words(result),
        usd(total.likely),
        usd_span(total.low, total.high),
        plain(result.flexibility.score.likely, 2),
        result.throughput.bottleneck,
        result.evidence.value,
        price_note(result.candidate.offer, today, old_price_days),
    ]


def _leads(results: ResultSet) -> str:
    lines = [f"  {line}" for line in lead_lines(results)]
    return "\n".join(["Leads, better if they hold:", *lines]) if lines else ""


def _rejected(rejected: Sequence[CandidateResult]) -> str:
    if not rejected:
        return ""
    lines = ["Rejected:"]
    for result in rejected:
        mark = _HOLLOW[result.candidate.accelerator.kind]
        lines.append(f"{mark} {result.candidate.name}, {result.candidate.place}: {result.reasons[0].words}")
    return "\n".join(lines)


def _counts(results: ResultSet, n_shown: int) -> str:
    n_feasible, n_all = results.n_feasible, len(results.results)
    return (
        f"{n_feasible} fit, {n_all - n_feasible} rejected, {n_shown} shown. Catalogue {results.catalogue_date}."
        if n_all
        else ""
    )


def _table(rows: Sequence[Sequence[str]]) -> str:
    """Columns padded to their widest cell; numbers stand at the right."""
    right = {4, 6, 8}
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return "\n".join(
        "  ".join(
            cell.rjust(width) if n in right else cell.ljust(width)
            for n, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    )
