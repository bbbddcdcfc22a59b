"""Can it be had, and how does it come out: what is proved, what the draws say, and what a lead brings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from core.amounts import PRICE_AT_MOST, Amount
from core.comparison.chance.errors import N_DRAWS, N_SCREENED
from core.comparison.cost_words import REGRET_DIGITS, over_term
from core.comparison.obtain.price_proof import PROVED
from core.comparison.result import CandidateResult, Chance, Lead, ResultSet
from core.report.having_words import having_line, later_words, letter_words, risk_words, sources_line, wait_line
from core.units import date_text, day_after, days_text, grouped, hundredth, in_hundred, noun, usd
from core.workload.profile import Limits, Profile
from gui.frame.why.section import RIGHT, TOP, Act, Put, Section, Title, Words

SIGN_PX = 16
YES, OPEN = "\u2713", "?"


@dataclass(frozen=True, slots=True)
class Proof:
    """One fact about an option, and whether it is proved."""

    words: str
    is_proved: bool
    tip: str = ""


def having_sections(results: ResultSet, shown: CandidateResult) -> dict[str, Section]:
    """What is proved about having it, and in how many of 100 draws it comes out well."""
    told = {"having": _having(shown)}
    chance = shown.chance
    rows = _outcomes(results.profile, chance) if chance else []
    if chance and rows:
        n_draws = N_SCREENED if chance.best is None else N_DRAWS
        told["outcome"] = _figures("Outcome", f"{grouped(n_draws)} draws", "outcome", rows)
    return told


def lead_sections(
    results: ResultSet, shown: CandidateResult, lead: Lead, answer: Callable[[], None]
) -> dict[str, Section]:
    """What a lead brings if it holds, what to ask its seller, and the way to enter the answer."""
    pick = results.choice
    against = f"against {pick.candidate.name}" if pick else ""
    rows = [*_gains(lead, pick), *_risk(shown, lead, results)]
    question = letter_words(shown, lead, results.profile.limits.start_date)
    spoken = f"Enter the answer of the seller of {shown.candidate.name}, {shown.candidate.place}"
    asked = (
        Put(Words("Ask the seller", "section"), 0),
        Put(Words(question, "", "why-question", wraps=True, can_select=True), 1),
        Put(Act("Enter the answer…", "why-answer", spoken, answer), 2),
    )
    return {"lead": _figures("If it holds", against, "lead", rows), "ask": Section(asked, stretch=0)}


def _having(shown: CandidateResult) -> Section:
    puts = [Put(Title("Can be had", shown.obtainable.status), 0, 0, 2)]
    for row, proof in enumerate(_proofs(shown), start=1):
        sign, kind = (YES, "good") if proof.is_proved else (OPEN, "warn")
        words = Words(proof.words, "", f"why-proof-{row}", wraps=True, tip=proof.tip)
        puts += [Put(Words(sign, kind, f"why-proof-sign-{row}"), row, 0, align=TOP), Put(words, row, 1)]
    return Section(tuple(puts), stretch=1, first_px=SIGN_PX, spoken=having_line(shown))


def _proofs(shown: CandidateResult) -> list[Proof]:
    """Size and network, price, speed, and how long it is waited for."""
    having, wait = shown.obtainable, wait_line(shown)
    mark = ", from memory" if having.estimate and having.status != "attested" else ""
    proofs = [
        Proof(f"{having.why}{mark}", having.status == "attested", sources_line(shown)),
        Proof(having.price_words, having.price in PROVED),
        Proof(f"Speed: {shown.evidence.value}", shown.evidence.is_proof),
    ]
    return [*proofs, Proof(wait, not having.wait.estimate)] if wait else proofs


def _outcomes(profile: Profile, chance: Chance) -> list[tuple[str, str]]:
    """Words and value of each row; of limits those that are set, and all together where there are several."""
    kept = _kept(profile.limits, chance)
    if len(kept) > 1:
        kept.append(("Keeps both" if len(kept) == 2 else "Keeps all", in_hundred(chance.in_limits)))
    if chance.best is not None:
        kept.append(("Best that can be had", in_hundred(chance.best)))
    if chance.regret_usd is not None:
        kept.append((f"If wrong, mean regret{over_term(profile)}", usd(chance.regret_usd, REGRET_DIGITS)))
    return kept


def _kept(limits: Limits, chance: Chance) -> list[tuple[str, str]]:
    last = day_after(limits.start_date, limits.deadline_days) if limits.deadline_days is not None else None
    shares = (
        (f"Keeps {date_text(last)}" if last else "Keeps the deadline", chance.deadline),
        (f"Keeps {usd(limits.budget_usd or 0.0)}", chance.budget),
        ("Keeps the latency limits", chance.latency),
        ("Carries the peak load", chance.peak),
        ("Keeps the window of a batch", chance.window),
    )
    return [(words, in_hundred(share)) for words, share in shares if share is not None]


def _gains(lead: Lead, pick: CandidateResult | None) -> list[tuple[str, str]]:
    total = f", of {usd(pick.cost.total.likely)}" if pick else ""
    first = "Saves" if lead.saving_usd >= 0 else "Costs more"
    rows = [(f"{first}{total}", usd(abs(lead.saving_usd)))]
    if lead.saving_days is not None and abs(lead.saving_days) >= 1:
        apart = days_text(abs(lead.saving_days), 2)
        rows.append((f"Ready {'sooner' if lead.saving_days > 0 else 'later'} by", f"{apart} {noun(apart, 'day')}"))
    if lead.faster_share is not None and later_words(lead):
        share, _, which = later_words(lead).rpartition(" ")
        rows.append((f"{which.capitalize()} by", share))
    rows.append(("Best that can be had", in_hundred(lead.best_then)))
    if lead.better_up_to_usd_per_chip_hour is not None:
        rows.append(("Better up to, a chip hour", str(Amount(lead.better_up_to_usd_per_chip_hour, PRICE_AT_MOST))))
    return rows


def _risk(shown: CandidateResult, lead: Lead, results: ResultSet) -> list[tuple[str, str]]:
    pick = results.choice
    if not risk_words(results, lead) or pick is None or pick.chance is None or shown.chance is None:
        return []
    return [(f"Keeps the limits; the pick in {hundredth(pick.chance.in_limits)}", in_hundred(shown.chance.in_limits))]


def _figures(title: str, note: str, name: str, rows: Sequence[tuple[str, str]]) -> Section:
    """Words at left, values at right."""
    puts = [Put(Title(title, note), 0, 0, 3)]
    for row, (words, value) in enumerate(rows, start=1):
        told = Words(words, "", f"why-{name}-{row}", wraps=True, explains=True)
        puts += [Put(told, row, 1), Put(Words(value, "", f"why-{name}-{row}-value"), row, 2, align=RIGHT)]
    spoken = f"{title}: {', '.join(f'{words} {value}' for words, value in rows)}"
    return Section(tuple(puts), stretch=1, first_px=SIGN_PX, spoken=spoken)
