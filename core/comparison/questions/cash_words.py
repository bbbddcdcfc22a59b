"""Cash over time in words: names of the ways, the formula behind each line, and what it comes to."""

from __future__ import annotations

import numpy as np

from core.amounts import PRICE_PER_CHIP_HOUR, USD, Amount, Counted, Sentence, Text, UsdSpan, whole
from core.catalogue.providers import provider_name
from core.comparison.cost_words import paid_words
from core.comparison.questions.cash import AS_PLANNED, CashLine, CashPlan, cash_plan
from core.comparison.questions.explanation import Explains, Explanation
from core.comparison.result import CandidateResult, ResultSet
from core.constants import HOURS_PER_MONTH
from core.cost.cash.cash import settled_usd, terms_needed
from core.units import THIN, counted, grouped, plain, usd

LEFT_OUT = (
    "Months count from the day on which the chips are there. Storage, egress, support and the people who run the work "
    "cost about the same in every way and are left out; cost of capital counts in the net present values alone."
)
ESTIMATE, NOT_ALLOWED = "estimate", "not allowed"
_RENT = "chips × price × hours needed × months"
_COMMITTED = f"chips × price × {plain(HOURS_PER_MONTH)} h × months, busy or idle; whole terms are owed"
_BUY = "price + installing + (colocation + energy + maintenance + staff) × months − resale at the end"


def way_words(line: CashLine) -> str:
    """A way to pay with its seller: ``on demand, GCP``; marked as an estimate, and when it is not allowed."""
    name = way_name(line) + (f", {ESTIMATE}" if line.variant.offer.estimate else "")
    return name if line.variant.is_allowed else f"{name} ({NOT_ALLOWED})"


def way_name(line: CashLine) -> str:
    """A way to pay with its seller alone: ``on demand, GCP``, ``buy``."""
    if line.is_bought:
        return "keep own servers" if line.in_house else "buy"
    return f"{paid_words(line.variant.offer)}, {provider_name(line.variant.offer.provider)}"


def way_marks(line: CashLine) -> str:
    """What :func:`way_words` adds to the name: ``estimate, not allowed``; empty for nothing."""
    marks = (ESTIMATE if line.variant.offer.estimate else "", "" if line.variant.is_allowed else NOT_ALLOWED)
    return ", ".join(filter(None, marks))


def npv_text(plan: CashPlan, line: CashLine) -> str:
    """Worth today of all that is paid, with its range where the price has one."""
    return str(_npv(plan, line))


def _npv(plan: CashPlan, line: CashLine) -> Text:
    low, likely, high = plan.present_usd(line)
    return Sentence("{}, {}", Amount(likely, USD), UsdSpan(low, high)) if high > low else Amount(likely, USD)


def cash_sentences(results: ResultSet, result: CandidateResult) -> tuple[str, ...]:
    """What the lines come to: use and horizon, break-even, use from which buying pays, this plan alone."""
    plan = cash_plan(results, result)
    if plan is None or not plan.lines:
        return ()
    sentences = (
        _terms_text(plan),
        *_break_even(plan),
        _best(plan),
        *_this_plan(plan),
        *_no_buy(plan, result),
        *_aged(plan),
    )
    return tuple(text for text in sentences if text)


def _terms_text(plan: CashPlan) -> str:
    terms = plan.terms
    hours = f"{grouped(terms.hours_per_month)} of {plain(HOURS_PER_MONTH)}{THIN}h a month, {terms.use_words}"
    works = f"; they work {plain(100 * terms.work_share, 2)}{THIN}% of these hours" if terms.work_share < 1.0 else ""
    return f"Chips needed {hours}, over {counted(terms.horizon_months, 'month')}{works}."


def _break_even(plan: CashPlan) -> tuple[str, ...]:
    if plan.buy is None or plan.rent is None:
        return ()
    return _months_text(plan, paid_words(plan.rent.variant.offer)), _use_text(plan)


def _months_text(plan: CashPlan, rented: str) -> str:
    sold, cash = plan.break_even_month(sold=True), plan.break_even_month(sold=False)
    if sold is None and cash is None:
        return f"Buying costs more than {rented} in every month shown, resale included."
    if sold is None or cash is None:
        month, how = (sold, "if sold then at book value") if sold is not None else (cash, "by cash alone")
        other = "by cash alone never within the months shown" if sold is not None else "if sold then never"
        return f"Buying costs less than {rented} from month {plain(month or 0.0, 2)} {how}; {other}."
    first = f"from month {plain(sold, 2)} if sold then at book value"
    return f"Buying costs less than {rented} {first}, from month {plain(cash, 2)} by cash alone."


def _use_text(plan: CashPlan) -> str:
    use, months = plan.break_even_use, counted(plan.terms.horizon_months, "month")
    rate = f"{plain(100 * plan.terms.capital_rate, 2)}{THIN}% cost of capital"
    if use is None:
        return f"Over {months}, resale and {rate} included, buying does not pay at any use."
    return f"Over {months}, resale and {rate} included, buying pays from {100 * use:.0f}{THIN}% use on."


