"""What is said to be enough is enough: tried on the real engine, and what would still be missed is named."""

from __future__ import annotations

import re

import pytest

from core.amounts import Amount, Sentence
from core.catalogue.loading import load_catalogue
from core.comparison.evaluate import evaluate
from core.comparison.judge.tried import CLAIM, together, tried
from core.comparison.result import CandidateResult, ResultSet
from core.throughput.types import Reason
from core.units import THIN, parse_number
from core.workload.library import load_profiles
from core.workload.profile import Profile

N_TRIED = 4
NUMBER = re.compile(rf"\$?([\d.{THIN}]+{THIN}?[kMB]?)")
TIGHT = {
    "llama3-8b-pretraining": {"deadline_days": 14.0, "budget_usd": 90_000.0, "max_chips": 512},
    "mixtral-8x7b-training": {"deadline_days": 12.0, "budget_usd": 120_000.0, "max_chips": 48},
    "chat-serving-8b": {"budget_usd": 60_000.0, "max_chips": 6},
}


def tight(name: str) -> Profile:
    profile = load_profiles()[name]
    return profile.model_copy(update={"limits": profile.limits.model_copy(update=TIGHT[name])})


@pytest.fixture(scope="module", params=sorted(TIGHT))
def results(request: pytest.FixtureRequest) -> ResultSet:
    return evaluate(tight(request.param), load_catalogue())


def rejected(results: ResultSet) -> list[CandidateResult]:
    return list(results.results[results.n_feasible :])


def changed(profile: Profile, reason: Reason) -> Profile | None:
    """The profile with the change that a reason asks for; None for a change that is no limit of the plan."""
    fields = {"deadline": "deadline_days", "budget": "budget_usd", "max_chips": "max_chips"}
    text, field = str(reason.nearest_change), fields.get(reason.code)
    match = NUMBER.search(text)
    if field is None or match is None or "per chip hour" in text or not text.startswith(CLAIM):
        return None
    value = parse_number(match[1])
    limits = profile.limits.model_copy(update={field: int(value) if field == "max_chips" else value})
    return profile.model_copy(update={"limits": limits})


def test_what_is_said_to_fit_fits(results: ResultSet) -> None:
    alone = [(one, one.reasons[0]) for one in rejected(results) if len(one.reasons) == 1]
    asked = [(one, other) for one, reason in alone if (other := changed(results.profile, reason))]
    n_checked = 0
    for result, profile in asked[:: max(1, len(asked) // N_TRIED)]:
        again = evaluate(profile, load_catalogue()).by_id.get(result.id)
        if again is not None:
            assert again.feasible, (result.id, [str(reason.words) for reason in (*result.reasons, *again.reasons)])
            n_checked += 1
    assert n_checked


def test_a_number_of_chips_that_is_named_meets_every_limit(results: ResultSet) -> None:
    for result in rejected(results):
        for reason in result.reasons:
            text = str(reason.nearest_change)
            if text.startswith("Every limit is met with "):
                count = int(text.split(" with ")[1].split(" ")[0].replace(THIN, ""))
                siblings = results.by_offer[result.candidate.offer.id]
                assert any(one.feasible and one.candidate.n_chips == count for one in siblings)


def test_no_change_claims_to_be_enough_where_others_are_missed(results: ResultSet) -> None:
    several = [one for one in rejected(results) if len({reason.code for reason in one.reasons}) > 1]
    assert several
    claims = [str(reason.nearest_change) for one in several for reason in one.reasons]
    assert not [text for text in claims if text.startswith(CLAIM)]
    assert any(", and still misses the " in text for text in claims)


def test_every_other_limit_is_named() -> None:
    late = Reason("deadline", "6 d past the deadline.", Sentence("Fits with a deadline of {}", Amount(66, "d")))
    dear = Reason("budget", "Too dear.", "Fits with a budget of $1 M")
    large = Reason("max_chips", "Too many.", "Take fewer")
    told = [str(reason.nearest_change) for reason in tried((late, dear, large))]
    assert told == [
        f"With a deadline of 66{THIN}d, and still misses the budget and the number of chips",
        "With a budget of $1 M, and still misses the deadline and the number of chips",
        "Take fewer",
    ]
    assert tried((late,)) == (late,)


def test_rejected_rows_of_a_service_are_billed_like_all_others() -> None:
    results = evaluate(load_profiles()["chat-serving-70b"], load_catalogue())
    rented = [one for one in rejected(results) if one.candidate.offer.purchase_model != "owned"]
    assert not [one.id for one in rented if one.cost.part("compute") <= 0]
    unfit = next(one for one in rented if not one.throughput.fits)
    price, hours = unfit.candidate.offer.usd_per_chip_hour, unfit.run_h.likely
    share = results.profile.job.mean_load_share
    held = unfit.candidate.n_chips * price * hours
    assert unfit.cost.part("compute") == pytest.approx(held * share, rel=0.01)


def test_all_that_is_missed_is_made_up_for_together(results: ResultSet) -> None:
    """A cell of the scenarios gave the first change alone; deadline and budget, changed both, admit the option."""
    profile = results.profile
    missing = [one for one in rejected(results) if {reason.code for reason in one.reasons} == {"deadline", "budget"}]
    for one in missing[:2]:
        told = together(one.reasons)
        assert told.startswith("Fits with a deadline of ") and " and " in told
        late, dear = ([reason for reason in one.reasons if reason.code == code] for code in ("deadline", "budget"))
        days, usd = one.days_to_finish, one.cost.total.likely
        assert days is not None and late and dear
        limits = profile.limits.model_copy(update={"deadline_days": days.likely + 1, "budget_usd": usd * 1.01})
        admitted = evaluate(profile.model_copy(update={"limits": limits}), load_catalogue()).by_id[one.id]
        assert admitted.feasible
    assert missing or not profile.job.ends


def test_what_nothing_makes_up_for_is_named_with_the_other_changes() -> None:
    late = Reason("deadline", "", Sentence("Fits with a deadline of {}", Amount(32.0, "d")))
    spot, place = Reason("purchase", "", "Allow spot"), Reason("place", "", "")
    assert together((late,)).startswith("Fits with a deadline of 32")
    assert together(tried((late, spot))) == f"With a deadline of 32{THIN}d and allow spot"
    assert together(tried((late, place))) == f"With a deadline of 32{THIN}d, and still misses the place"
    assert together((place,)) == ""
