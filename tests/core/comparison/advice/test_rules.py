"""Common advice: every rule can fire, leans match the guides' scenarios, and agreement is stated."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from core.comparison.advice.conditions import CHECKS, CONDITIONS
from core.comparison.advice.rules import advise, agreement, agreement_lines, rule_book
from core.comparison.result import AdviceRule
from core.workload.jobs.kinds import BatchInference, FineTuning, OnlineServing, PreTraining
from core.workload.models.transformer import TransformerModel
from core.workload.profile import Places, Profile, Stack, Team, Weights

SMALL = TransformerModel(name="1B", n_layers=16, d_model=2048, n_heads=16, n_kv_heads=8, d_ff=5632)
LARGE = TransformerModel(name="70B", n_layers=80, d_model=8192, n_heads=64, n_kv_heads=8, d_ff=28672)
GOOGLE = Places(providers=("gcp",))

SCENARIOS: dict[str, tuple[str, set[str], Profile]] = {
    "exploratory research": (
        "gpu",
        {"R01", "R03", "R17"},
        Profile(
            job=PreTraining(n_tokens=1e9),
            model=SMALL,
            stack=Stack(maturity="exploring", custom_kernels=2),
            team=Team(debug_need="high"),
        ),
    ),
    "stack still changes monthly, JAX on Google": (
        "gpu",
        {"R01", "R03"},
        Profile(
            job=PreTraining(n_tokens=1e10),
            model=SMALL,
            places=Places(providers=("gcp", "aws")),
            stack=Stack(framework="jax", maturity="exploring", dynamic_shapes="some"),
            team=Team(debug_need="high", xla_experience="none"),
        ),
    ),
    "frozen large JAX pre-training on Google": (
        "tpu",
        {"R01", "R03", "R11"},
        Profile(
            job=PreTraining(n_tokens=1e12),
            model=LARGE,
            places=GOOGLE,
            stack=Stack(framework="jax", maturity="frozen"),
            team=Team(xla_experience="expert"),
            weights=Weights(cost=80, time=20, flexibility=0),
        ),
    ),
    "custom kernels and no XLA": (
        "gpu",
        {"R04", "R18"},
        Profile(
            job=PreTraining(n_tokens=1e12),
            model=LARGE,
            places=GOOGLE,
            stack=Stack(custom_kernels=5, libraries=("flash-attention",)),
            team=Team(xla_experience="none"),
        ),
    ),
    "bursty chat": (
        "gpu",
        {"R09", "R19"},
        Profile(
            job=OnlineServing(peak_requests_per_s=5, mean_load_pct=20, ttft_limit_ms=200, engine="tensorrt-llm"),
            model=SMALL,
        ),
    ),
    "nightly scoring on Google": (
        "tpu",
        {"R10", "R12"},
        Profile(
            job=BatchInference(requests_per_batch=1e7, engine="maxtext"),
            model=SMALL,
            places=GOOGLE,
            stack=Stack(framework="jax", maturity="frozen"),
        ),
    ),
    "steady high volume on Google": (
        "tpu",
        {"R10"},
        Profile(
            job=OnlineServing(peak_requests_per_s=600, mean_load_pct=88, ttft_limit_ms=None),
            model=SMALL,
            places=GOOGLE,
            stack=Stack(framework="jax"),
        ),
    ),
    "no Google": (
        "gpu",
        {"R06"},
        Profile(job=PreTraining(n_tokens=1e12), model=LARGE, places=Places(providers=("aws", "azure")), stack=Stack()),
    ),
    "on premises": (
        "gpu",
        {"R06"},
        Profile(job=PreTraining(n_tokens=1e12), model=LARGE, places=Places(must_be_on_prem=True)),
    ),
    "rendering beside training": (
        "gpu",
        {"R08"},
        Profile(job=PreTraining(n_tokens=1e12), model=LARGE, stack=Stack(non_ml_use=True)),
    ),
    "junior team": (
        "gpu",
        {"R18"},
        Profile(job=FineTuning(n_tokens=1e8), model=SMALL, team=Team(xla_experience="none", debug_need="high")),
    ),
}


HARD = ("R04", "R06", "R08")
"""Rules that leave no choice: driver access, places without TPUs, graphics."""


def leaning(advice: Sequence[AdviceRule]) -> str:
    """The side of a hard rule, else the side that more of the fired rules favour; depends when even."""
    hard = [rule.favours for rule in advice if rule.rule in HARD]
    balance = sum(rule.favours == "gpu" for rule in advice) - sum(rule.favours == "tpu" for rule in advice)
    return next(iter(hard), "gpu" if balance > 0 else "tpu" if balance < 0 else "depends")


@pytest.mark.parametrize("name", SCENARIOS)
def test_scenarios_of_the_guides(name: str) -> None:
    side, expected, profile = SCENARIOS[name]
    fired = advise(profile, [], [])
    assert expected <= {rule.rule for rule in fired}
    assert leaning(fired) == side, [(rule.rule, rule.favours, rule.fired_because) for rule in fired]


def test_frozen_large_run_on_tpu_fires_length_and_scale(make_result) -> None:
    profile = SCENARIOS["frozen large JAX pre-training on Google"][2]
    pick = make_result("tpu-v6e", 1e6, 40, 50, n_chips=512)
    fired = advise(profile, [pick], [])
    assert {"R02", "R13"} <= {rule.rule for rule in fired}
    checked = {rule.title for rule in rule_book().rules if rule.check}
    plain = [rule for rule in fired if rule.favours in ("gpu", "tpu") and rule.title not in checked]
    assert plain and all(rule.agrees is (rule.favours == "tpu") for rule in plain)


def test_maturity_moves_the_lean_one_way_only() -> None:
    profile = SCENARIOS["frozen large JAX pre-training on Google"][2]
    balance = []
    for maturity in ("exploring", "stable", "frozen"):
        fired = advise(
            profile.model_copy(update={"stack": profile.stack.model_copy(update={"maturity": maturity})}), [], []
        )
        balance.append(sum(r.favours == "tpu" for r in fired) - sum(r.favours == "gpu" for r in fired))
    assert balance == sorted(balance) and balance[0] < balance[-1]


def test_every_condition_is_used_by_a_rule_and_every_rule_known() -> None:
    assert {rule.condition for rule in rule_book().rules} == set(CONDITIONS)
    assert {rule.check for rule in rule_book().rules} - {""} == set(CHECKS)


def test_rules_speak_plainly_and_name_known_numbers() -> None:
    book = rule_book()
    every = {f"R{number:02}" for number in range(1, 41)}
    assert {rule.rule for rule in book.rules} == set(book.names) == every
    assert len({rule.title for rule in book.rules}) == len(book.rules)
    assert all(rule.statements and book.source(rule) for rule in book.rules)
    assert {name for pair in book.opposed for name in pair} <= every


def test_every_condition_has_a_test_in_which_it_fires_and_one_in_which_it_does_not() -> None:
    tests = "".join(path.read_text(encoding="utf-8") for path in Path(__file__).parent.glob("test_conditions*.py"))
    assert [name for name in CONDITIONS if f'"{name}"' not in tests] == []


def test_agreement_counts_only_rules_that_take_a_side(make_result) -> None:
    fired = advise(SCENARIOS["custom kernels and no XLA"][2], [make_result("h100-sxm")], [])
    agree, sides = agreement(fired)
    assert sides == sum(rule.agrees is not None for rule in fired) >= sum(rule.favours == "gpu" for rule in fired) > 0
    assert agree == sum(rule.agrees is True for rule in fired)
    checked = {rule.title for rule in rule_book().rules if rule.check}
    for rule in fired:
        if rule.title not in checked:
            assert rule.agrees is (rule.favours == "gpu" if rule.favours in ("gpu", "tpu") else None)


def test_rules_carry_their_names_sources_and_dates() -> None:
    fired = advise(SCENARIOS["custom kernels and no XLA"][2], [], [])
    told = next(rule for rule in fired if rule.rule == "R04")
    assert (told.name, told.source) == ("Custom ops and kernels", "Qovery, TechnoLynx, BeFreed, Dataplugs")
    assert told.as_of.startswith("undated") and "Pallas" in told.newer


def test_agreement_is_told_in_the_words_of_the_rules() -> None:
    def rule(title: str, agrees: bool | None) -> AdviceRule:
        return AdviceRule("R01", title, "gpu", "so", agrees)

    told = [rule(title, True) for title in "abcde"] + [rule("f", False), rule("g", None)]
    assert agreement_lines(told) == ("Agree: a; b; c; and 2 more", "Disagree: f")
    assert agreement_lines([rule("g", None)]) == ()


def test_without_a_pick_nobody_agrees_or_disagrees() -> None:
    assert agreement(advise(SCENARIOS["no Google"][2], [], [])) == (0, 0)
