"""The pick and its defence."""

from __future__ import annotations

import dataclasses

import pytest

from core.comparison.recommendation.arguments import reasons_against, reasons_for
from core.comparison.recommendation.recommend import _confidence, lean, recommend, strength, too_little_known
from core.ranges import Evidence, Range
from core.throughput.types import Reason


def test_the_first_is_picked_and_the_runner_up_is_another_name(profile, make_result) -> None:
    ranked = [
        make_result("b200-sxm", 1.5e6, 36, 71, utility=0.8),
        make_result("b200-sxm", 1.6e6, 36, 71, utility=0.79, tag="-b"),
        make_result("h100-sxm", 1.9e6, 33, 80, utility=0.7),
    ]
    found = recommend(profile, ranked, [])
    assert found.choice == ranked[0].id
    assert found.runner_up == ranked[2].id
    assert str(found.headline).startswith("64 × B200")


def test_headline_says_what_the_other_family_offers(profile, make_result) -> None:
    ranked = [make_result("b200-sxm", 1.5e6, 36, 71, utility=0.8), make_result("tpu-v6e", 1.2e6, 53, 47, utility=0.6)]
    headline = str(recommend(profile, ranked, []).headline)
    assert "best TPU option" in headline and "saves $300\u202fk" in headline and "17 days later" in headline


@pytest.mark.parametrize(("days", "wanted"), [(37.0, "1 day later"), (38.5, "2.5 days later"), (35.0, "1 day sooner")])
def test_days_between_two_options_agree_with_their_number(profile, make_result, days, wanted) -> None:
    ranked = [make_result("b200-sxm", 1.5e6, 36, 71, utility=0.8), make_result("tpu-v6e", 1.2e6, days, 47, utility=0.6)]
    assert f" and ends {wanted}" in str(recommend(profile, ranked, []).headline)


def test_a_finish_in_the_year_4447_is_not_dated(profile, make_result) -> None:
    headline = str(recommend(profile, [make_result("b200-sxm", 1.5e6, 884_000.0, 71, utility=0.8)], []).headline)
    assert headline.endswith(", done in over a century.") and "4447" not in headline


def test_nothing_fits(profile, make_result) -> None:
    late = make_result(reasons=(Reason("deadline", "6 d past the deadline.", "Fits with 288 chips"),))
    found = recommend(profile, [], [late])
    assert (found.choice, found.lean) == (None, "none")
    assert "fits with 288 chips" in str(found.headline)


def test_missing_facts_give_no_ranking_but_a_safe_side() -> None:
    found = too_little_known(("tokens", "model"))
    assert (found.choice, found.lean, found.strength, found.confidence) == (None, "gpu", "soft", "low")
    assert found.headline == "Fill in tokens and model to see a ranking"


@pytest.mark.parametrize(
    ("gpu", "tpu", "expected"), [(0.8, 0.5, "gpu"), (0.5, 0.8, "tpu"), (0.8, 0.79, "mixed"), (0.79, 0.8, "mixed")]
)
def test_lean_follows_the_best_of_each_kind(make_result, gpu, tpu, expected) -> None:
    ranked = sorted(
        [make_result("h100-sxm", utility=gpu), make_result("tpu-v6e", utility=tpu)], key=lambda r: -r.utility
    )
    assert lean(ranked) == expected


def test_hard_when_limits_leave_one_kind(make_result) -> None:
    rejected = [make_result("tpu-v6e", reasons=(Reason("place", "Not allowed."),))]
    assert strength([make_result("h100-sxm", utility=0.8)], rejected, 10) == "hard"
    assert strength([make_result("h100-sxm", utility=0.8), make_result("tpu-v6e", utility=0.79)], [], 10) == "soft"


def test_reasons_name_real_differences(profile, make_result) -> None:
    ranked = [
        make_result("b200-sxm", 1.5e6, 36, 71),
        make_result("h100-sxm", 1.9e6, 33, 80),
        make_result("tpu-v6e", 1.2e6, 53, 47, porting_usd=9e4, porting_days=20),
    ]
    good, bad = ([*map(str, found(profile, ranked))] for found in (reasons_for, reasons_against))
    assert len(good) == 3 and len(bad) == 3
    assert good[0] == "24 days spare before the deadline, the whole range included"
    assert "$400\u202fk below 64 × H100 SXM" in good
    assert "3 days later than 64 × H100 SXM" in bad
    assert f"$300\u202fk more than {ranked[2].candidate.name}" in bad


