"""A fixed budget, how far does it get: the most tokens it trains on within the deadline, and the largest model.

The bill of a run is ``fixed + per token x tokens``, up to what failures and saved states add, so that the tokens are
found by a straight line through two evaluations and a few more on the way; the last one keeps budget and deadline. The
largest model is of the same shape at 20 tokens a weight, the ratio of least loss for given work found by Hoffmann et
al., "Training Compute-Optimal Large Language Models" (arXiv:2203.15556, 2022), table 3.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from core.amounts import SCALED, USD, Amount, Sentence, Text
from core.catalogue.catalogue import Catalogue
from core.comparison.judge.assemble import assemble
from core.comparison.judge.calendar import calendar_days, porting_efforts
from core.comparison.judge.candidates import shortlisted_of
from core.comparison.judge.durations import read_clock
from core.comparison.questions.number_of_chips import option_of
from core.comparison.result import Basis, CandidateResult, ResultSet
from core.comparison.search.options import Option
from core.comparison.search.pool import build_pool, kinds_of
from core.comparison.search.screen import Screened
from core.throughput.predict import predict
from core.units import grouped
from core.workload.models.transformer import TransformerModel
from core.workload.profile import Profile

TOKENS_PER_WEIGHT = 20.0
MOST_OPTIONS = 6
_MOST_STEPS = 16
_CLOSE = 2e-3
_MOST_TOKENS = 1e16
_MOST_LARGER = 8
_WIDTH_STEP = 128
_SPENT = 0.98

Judge = Callable[[Profile, tuple[int, ...] | None], list[CandidateResult]]


@dataclass(frozen=True, slots=True)
class Reach:
    """The most tokens of one option at its best number of chips: the bill and the days are those of that run."""

    n_tokens: float
    result: CandidateResult

    @property
    def unit(self) -> str:
        """What is counted: tokens, or samples."""
        return self.result.throughput.unit


@dataclass(frozen=True, slots=True)
class LargestModel:
    """The largest model of the shape that the money trains on 20 tokens a weight."""

    model: TransformerModel
    n_tokens: float
    result: CandidateResult


@dataclass(frozen=True, slots=True)
class BudgetReach:
    """What the budget buys, most tokens first; ``shown`` is the reach of the candidate asked about, None where it buys
    nothing of it."""

    budget_usd: float
    reaches: tuple[Reach, ...]
    shown: Reach | None
    largest: LargestModel | None


NOTHING = BudgetReach(0.0, (), None, None)
"""Of work that is no training run, and where nothing was evaluated."""


def budget_reach(results: ResultSet, shown: CandidateResult, budget_usd: float | None = None) -> BudgetReach:
    """How far the budget gets with a candidate's offer and with the best ones: that of the plan, else what it costs."""
    basis = results.basis
    if basis is None or results.profile.job.training is None:
        return NOTHING
    budget = budget_usd or results.profile.limits.budget_usd or shown.cost.total.likely
    profile = _with_budget(results.profile, budget)
    best = {result.id: result for result in (shown, *results.best_trusted[:MOST_OPTIONS])}
    reaches = {name: _reach_of(profile, basis, result) for name, result in best.items()}
    told = sorted((one for one in reaches.values() if one), key=lambda one: -one.n_tokens)
    return BudgetReach(budget, tuple(told), reaches[shown.id], _largest_model(profile, basis, shown))


def reach_sentences(results: ResultSet, reach: BudgetReach) -> tuple[Text, ...]:
    """What the budget trains on the candidate, on the best option, and the largest model; () where nothing is asked."""
    budget = Amount(reach.budget_usd, USD)
    if reach is NOTHING:
        return ()
    if not reach.reaches:
        return (Sentence("{} trains nothing within the limits.", budget),)
    told: list[Text] = []
    if reach.shown:
        spent = reach.shown.result.cost.total.likely
        told.append(
            Sentence("{} trains {}{} on {}.", budget, _tokens(reach.shown), _each(results), _name(reach.shown.result))
        )
        if spent < _SPENT * reach.budget_usd:
            told.append(Sentence("The deadline comes before the money: {} are spent.", Amount(spent, USD)))
    best = reach.reaches[0]
    if best is not reach.shown:
        told.append(Sentence("It trains most on {}: {}.", _name(best.result), _tokens(best)))
    if reach.largest:
        size, n_tokens = (Amount(value, SCALED, 2) for value in (reach.largest.model.n_params, reach.largest.n_tokens))
        told.append(Sentence("At 20 tokens a weight: a model of up to {} weights on {} tokens.", size, n_tokens))
    return tuple(told)


def _each(results: ResultSet) -> str:
    n_runs = results.profile.job.n_rounds
    return f" in each of {grouped(n_runs)} runs" if n_runs > 1 else ""


def _tokens(reach: Reach) -> Text:
    return Sentence("{} {}", Amount(reach.n_tokens, SCALED, 3), reach.unit)


def _name(result: CandidateResult) -> str:
    return f"{result.candidate.name} ({result.candidate.place})"


def _with_budget(profile: Profile, budget_usd: float) -> Profile:
    return profile.model_copy(update={"limits": profile.limits.model_copy(update={"budget_usd": budget_usd})})


def _with_tokens(profile: Profile, n_tokens: float) -> Profile:
    return profile.model_copy(update={"job": profile.job.model_copy(update={"n_tokens": n_tokens})})


