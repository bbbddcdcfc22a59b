"""The exit bill in parts: they sum to it, and each opens its formula."""

from dataclasses import replace

import pytest

from core.amounts import USD, Amount
from core.catalogue.catalogue import Catalogue
from core.comparison.evaluate import evaluate
from core.comparison.questions.explain import explanation
from core.comparison.questions.leaving import ANYWHERE, exit_parts, exit_to, targets
from core.comparison.recommendation.recommend import recommend
from core.comparison.result import CandidateResult, ResultSet
from core.flexibility.porting import porting_weeks
from core.workload.jobs.kinds import PreTraining
from core.workload.models.transformer import TransformerModel
from core.workload.profile import Profile


@pytest.fixture
def leaving(make_result) -> CandidateResult:
    """Two weeks at 4 500, 300 USD of data, 700 USD of an unused commitment: 10 000 in all."""
    result = make_result(cost=1e6, waste_usd=700.0, rank=1)
    return replace(result, flexibility=replace(result.flexibility, exit_usd=10_000.0, exit_weeks=2.0))


@pytest.fixture
def results(profile: Profile, leaving: CandidateResult) -> ResultSet:
    return ResultSet(profile, "2026-11-21", "none", (leaving,), recommend(profile, [leaving], []), (), "")


def test_parts_by_hand(profile: Profile, leaving: CandidateResult) -> None:
    assert exit_parts(profile, leaving) == {"porting": 9_000.0, "egress": 300.0, "commitment_waste": 700.0}


def test_parts_sum_to_the_bill_and_none_is_negative(profile: Profile, leaving: CandidateResult) -> None:
    for bill in (0.0, 5_000.0, 9_500.0, 1e6):
        found = exit_parts(profile, replace(leaving, flexibility=replace(leaving.flexibility, exit_usd=bill)))
        assert sum(found.values()) == pytest.approx(bill) and min(found.values()) >= 0


def test_each_part_opens_its_formula(results: ResultSet, leaving: CandidateResult) -> None:
    porting, data, rest = (
        explanation(results, leaving, f"exit:{part}") for part in exit_parts(results.profile, leaving)
    )
    assert porting is not None and data is not None and rest is not None
    assert dict(porting.inputs)["Engineer's week"] and porting.estimate and not rest.estimate
    assert "10" in str(porting.note)


def test_a_part_that_costs_nothing_has_no_formula(results: ResultSet, make_result) -> None:
    free = make_result(waste_usd=0.0)
    assert explanation(results, free, "exit:commitment_waste") is None
    assert explanation(results, free, "exit:nonsense") is None


@pytest.fixture(scope="module")
def trained(catalogue: Catalogue) -> ResultSet:
    model = TransformerModel(name="8B", n_layers=32, d_model=4096, n_heads=32, n_kv_heads=8, d_ff=14336)
    return evaluate(Profile(job=PreTraining(n_tokens=1e11), model=model), catalogue)


def of_kind(results: ResultSet, kind: str, vendor: str) -> CandidateResult:
    chips = ((r, r.candidate.accelerator) for r in results.results if r.feasible)
    return next(r for r, chip in chips if chip.kind == kind and chip.vendor.lower() == vendor)


def test_targets_are_the_families_that_fit(trained: ResultSet) -> None:
    keys = [target.key for target in targets(trained)]
    assert keys[0] == ANYWHERE and {"nvidia_gpu", "amd_gpu", "google_tpu"} <= set(keys) and len(keys) == len(set(keys))
    assert [target.key for target in targets(replace(trained, basis=None))] == [ANYWHERE]


def test_staying_with_a_family_takes_no_port_and_leaving_it_takes_that_of_the_chip(trained: ResultSet) -> None:
    gpu = of_kind(trained, "gpu", "nvidia")
    chip = next(target.chip for target in targets(trained) if target.key == "google_tpu")
    assert chip is not None and trained.basis is not None
    weeks = porting_weeks(trained.profile, trained.basis.catalogue, chip).likely
    assert exit_to(trained, gpu, "nvidia_gpu").weeks == 0
    away = exit_to(trained, gpu, "google_tpu")
    assert away.weeks == pytest.approx(weeks) and weeks > 0
    assert away.parts["porting"] == pytest.approx(weeks * trained.profile.team.engineer_usd_per_week)
    assert away.parts["egress"] == exit_to(trained, gpu).parts["egress"]


def test_off_a_tpu_the_port_is_undone_and_the_score_counts_the_way_to_nvidia(trained: ResultSet) -> None:
    tpu = of_kind(trained, "tpu", "google")
    assert trained.basis is not None
    onto = porting_weeks(trained.profile, trained.basis.catalogue, tpu.candidate.accelerator).likely
    assert exit_to(trained, tpu, "nvidia_gpu").weeks == tpu.flexibility.exit_weeks == pytest.approx(onto)
    assert onto > 0
    assert exit_to(trained, tpu, "google_tpu").weeks == 0


def test_an_open_target_is_the_bill_of_the_score(trained: ResultSet) -> None:
    for result in trained.results[:40]:
        assert exit_to(trained, result).usd == pytest.approx(result.flexibility.exit_usd)
        assert exit_to(trained, result, "nowhere").usd == pytest.approx(result.flexibility.exit_usd)


def test_the_formula_follows_the_target(trained: ResultSet) -> None:
    gpu = of_kind(trained, "gpu", "nvidia")
    assert explanation(trained, gpu, "exit:porting") is None
    found = explanation(trained, gpu, "exit:porting@google_tpu")
    assert found is not None and found.value == Amount(exit_to(trained, gpu, "google_tpu").parts["porting"], USD)
