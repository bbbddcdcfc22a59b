"""Can it be had, and the leads, as sentences: the same on paper, on screen and in a terminal."""

from __future__ import annotations

from datetime import date

from core.amounts import PRICE_AT_MOST, USD, Amount, days
from core.comparison.cost_words import REGRET_DIGITS, over_term
from core.comparison.questions.whom_to_ask import is_own, is_there
from core.comparison.recommendation.leads import NOTABLE_SHARE, is_riskier
from core.comparison.result import CandidateResult, Chance, Lead, Question, ResultSet
from core.units import THIN, date_text, days_text, grouped, hundredth, in_hundred, noun, plain, span
from core.workload.profile import PURCHASE_WORDS

QUESTION_WORDS: dict[Question, str] = {
    "size": "so many at once",
    "fabric": "one network between them",
    "price": "the price",
    "date": "a price of today",
    "speed": "a measured speed",
}
"""What to ask a seller for."""


def ask_words(result: CandidateResult, lead: Lead) -> str:
    """What to ask first, as short questions: ``64 at once? On one network? At what price?``."""
    asked: dict[Question, str] = {
        "size": f"{grouped(result.candidate.n_chips)} at once?" if result.candidate.n_chips > 1 else "Can it be had?",
        "fabric": "On one network?",
        "price": "At what price?",
        "date": "Price of today?",
        "speed": "A measured speed?",
    }
    return " ".join(asked[question] for question in lead.confirm)


def letter_words(result: CandidateResult, lead: Lead, start: date) -> str:
    """The question to a seller, to be copied: what is needed from when, and what is to be confirmed of it."""
    chip, n_chips = result.candidate.accelerator.short_name, grouped(result.candidate.n_chips)
    joined = " on one network" if result.obtainable.is_joined else ""
    is_bought = is_own(result) and not is_there(result)
    way = "in servers to buy" if is_bought else f"paid {PURCHASE_WORDS[result.candidate.offer.purchase_model]}"
    asked: dict[Question, str] = {
        "size": f"{'Is 1' if n_chips == '1' else f'Are {n_chips}'} free at once, and from which day?",
        "fabric": "Does one network join them, and how many Gbit/s has each chip?",
        "price": f"At what price {'a server' if is_bought else 'per chip hour'}, and until when does it hold?",
        "date": "Is the price that you list that of today?",
        "speed": "Which speed has been measured on them with this kind of model?",
    }
    needed = f"We need {n_chips} × {chip}{joined} from {date_text(start)}, {way}."
    return " ".join([needed, *(asked[question] for question in lead.confirm)])


def having_line(result: CandidateResult) -> str:
    """``Can be had: plausible. Lambda sells such clusters (InfiniBand); this size is not stated.``"""
    having = result.obtainable
    mark = " (from memory)" if having.estimate and having.status != "attested" else ""
    return f"Can be had: {having.status}{mark}. {having.why}. {having.price_words}."


def sources_line(result: CandidateResult) -> str:
    """Ids of the sources for what can be had: ``Sources: LAMBDA-AE, GKO``; empty where none is known."""
    return f"Sources: {result.obtainable.source.replace('+', ', ')}" if result.obtainable.source else ""


def wait_line(result: CandidateResult) -> str:
    """``Waiting for capacity: 14 days, 1–60, an estimate``; empty where nothing is waited for."""
    wait = result.obtainable.wait
    if not wait.source:
        return ""
    number, reach = days_text(wait.days.likely, 2), span(days_text(wait.days.low, 2), days_text(wait.days.high, 2))
    return f"Waiting for capacity: {number} {noun(number, 'day')}, {reach}{', an estimate' if wait.estimate else ''}"


def lead_lines(results: ResultSet) -> tuple[str, ...]:
    """One sentence a lead, best first."""
    return tuple(lead_line(results, lead) for lead in results.recommendation.leads if lead.id in results.row_of)


def lead_line(results: ResultSet, lead: Lead) -> str:
    """``8 × MI300X, TensorWave, on demand: saves $66 k. Ask for so many at once and the price; better up to $1.84.``"""
    candidate = results.by_id[lead.id].candidate
    words = QUESTION_WORDS if candidate.n_chips > 1 else {**QUESTION_WORDS, "size": "whether it is there"}
    *most_asked, last = (words[question] for question in lead.confirm)
    asked = f"{', '.join(most_asked)} and {last}" if most_asked else last
    most = lead.better_up_to_usd_per_chip_hour
    limit = f"; better up to {Amount(most, PRICE_AT_MOST)} per chip hour" if most is not None else ""
    then = f" It would then be best in {in_hundred(lead.best_then)} draws."
    saving, risk = saving_words(lead, over_term(results.profile)), risk_words(results, lead)
    saving = f"{saving} {results.profile.job.words.speed}" if saving.endswith(("faster", "slower")) else saving
    told = f"{candidate.name}, {candidate.place}: {saving}. Ask for {asked}{limit}.{then}"
    return f"{told} {risk[:1].upper()}{risk[1:]}." if risk else told