def _best(plan: CashPlan) -> str:
    best = min(plan.lines, key=lambda line: plan.present_usd(line)[1])
    return f"Least over {counted(plan.terms.horizon_months, 'month')}: {way_words(best)}, NPV {npv_text(plan, best)}."


def _this_plan(plan: CashPlan) -> tuple[str, ...]:
    """What rent and buying come to by the end of the plan, where that is before the horizon."""
    if plan.buy is None or plan.rent is None or plan.plan_months >= plan.terms.horizon_months:
        return ()
    at = np.array([plan.plan_months])
    use = _use_in_plan(plan)
    bought, rented = (float(settled_usd(line.flow.at_use(use), at)[0]) for line in (plan.buy, plan.rent))
    words = paid_words(plan.rent.variant.offer)
    months = counted(plan.plan_months, "month", digits=2)
    return (f"This plan alone lasts {months}: {words} {usd(rented)}, buying and selling again {usd(bought)}.",)


def _use_in_plan(plan: CashPlan) -> float:
    """Share of the plan's own months in which the chips are needed, where it is shorter than the horizon."""
    terms = plan.terms
    if terms.use_words != AS_PLANNED or plan.plan_months <= 0:
        return terms.use
    return min(terms.use * terms.horizon_months / plan.plan_months, 1.0)


def _aged(plan: CashPlan) -> tuple[str, ...]:
    """Hardware that the horizon outlives."""
    terms = plan.buy.terms if plan.buy else None
    if terms is None or plan.terms.horizon_months <= terms.life_months:
        return ()
    return (f"Servers are kept beyond their life of {counted(terms.life_months, 'month')}; no new ones are counted.",)


def _no_buy(plan: CashPlan, result: CandidateResult) -> tuple[str, ...]:
    if plan.buy is not None:
        return ()
    chip = result.candidate.accelerator
    if chip.kind == "tpu":
        return (f"{chip.short_name} is for rent only; it cannot be bought.",)
    return (f"No price of a server with {chip.short_name} is known; add one to see buying.",)


def cash_explanation(results: ResultSet, result: CandidateResult, model: str) -> Explanation | None:
    """What stands behind the line of a way to pay; None where it is not drawn."""
    plan = cash_plan(results, result)
    line = plan.line(model) if plan else None
    if plan is None or line is None:
        return None
    paid = float(settled_usd(line.flow, plan.months[-1:])[0])
    offer = line.variant.offer
    return Explanation(
        title=way_words(line).capitalize() if line.is_bought else _upper(way_words(line)),
        value=Amount(paid, USD),
        note=Sentence("Over {}, settled; NPV {}", Counted(plan.terms.horizon_months, "month"), _npv(plan, line)),
        formula=_BUY if line.is_bought else _COMMITTED if line.flow.term_months else _RENT,
        inputs=buy_inputs(line) if line.is_bought else _rent_inputs(plan, line),
        source=f"{offer.source}, {offer.as_of}" + ("; cost inputs of the catalogue" if line.is_bought else ""),
        estimate=line.is_estimate,
    )


def _upper(text: str) -> str:
    return text[:1].upper() + text[1:]


def _rent_inputs(plan: CashPlan, line: CashLine) -> tuple[tuple[str, Text], ...]:
    terms = plan.terms
    hours = terms.hours_per_month if not line.flow.fixed_usd_per_month else HOURS_PER_MONTH
    inputs: list[tuple[str, Text]] = [
        ("Chips", whole(plan.n_chips)),
        ("Price per chip hour", Amount(line.variant.usd_per_chip_hour, PRICE_PER_CHIP_HOUR)),
        ("Hours a month", whole(hours, "h")),
        ("A month", Amount(line.flow.monthly_usd, USD)),
        ("Months", whole(terms.horizon_months)),
    ]
    if line.flow.term_months:
        n_terms = terms_needed(terms.horizon_months, line.flow.term_months)
        inputs.append(("Terms owed", f"{n_terms} of {counted(line.flow.term_months, 'month')}"))
    return (*inputs, *(("Not allowed", reason.text) for reason in line.variant.reasons[:1]))


def buy_inputs(line: CashLine) -> tuple[tuple[str, Text], ...]:
    """What buying rests on, name and text, energy at the line's use; nothing for a way of renting."""
    terms = line.terms
    if terms is None:
        return ()
    resale = whole(100 * terms.resale_share, "%")
    return (
        ("Servers", whole(terms.n_servers)),
        ("Price of a server", Amount(terms.server_usd, USD)),
        ("Network and installing", Amount(terms.install_usd, USD)),
        ("Colocation a month", Amount(terms.colocation_usd_per_month, USD)),
        ("Energy a month at this use", Amount(terms.energy_usd(line.flow.use), USD)),
        ("Maintenance a month", Amount(terms.maintenance_usd_per_month, USD)),
        ("Extra staff a month", Amount(terms.staff_usd_per_month, USD)),
        ("Worth after its life", Sentence("{} at {}", resale, Counted(terms.life_months, "month"))),
        *(("Not allowed", reason.text) for reason in line.variant.reasons[:1]),
    )


EXPLAINS = Explains("cash", cash_explanation)
