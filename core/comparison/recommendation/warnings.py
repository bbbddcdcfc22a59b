"""What a reader should know before trusting or taking a candidate: too many chips, chips that idle, shaky prices.

Asked of one candidate when somebody looks at it, never of all at once.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

from core.amounts import USD, Amount, Counted, Sentence, Text, days, whole
from core.catalogue.cost_inputs import find_cost_input
from core.catalogue.details.field_words import FIELDS
from core.catalogue.entries import Entry, Offer
from core.catalogue.places.sale_places import ANY
from core.catalogue.prices.dates import OLD_PRICE_DAYS, age_days, as_of_date, as_of_words, is_exact, is_or_older
from core.catalogue.prices.history import stale_reason
from core.catalogue.prices.quality import QUALITIES, quality_of, span_words
from core.comparison.cost_words import over_term
from core.comparison.obtain.obtainable import NOT_ASKED
from core.comparison.questions.distance_to_users import UNKNOWN, says_no_place
from core.comparison.result import CandidateResult, ResultSet
from core.cost.bill.hours import PAY_PER_USE
from core.cost.utilisation import unused_rent_usd, use_in_plan
from core.throughput.types import Reason

NOTABLE_SHARE = 0.05
"""Savings below this share of the bill are not worth a warning."""

LOW_USE = 0.5
LOW_LOAD = 0.35
POOR_SCALING = 0.6
"""Speed of a chip in this cluster over that in the smallest one worth a look."""

Check = Callable[[ResultSet, CandidateResult], Reason | None]


def warnings_of(results: ResultSet, result: CandidateResult) -> tuple[Reason, ...]:
    """Every warning about a candidate that no date decides, the dearest kind first, each with what would help."""
    asked = (check(results, result) for check in CHECKS)
    return tuple(reason for reason in asked if reason is not None)


def warnings_on(
    results: ResultSet, result: CandidateResult, today: date, old_price_days: int = OLD_PRICE_DAYS
) -> tuple[Reason, ...]:
    """The same with the age of the price on a day."""
    old = old_price(result.candidate.offer, today, old_price_days)
    return (*warnings_of(results, result), old) if old else warnings_of(results, result)


def old_price(offer: Offer, today: date, old_price_days: int = OLD_PRICE_DAYS) -> Reason | None:
    """A price read more than so many days ago; None for a newer or an undated one."""
    age = age_days(offer, today)
    if age is None or age <= old_price_days:
        return None
    text = Sentence(_read_words(offer.as_of), as_of_words(offer.as_of), Counted(age, "day"))
    return Reason("price_old", text, "Confirm it before signing")


def _read_words(as_of: str) -> str:
    """A sentence with room for the date and its age, which is only as exact as the date is."""
    if is_exact(as_of):
        return "The price was read on {}, {} ago"
    return "The price is of {}, " + ("at least {} old" if is_or_older(as_of) else "up to {} old")


def _over_provisioned(results: ResultSet, result: CandidateResult) -> Reason | None:
    """Fewer chips of the same offer meet every limit for less money; the cheapest such number is named.

    Not of the pick, which was weighed against them: the number advised is its own everywhere.
    """
    if not result.feasible or result.id == results.recommendation.choice:
        return None
    own, cost = result.candidate.n_chips, result.cost.total.likely
    fewer = [r for r in results.by_offer.get(result.candidate.offer.id, ()) if r.feasible and r.candidate.n_chips < own]
    best = min(fewer, key=lambda r: r.cost.total.likely, default=None)
    if best is None or cost - best.cost.total.likely <= NOTABLE_SHARE * cost:
        return None
    count, saved = best.candidate.n_chips, Amount(cost - best.cost.total.likely, USD)
    fewer_chips = _share_words(count, own)
    words = "{} would {} and cost {} less{}" if str(fewer_chips) == "1 chip" else "{} {} and cost {} less{}"
    text = Sentence(words, fewer_chips, _later(result, best), saved, over_term(results.profile))
    return Reason("over_provisioned", text, Sentence("Take {}", Counted(count, "chip")))


def _share_words(fewer: int, own: int) -> Text:
    words: dict[float, Text] = {2: "Half the chips", 3: "A third of the chips", 4: "A quarter of the chips"}
    return words.get(own / fewer, Counted(fewer, "chip"))


def _later(result: CandidateResult, fewer: CandidateResult) -> Text:
    if result.days_to_finish is None or fewer.days_to_finish is None:
        return "do the work within the limits too"
    later = fewer.days_to_finish.likely - result.days_to_finish.likely
    if later < 0.05:
        return "finish as soon"
    return Sentence("finish {} later, still in time,", days(later))


def _poor_scaling(results: ResultSet, result: CandidateResult) -> Reason | None:
    """Chips that wait for each other: each does far less than in the smallest cluster of the same offer."""
    smallest = next((r for r in results.by_offer.get(result.candidate.offer.id, ()) if r.throughput.fits), None)
    if smallest is None or not result.throughput.fits or smallest.candidate.n_chips >= result.candidate.n_chips:
        return None
    share = _per_chip(result) / _per_chip(smallest) if _per_chip(smallest) > 0 else 1.0
    if share >= POOR_SCALING:
        return None
    text = "Each chip does {} of its work in a cluster of {}"
    return Reason("poor_scaling", Sentence(text, _percent(share), smallest.candidate.n_chips))


def _per_chip(result: CandidateResult) -> float:
    return result.throughput.tokens_per_s.likely / max(result.candidate.n_chips, 1)


def _low_use(_: ResultSet, result: CandidateResult) -> Reason | None:
    """Committed chips that work less than half of the hours paid for."""
    use = use_in_plan(result.cost)
    if result.cost.part("commitment_waste") <= 0 or use >= LOW_USE:
        return None
    rest = Amount(unused_rent_usd(result.cost), USD)
    text = Sentence("Committed chips work {} of the hours paid for; the rest costs {}", _percent(use), rest)
    return Reason("low_use", text, "Rent by the hour, or give the rest to other work")


def _idle_service(results: ResultSet, result: CandidateResult) -> Reason | None:
    """A service that is mostly idle on chips that could be given back by the hour."""
    job, model = results.profile.job, result.candidate.offer.purchase_model
    if not job.answers_users or job.gives_chips_back or model not in PAY_PER_USE:
        return None
    if job.mean_load_share >= LOW_LOAD or result.cost.part("idle") <= 0:
        return None
    idle = Amount(result.cost.part("idle"), USD)
    text = Sentence("Chips idle {} of the time for {}", _percent(1 - job.mean_load_share), idle)
    return Reason("idle_service", text, "Autoscaling gives idle chips back")


def _spot_without_slack(results: ResultSet, result: CandidateResult) -> Reason | None:
    """Interruptions on spot can take a run past its deadline."""
    deadline, ready = results.profile.limits.deadline_days, result.days_to_finish
    if result.candidate.offer.purchase_model != "spot" or deadline is None or ready is None or ready.high <= deadline:
        return None
    late = days(ready.high - deadline)
    text = Sentence("Interruptions may take the run {} past the deadline", late)
    return Reason("spot_no_slack", text, "Keep days spare")


def _spot_price_moves(results: ResultSet, result: CandidateResult) -> Reason | None:
    """How far spot prices of this chip lay apart, where several were read."""
    offer, basis = result.candidate.offer, results.basis
    if offer.purchase_model != "spot" or basis is None:
        return None
    row = find_cost_input(basis.catalogue, "spot_price_ratio", f"{offer.provider} {offer.accelerator_id}")
    if row is None or row.low is None or row.high is None or row.high <= 1.05 * row.low:
        return None
    text = "Spot prices of this chip lay between {} and {} of the price on demand"
    return Reason("spot_price", Sentence(text, _percent(row.low), _percent(row.high)))


def _having(_: ResultSet, result: CandidateResult) -> Reason | None:
    """What is not attested about having so many of its chips."""
    having = result.obtainable
    if having is NOT_ASKED or having.status == "attested":
        return None
    change = "Ask the seller for size, network and day" if having.is_joined else "Ask the seller for so many, and when"
    return Reason(having.status.replace(" ", "_"), f"{having.status.capitalize()}: {having.why}", change)


def _estimate(_: ResultSet, result: CandidateResult) -> Reason | None:
    if not result.candidate.offer.estimate:
        return None
    quality = QUALITIES["estimate"]
    return Reason("price_estimate", f"{quality.warning}; {span_words(quality)}", "Ask for an offer")


def _second_hand(_: ResultSet, result: CandidateResult) -> Reason | None:
    offer, quality = result.candidate.offer, quality_of(result.candidate.offer)
    if offer.estimate or not quality.warning:
        return None
    code = "price_worked_out" if offer.quality == "derived" else "price_second_hand"
    return Reason(code, f"{quality.warning}; {span_words(quality)}", "Ask the seller for an offer")


def _outdated(results: ResultSet, result: CandidateResult) -> Reason | None:
    """A price of the past, such as one that was entered from an old list."""
    why = stale_reason(result.candidate.offer, results.basis.catalogue) if results.basis else None
    return Reason("price_outdated", f"The price is outdated: {why}", "Take the present price") if why else None


def _undated(_: ResultSet, result: CandidateResult) -> Reason | None:
    if as_of_date(result.candidate.offer) is not None:
        return None
    return Reason("price_undated", "The price carries no date", "Confirm it before signing")


def _estimated_figures(_: ResultSet, result: CandidateResult) -> Reason | None:
    """Figures of chip and host that no source backs, of those on which the speed rests."""
    system = result.throughput.system
    facts: list[tuple[Entry, str]] = [(system.accelerator, name) for name in system.accelerator.estimated_fields]
    facts += [(system.host, name) for name in system.host.estimated_fields] if system.host else []
    names = [_figure_name(entry, name) for entry, name in facts if _matters(name, result)]
    if not names:
        return None
    text = f"The speed rests on {'estimates' if len(names) > 1 else 'an estimate'}: {'; '.join(names)}"
    return Reason("facts_estimate", text, "Ask the seller, or measure on one host")


def _figure_name(entry: Entry, field: str) -> str:
    words = FIELDS.get(type(entry), {}).get(field)
    title = words.title if words else field.replace("_", " ")
    return title if title[1:2].isupper() else title[:1].lower() + title[1:]


def _matters(field: str, result: CandidateResult) -> bool:
    """Peaks of another precision decide no speed, and the network of one host neither."""
    if field.endswith(("_tflops", "_tops")):
        return field.startswith(f"{result.throughput.precision}_")
    if field == "network_gbit_per_s":
        return result.candidate.n_hosts > 1
    return field not in _ASIDE


_ASIDE = ("release_date", "on_chip_memory", "tdp_w", "n_vcpu", "ram_gb", "local_nvme_tb")
"""Figures of chips and hosts that decide no speed."""


def _unknown_place(results: ResultSet, result: CandidateResult) -> Reason | None:
    """An offer that does not say where it runs, where the plan asks for a place or counts the way to users."""
    places, offer = results.profile.places, result.candidate.offer
    if says_no_place(result):
        return Reason("way_unknown", UNKNOWN, "Ask the seller for the region")
    if offer.region == ANY and (places.region_places or places.region_prefixes):
        text = "The offer does not say where it runs, and the plan allows some places only"
        return Reason("place_unknown", text, "Ask the seller for the region")
    return None


def _percent(share: float) -> Amount:
    return whole(100 * share, "%")


CHECKS: tuple[Check, ...] = (
    _having, _over_provisioned, _low_use, _idle_service, _poor_scaling, _spot_without_slack, _spot_price_moves,
    _estimate, _second_hand, _outdated, _undated, _unknown_place,
    _estimated_figures,
)  # fmt: skip
"""Asked in this order. One more warning is one more function here."""