def risk_words(results: ResultSet, lead: Lead) -> str:
    """``keeps the limits in 50 of 100 draws, the pick in 69``; empty for a lead that keeps them about as often."""
    one, pick = results.by_id[lead.id], results.choice
    if pick is None or one.chance is None or pick.chance is None or not is_riskier(one, pick):
        return ""
    return (
        f"keeps the limits in {in_hundred(one.chance.in_limits)} draws, the pick in {hundredth(pick.chance.in_limits)}"
    )


def chance_line(results: ResultSet) -> str:
    """``Keeps the limits in 97 of 100 draws. Best in 61; if it is not, the regret is $30 k on average.``

    What the draws say of the pick beside the others among which it is taken; empty without a pick.
    """
    chance = results.choice.chance if results.choice else None
    if chance is None or chance.best is None or chance.regret_usd is None:
        return ""
    kept = f"Keeps {_limits_words(chance)} in {in_hundred(chance.in_limits)} draws. " if _limits_words(chance) else ""
    regret = f"{Amount(chance.regret_usd, USD, REGRET_DIGITS)}{over_term(results.profile)}"
    return f"{kept}Best of all chips that can be had in {in_hundred(chance.best)}; mean regret {regret}."


def caution_words(worst_pct: float) -> str:
    """The outcomes that options are ranked on: ``the worst third of outcomes``."""
    if worst_pct >= 100:
        return "the mean of all outcomes"
    share = {33: "worst third", 50: "worse half"}.get(round(worst_pct), f"worst {plain(worst_pct)}{THIN}%")
    return f"the {share} of outcomes"


def rival_line(results: ResultSet) -> str:
    """``Runner-up: 512 × H200, AWS, one-year: best in 18 of 100 draws; the pick is better in 70.``, and how often it
    keeps the limits where that is clearly seldomer; empty without."""
    told = results.recommendation
    rival = results.runner_up
    if rival is None or rival.chance is None or rival.chance.best is None or told.beats_runner_up is None:
        return ""
    first = "Too close to call with" if told.too_close else "Runner-up:"
    best, beats = in_hundred(rival.chance.best), in_hundred(told.beats_runner_up)
    name = f"{rival.candidate.name}, {rival.candidate.place}"
    seldomer = results.choice is not None and is_riskier(rival, results.choice)
    risk = f"; it keeps the limits in {in_hundred(rival.chance.in_limits)}" if seldomer else ""
    return f"{first} {name}: best in {best} draws{risk}; the pick is better in {beats}."


def shares_of_limits(chance: Chance) -> dict[str, float]:
    """The limits that are set, in words, with the share of draws that keeps each."""
    shares = {
        "the deadline": chance.deadline,
        "the budget": chance.budget,
        "the latency limits": chance.latency,
        "the peak load": chance.peak,
        "the window": chance.window,
    }
    return {words: share for words, share in shares.items() if share is not None}


def _limits_words(chance: Chance) -> str:
    """The limits that are set, in words: ``the deadline and the budget``; empty without."""
    *most, last = shares_of_limits(chance) or [""]
    return f"{', '.join(most)} and {last}" if most else last


def saving_words(lead: Lead, term: str = "") -> str:
    """``saves $300 k over 12 months, 8 % slower``; ``term`` is the time in service."""
    money = Amount(abs(lead.saving_usd), USD)
    words = f"saves {money}{term}" if lead.saving_usd > 0 else f"costs {money} more{term}"
    return f"{words}, {later_words(lead)}" if later_words(lead) else words


def later_words(lead: Lead) -> str:
    """``4 days later``, and of what never ends ``8 % slower``; empty where they are as good as equal."""
    sooner, faster = lead.saving_days or 0.0, lead.faster_as_told or 0.0
    if abs(faster) >= NOTABLE_SHARE:
        return f"{Amount(100 * abs(faster), '%', 2)} {'faster' if faster > 0 else 'slower'}"
    return f"{days(abs(sooner))} {'sooner' if sooner > 0 else 'later'}" if abs(sooner) >= 1 else ""