def test_a_reason_never_contradicts_the_numbers(profile, make_result) -> None:
    ranked = [make_result("b200-sxm", 1e6, 20, 90), make_result("h100-sxm", 1e6, 20, 90)]
    assert not any("below 64" in str(reason) or "sooner" in str(reason) for reason in reasons_for(profile, ranked))


def test_measured_and_narrow_gives_more_confidence(profile, make_result) -> None:
    levels = ["low", "medium", "high"]
    sure = [
        make_result("b200-sxm", 1e6, 20, 90, spread=0.05, evidence=Evidence.MEASURED_HERE),
        make_result("h100-sxm", 2e6, 40, 50),
    ]
    unsure = [
        make_result("b200-sxm", 1e6, 20, 50, spread=0.5, evidence=Evidence.ESTIMATE),
        make_result("h100-sxm", 1e6, 20, 51),
    ]
    assert levels.index(recommend(profile, sure, []).confidence) > levels.index(
        recommend(profile, unsure, []).confidence
    )


@pytest.mark.parametrize(
    ("evidence", "half_usd", "rival_usd", "first_pct", "level"),
    [
        (Evidence.MEASURED_ELSEWHERE, 150e3, 3e6, 60.0, "high"),  # all four, each at its very edge
        (Evidence.MEASURED_ELSEWHERE, 150e3, 3e6, 59.9, "high"),  # three of four are enough
        (Evidence.MEASURED_ELSEWHERE, 151e3, 3e6, 59.9, "medium"),  # two are not
        (Evidence.MODELLED, 150e3, 3e6, 60.0, "medium"),  # a speed that nobody measured is never sure
        (Evidence.MEASURED_ELSEWHERE, 151e3, 1e6, 60.0, "medium"),
        (Evidence.MODELLED, 300e3, 1e6, 60.0, "medium"),  # one merit, and a range just not too wide
        (Evidence.MODELLED, 301e3, 1e6, 60.0, "low"),  # too wide a range takes it
        (Evidence.MODELLED, 151e3, 1e6, 59.9, "low"),
        (Evidence.MEASURED_HERE, 150e3, None, 0.0, "high"),  # nobody beside it overlaps
    ],
)
def test_confidence_counts_its_merits(make_result, evidence, half_usd, rival_usd, first_pct, level) -> None:
    """Measured, range within 30 %, no rival within it, first in 60 % of draws; a range beyond 60 % takes one off."""
    made = make_result("b200-sxm", evidence=evidence)
    cost = dataclasses.replace(made.cost, total=Range(1e6 - half_usd, 1e6, 1e6 + half_usd))
    ranked = [dataclasses.replace(made, cost=cost)]
    ranked += [make_result("h100-sxm", rival_usd)] if rival_usd else []
    told, words = _confidence(ranked, first_pct)
    assert told == level
    assert str(words).startswith(f"Speed {evidence.value}; cost ")
    assert ("overlap" in str(words)) is (rival_usd == 1e6)


def test_ranges_that_touch_overlap(make_result) -> None:
    """The pick up to 1.1 M, the rival from 1.1 M on, or from a little more."""
    pick, rival = make_result("b200-sxm", 1e6), make_result("h100-sxm", 2e6)
    for low, is_told in ((1.1e6, True), (1.1e6 + 1, False)):
        cost = dataclasses.replace(rival.cost, total=Range(low, 2e6, 3e6))
        top = dataclasses.replace(pick.cost, total=Range(0.9e6, 1e6, 1.1e6))
        ranked = [dataclasses.replace(pick, cost=top), dataclasses.replace(rival, cost=cost)]
        assert ("overlap" in str(_confidence(ranked, 50.0)[1])) is is_told


def test_range_past_the_deadline_is_told(profile, make_result) -> None:
    close = dataclasses.replace(make_result("b200-sxm", 1e6, 58, 90), days_to_finish=Range(50, 58, 66))
    against = reasons_against(profile, [close, make_result("h100-sxm", 2e6, 59, 20)])
    assert "The range reaches 6 days past the deadline" in [str(reason) for reason in against]
