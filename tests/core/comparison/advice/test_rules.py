"""Common advice: every rule can fire, leans match the guides' scenarios, and agreement is stated."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Sequence

import pytest

from core import paths
from core.comparison.advice.conditions import CONDITIONS
from core.comparison.advice.rules import advise, agreement, rules
from core.comparison.result import AdviceRule, CandidateResult, RunLosses
from core.workload.jobs.kinds import BatchInference, FineTuning, OnlineServing, PreTraining
from core.workload.models.transformer import TransformerModel
from core.workload.profile import Limits, Places, Profile, Stack, Team, Weights

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
            team=Team(debug_need="high", xla_experience="some"),
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
            job=BatchInference(requests_per_batch=1e7, engine="jetstream"),
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
    assert all(rule.agrees is (rule.favours == "tpu") for rule in fired if rule.favours != "depends")


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
    used = {rule.condition for rule in rules()[0]}
    assert used == set(CONDITIONS)


def test_rules_speak_plainly_and_name_known_numbers() -> None:
    content = json.loads((paths.resources() / "advice" / "rules.json").read_text(encoding="utf-8"))
    assert len({rule["rule"] for rule in content["rules"]}) >= 20
    assert all(rule["rule"][0] == "R" and 1 <= int(rule["rule"][1:]) <= 40 for rule in content["rules"])


def _starved(result: CandidateResult) -> CandidateResult:
    """A result that waits for its storage and is often interrupted."""
    speed = dataclasses.replace(result.throughput, bottleneck="input", notes=("Waits for storage: 1 comes",))
    return dataclasses.replace(result, throughput=speed, losses=RunLosses(0.9, 1.0, 30.0, 0.3, 0.1, 0.6))


def test_every_condition_can_fire(make_result) -> None:
    """A set of profiles among which each condition holds at least once: no rule is dead."""
    tpu = make_result("tpu-v6e", 3e5, 90, 50, n_chips=512, porting_usd=2e5, porting_days=40)
    gpu = make_result("h100-sxm", 1e6, 0.5, 50, n_chips=8, purchase_model="commit_1y")
    sellers = [make_result("h100-sxm", provider=name) for name in ("gcp", "aws", "lambda", "nebius")]
    odd = TransformerModel(name="odd", d_model=1000, d_ff=3001)
    long = PreTraining(n_tokens=1e12, sequence_length=65536, precision="fp8")
    exploring = Stack(
        maturity="exploring", driver_access=True, control_flow="heavy", libraries=("deepspeed", "maxtext")
    )
    serve = OnlineServing(peak_requests_per_s=5, mean_load_pct=80, months=36)
    thin = OnlineServing(peak_requests_per_s=5, mean_load_pct=20)
    cases = [(s[2], [], []) for s in SCENARIOS.values()] + [
        (SCENARIOS["frozen large JAX pre-training on Google"][2], [tpu], []),
        (Profile(job=long, model=odd, stack=exploring, limits=Limits(deadline_days=60)), [gpu, *sellers], [tpu]),
        (
            Profile(
                job=serve,
                model=SMALL,
                team=Team(delivery="managed"),
                places=Places(needed_places=("public_cloud", "on_prem")),
            ),
            [],
            [],
        ),
        (Profile(job=serve, model=SMALL, places=Places(needed_places=("public_cloud", "dedicated"))), [], []),
        (Profile(job=thin, model=SMALL), [], []),
        (Profile(job=PreTraining(n_tokens=1e12), model=LARGE), [tpu], []),
        (Profile(job=PreTraining(n_tokens=1e12, checkpoint_interval_h=24), model=LARGE), [_starved(gpu)], []),
    ]
    fired = {rule.title for profile, ranked, rejected in cases for rule in advise(profile, ranked, rejected)}
    assert {rule.title for rule in rules()[0]} - fired == set()


def test_agreement_counts_only_rules_that_take_a_side(make_result) -> None:
    fired = advise(SCENARIOS["custom kernels and no XLA"][2], [make_result("h100-sxm")], [])
    agree, sides = agreement(fired)
    assert sides == sum(rule.favours in ("gpu", "tpu") for rule in fired)
    assert agree == sum(rule.favours == "gpu" for rule in fired)


def test_without_a_pick_nobody_agrees_or_disagrees() -> None:
    assert agreement(advise(SCENARIOS["no Google"][2], [], [])) == (0, 0)
