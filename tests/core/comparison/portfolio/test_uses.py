"""What a workload's bill holds beside rent, month by month, and support as a share of the rent of a pool."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest

from core.catalogue.loading import load_catalogue
from core.comparison.evaluate import evaluate
from core.comparison.portfolio.calendar import calendar_of
from core.comparison.portfolio.demand import Work, edges_of, span_of, work_of
from core.comparison.portfolio.own_picks import on_own_pick
from core.comparison.portfolio.pools import need_of
from core.comparison.portfolio.schemes import scheme_of
from core.comparison.portfolio.uses import other_by_month, use_of
from core.comparison.result import ResultSet
from core.cost.registry import component_by_part
from core.plan.edit import set_value
from core.plan.plan import Plan
from core.workload.portfolio import Member

Answers = Mapping[str, ResultSet]


def _work(results: ResultSet, **member: object) -> Work:
    assert results.choice is not None
    named = {"workload": results.profile.id, **member}
    return work_of(results.profile, results.choice, Member.model_validate(named))


def _other(work: Work, months: int = 12) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    first, n_days = span_of([work], months)
    return other_by_month(work, calendar_of(first, n_days, edges_of([work], first, n_days)))


def _parts(work: Work) -> tuple[float, float]:
    """USD done once, and all else beside rent."""
    parts = [(component_by_part()[part.id], part.usd) for part in work.result.cost.parts]
    once = sum(usd for one, usd in parts if one.is_one_off)
    return once, sum(usd for one, usd in parts if not one.is_rent and not one.is_one_off)


def test_what_is_done_once_is_due_once_and_the_rest_with_every_run(answers: Answers) -> None:
    once, again = _work(answers["retrain-13b"]), _work(answers["retrain-13b"], every_months=3)
    one_off, each = _parts(once)
    assert _other(once).sum() == pytest.approx(one_off + each)
    assert _other(again).sum() == pytest.approx(one_off + 4 * each)
    assert np.count_nonzero(_other(again)) >= 4


def test_half_a_term_costs_half_of_what_goes_on(answers: Answers) -> None:
    work = _work(answers["chat-70b"])
    one_off, rest = _parts(work)
    assert _other(work).sum() == pytest.approx(one_off + rest)
    assert _other(work, months=6).sum() == pytest.approx(one_off + rest / 2, rel=6e-3)


def test_more_use_raises_only_what_follows_use(answers: Answers) -> None:
    plain, busy = (_work(answers["chat-70b"], use_pct=(use,)) for use in (100, 300))
    follows = sum(
        part.usd for part in plain.result.cost.parts
        if component_by_part()[part.id].follows_use == "always" and not component_by_part()[part.id].is_rent
    )  # fmt: skip
    assert _other(busy).sum() - _other(plain).sum() == pytest.approx(2 * follows, abs=1e-6)


def test_services_keep_their_busiest_hour_and_lend_the_rest(answers: Answers) -> None:
    works = [_work(answers[name]) for name in ("chat-70b", "nightly-scoring")]
    first, n_days = span_of(works, None)
    calendar = calendar_of(first, n_days, edges_of(works, first, n_days))
    uses = [use_of(work, answers[work.profile.id], calendar) for work in works]
    lent, apart, alone = (
        need_of(uses, calendar, 1, None, shares, lends)
        for shares, lends in ((True, True), (True, False), (False, True))
    )
    assert (lent.chips <= apart.chips).all() and (apart.chips <= alone.chips).all()
    assert lent.chips.sum() < apart.chips.sum()
    assert (lent.working == apart.working).all() and (lent.working <= lent.chips).all()


def test_support_is_a_share_of_the_rent_of_its_pool(eight: Plan) -> None:
    profile = set_value(eight, "profiles.7.team.support_plan", "business").profiles[7]
    catalogue = load_catalogue()
    results = evaluate(profile, catalogue)
    work = _work(results)
    first, n_days = span_of([work], None)
    calendar = calendar_of(first, n_days, edges_of([work], first, n_days))
    assert work.result.cost.part("support") > 0
    own = scheme_of("own", [on_own_pick(work, results, calendar)], calendar, catalogue)
    assert own.total.likely == pytest.approx(work.result.cost.total.likely, rel=1e-9)
