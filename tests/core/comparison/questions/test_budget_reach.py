"""How far a budget gets: the last run keeps every limit, a little more misses one, and more money buys more."""

from __future__ import annotations

from functools import cache

import pytest

from core.catalogue.loading import load_catalogue
from core.comparison.as_json import budget_reach_json
from core.comparison.evaluate import evaluate
from core.comparison.questions.budget_reach import NOTHING, TOKENS_PER_WEIGHT, budget_reach, reach_sentences, scaled
from core.comparison.result import CandidateResult, ResultSet
from core.workload.library import load_profiles
from core.workload.models.transformer import TransformerModel

RUNS = ("llama3-8b-pretraining", "llama3-70b-finetune", "mistral-7b-lora")


@cache
def _evaluated(name: str) -> ResultSet:
    return evaluate(load_profiles()[name], load_catalogue())


def _pick(results: ResultSet) -> CandidateResult:
    assert results.choice is not None
    return results.choice


def _again(results: ResultSet, n_tokens: float, name: str, budget_usd: float) -> CandidateResult | None:
    """The candidate of a whole evaluation with so many tokens and that budget."""
    profile = results.profile
    asked = profile.model_copy(
        update={
            "job": profile.job.model_copy(update={"n_tokens": n_tokens}),
            "limits": profile.limits.model_copy(update={"budget_usd": budget_usd, "exact_chips": _chips(name)}),
        }
    )
    return next((one for one in evaluate(asked, load_catalogue()).results if one.id == name), None)


def _chips(name: str) -> int:
    return int(next(part for part in name.split("-") if part.endswith("x") and part[:-1].isdecimal())[:-1])


@pytest.mark.parametrize("name", RUNS)
def test_the_tokens_are_the_most_that_keep_every_limit(name: str) -> None:
    results = _evaluated(name)
    reach = budget_reach(results, _pick(results))
    assert reach.shown is not None and reach.reaches
    for one in (reach.shown, reach.reaches[0]):
        kept = _again(results, one.n_tokens, one.result.id, reach.budget_usd)
        assert kept is not None and kept.feasible and kept.cost.total.likely <= reach.budget_usd
        assert kept.cost.total.likely == pytest.approx(one.result.cost.total.likely, rel=1e-9)
        more = _again(results, 1.01 * one.n_tokens, one.result.id, reach.budget_usd)
        assert more is None or not more.feasible


def test_options_stand_by_their_tokens_and_more_money_buys_more() -> None:
    results = _evaluated("llama3-8b-pretraining")
    less, more = (budget_reach(results, _pick(results), usd) for usd in (1e5, 2e5))
    tokens = [one.n_tokens for one in more.reaches]
    assert tokens == sorted(tokens, reverse=True) and len(tokens) > 1
    assert less.shown is not None and more.shown is not None
    assert 1.9 < more.shown.n_tokens / less.shown.n_tokens < 2.3  # a fixed part is paid once


def test_without_a_budget_the_cost_of_the_candidate_counts() -> None:
    results = _evaluated("llama3-8b-pretraining")
    limits = results.profile.limits.model_copy(update={"budget_usd": None})
    free = evaluate(results.profile.model_copy(update={"limits": limits}), load_catalogue())
    reach = budget_reach(free, _pick(free))
    assert reach.budget_usd == _pick(free).cost.total.likely and reach.shown is not None
    assert reach.shown.n_tokens >= 0.995 * results.profile.job.training.n_tokens  # type: ignore[union-attr]


def test_the_largest_model_is_the_last_that_fits() -> None:
    results = _evaluated("llama3-8b-pretraining")
    largest = budget_reach(results, _pick(results)).largest
    model = results.profile.model
    assert largest is not None and isinstance(model, TransformerModel)
    assert largest.n_tokens == TOKENS_PER_WEIGHT * largest.model.n_params
    assert largest.result.feasible and largest.result.cost.total.likely > 0.8 * 150_000
    assert largest.model.n_params > model.n_params


@pytest.mark.parametrize("n_layers", [8, 16, 33, 64, 100])
def test_a_scaled_model_keeps_its_shape(n_layers: int) -> None:
    model = TransformerModel()
    made = TransformerModel.model_validate(scaled(model, n_layers).model_dump())
    share = n_layers / model.n_layers
    assert made.d_model / model.d_model == pytest.approx(share, rel=0.1)
    assert made.n_heads // made.n_kv_heads == model.n_heads // model.n_kv_heads
    inside = (one.n_params - 2 * one.vocab_size * one.d_model for one in (made, model))
    assert next(inside) / next(inside) == pytest.approx(share**3, rel=0.25)
    assert scaled(model, model.n_layers).n_params == model.n_params


def test_money_that_the_deadline_leaves_is_told() -> None:
    """Five runs in five days: in the fourteen of the profile the eight chips of the pick spend all of the budget."""
    profile = load_profiles()["mistral-7b-lora"]
    limits = profile.limits.model_copy(update={"deadline_days": 5})
    results = evaluate(profile.model_copy(update={"limits": limits}), load_catalogue())
    reach = budget_reach(results, _pick(results))
    told = [str(text) for text in reach_sentences(results, reach)]
    assert reach.shown is not None and reach.shown.result.cost.total.likely < 0.5 * reach.budget_usd
    assert "in each of 5 runs" in told[0] and told[1].startswith("The deadline comes before the money: ")


def test_adapters_and_short_runs_have_no_largest_model() -> None:
    for name in ("mistral-7b-lora", "llama3-70b-finetune"):
        results = _evaluated(name)
        assert budget_reach(results, _pick(results)).largest is None


def test_a_service_has_no_reach() -> None:
    results = _evaluated("chat-serving-8b")
    reach = budget_reach(results, _pick(results))
    assert reach is NOTHING and reach_sentences(results, reach) == () and budget_reach_json(reach) is None


def test_too_little_money_trains_nothing() -> None:
    results = _evaluated("llama3-8b-pretraining")
    reach = budget_reach(results, _pick(results), 100.0)
    assert [str(text) for text in reach_sentences(results, reach)] == ["$100 trains nothing within the limits."]


def test_sentences_and_json_tell_the_same() -> None:
    results = _evaluated("llama3-8b-pretraining")
    reach = budget_reach(results, _pick(results))
    first, *_ = [str(text).replace("\u202f", " ") for text in reach_sentences(results, reach)]
    told = budget_reach_json(reach)
    assert first.startswith("$150 k trains 1.") and "T tokens on" in first
    assert told is not None and told["budget_usd"] == 150_000 and told["options"][0]["cost_usd"] <= 150_000
    assert told["pick"]["candidate"] == reach.shown.result.id if reach.shown else False