def _judge(basis: Basis, option: Option, profile: Profile, counts: tuple[int, ...] | None) -> list[CandidateResult]:
    """The option at some numbers of chips, all where None, each judged as in the comparison."""
    catalogue: Catalogue = basis.catalogue
    efforts = porting_efforts(profile, catalogue, {option.accelerator.id})
    porting = {chip: calendar_days(weeks, profile.team.engineers) for chip, weeks in efforts.items()}
    kinds = kinds_of(profile, catalogue, (option,))
    if counts is not None:
        kinds = replace(kinds, counts=(lambda _: counts,))
    pool = build_pool(catalogue, kinds, (None,))
    throughputs = predict(profile, pool.systems, basis.corrections)
    clock = read_clock(profile, catalogue, pool, throughputs, porting)
    shortlisted = shortlisted_of(pool, throughputs, clock, range(pool.n_pairs), None)
    return assemble(profile, catalogue, Screened((option,), ((),)), shortlisted, efforts)


def _reach_of(profile: Profile, basis: Basis, result: CandidateResult) -> Reach | None:
    """The best number of chips of an option by the straight line, then its tokens to the point."""
    option, run = option_of(basis.catalogue, result), profile.job.training
    if option is None or run is None:
        return None
    judge = partial(_judge, basis, option)
    one, two = (judge(_with_tokens(profile, factor * run.n_tokens), None) for factor in (1.0, 2.0))
    reached = [_line(profile, run.n_tokens, a, b) for a, b in zip(one, two, strict=True)]
    best = int(np.argmax(reached))
    if reached[best] <= 0:
        return None
    return _to_the_point(profile, judge, one[best].candidate.n_chips, reached[best])


def _line(profile: Profile, n_tokens: float, one: CandidateResult, two: CandidateResult) -> float:
    """Tokens at which the first of the limits is reached, 0 where the cluster does not hold the run or never keeps
    them."""
    if not one.throughput.fits or one.days_to_finish is None or two.days_to_finish is None:
        return 0.0
    limits, pairs = profile.limits, []
    if limits.budget_usd is not None:
        pairs.append((limits.budget_usd, one.cost.total.likely, two.cost.total.likely))
    if limits.deadline_days is not None:
        pairs.append((limits.deadline_days, one.days_to_finish.likely, two.days_to_finish.likely))
    lines = [n_tokens * (1 + (most - at_one) / max(at_two - at_one, 1e-12)) for most, at_one, at_two in pairs]
    return min(max(min(lines), 0.0), _MOST_TOKENS)


def _to_the_point(profile: Profile, judge: Judge, n_chips: int, n_tokens: float) -> Reach | None:
    """The most tokens within every limit near those of the line: halved steps between what keeps them and what not."""
    low, high, best = 0.0, 1.1 * n_tokens, None
    at = n_tokens
    for _ in range(_MOST_STEPS):
        (result,) = judge(_with_tokens(profile, at), (n_chips,))
        if result.feasible:
            low, best = at, Reach(at, result)
        else:
            high = at
        if best is not None and high - low <= _CLOSE * low:
            break
        at = 0.5 * (low + high) if best is not None else 0.97 * at
    return best


def scaled(model: TransformerModel, n_layers: int) -> TransformerModel:
    """The same shape with so many layers: widths and heads grow with the depth, so that weights grow with its cube."""
    share = n_layers / model.n_layers
    kv = max(1, round(model.n_kv_heads * share))
    widths = {name: _WIDTH_STEP * round(getattr(model, name) * share / _WIDTH_STEP) for name in ("d_model", "d_ff")}
    parts = ("n_dense_layers", "dense_d_ff", "window_layers", "linear_layers")
    return model.model_copy(
        update={
            "name": f"{model.name}, scaled",
            "n_layers": n_layers,
            "n_heads": kv * (model.n_heads // model.n_kv_heads),
            "n_kv_heads": kv,
            **{name: max(width, _WIDTH_STEP) for name, width in widths.items()},
            **{name: round(getattr(model, name) * share) for name in parts},
        }
    )


def _largest_model(profile: Profile, basis: Basis, shown: CandidateResult) -> LargestModel | None:
    """The deepest model of the shape that keeps every limit on a candidate's offer, at any number of chips.

    Only for transformers whose run is long enough to train all of their weights.
    """
    model, option, run = profile.model, option_of(basis.catalogue, shown), profile.job.training
    if not isinstance(model, TransformerModel) or option is None or run is None:
        return None
    if run.adapter_rank is not None or run.n_tokens < model.n_params:
        return None
    low, high, best = 0, _MOST_LARGER * model.n_layers, None
    while high - low > 1:
        depth = (low + high) // 2
        trained = _trained(profile, partial(_judge, basis, option), scaled(model, depth))
        if trained is None:
            high = depth
        else:
            low, best = depth, trained
    return best


def _trained(profile: Profile, judge: Judge, model: TransformerModel) -> LargestModel | None:
    """A model on 20 tokens a weight on the cheapest number of chips that keeps every limit; None where none does."""
    n_tokens = TOKENS_PER_WEIGHT * model.n_params
    kept = _kept(judge(_with_tokens(profile.model_copy(update={"model": model}), n_tokens), None))
    return LargestModel(model, n_tokens, kept) if kept else None


def _kept(results: Sequence[CandidateResult]) -> CandidateResult | None:
    return min((one for one in results if one.feasible), key=lambda one: one.cost.total.likely, default=None)
