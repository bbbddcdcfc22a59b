"""Exit bills are set against the running bill: what is done once makes no option easier to leave."""

from __future__ import annotations

import pytest

from core.amounts import Amount
from core.catalogue.catalogue import Catalogue
from core.comparison.evaluate import evaluate
from core.comparison.result import CandidateResult
from core.cost.registry import components
from core.workload.jobs.kinds import PreTraining
from core.workload.models.transformer import TransformerModel
from core.workload.profile import Limits, Places, Profile, Stack

SMALL = TransformerModel(name="8B", n_layers=32, d_model=4096, n_heads=32, n_kv_heads=8, d_head=128, d_ff=14336)


def on_tpu(catalogue: Catalogue, kernels: int) -> CandidateResult:
    profile = Profile(
        job=PreTraining(n_tokens=2e11),
        model=SMALL,
        stack=Stack(custom_kernels=kernels),
        places=Places(vendors=("Google",)),
        limits=Limits(deadline_days=365, exact_chips=64),
    )
    results = evaluate(profile, catalogue).results
    return next(one for one in results if one.feasible and one.candidate.accelerator.id == "tpu-v6e")


@pytest.mark.parametrize("kernels", [0, 10])
def test_the_year_is_that_of_the_bill_without_what_is_done_once(catalogue: Catalogue, kernels: int) -> None:
    option = on_tpu(catalogue, kernels)
    once_usd = sum(option.cost.part(one.part) for one in components() if one.is_one_off)
    year = dict(next(one for one in option.flexibility.criteria if one.id == "F7").inputs)
    told = year["Twelve months of the running bill"]
    assert isinstance(told, Amount) and told.value == pytest.approx(option.cost.total.likely - once_usd)
    assert once_usd > option.cost.part("porting") > 0


def test_a_harder_port_onto_a_chip_makes_it_no_more_flexible(catalogue: Catalogue) -> None:
    scores = [on_tpu(catalogue, kernels).flexibility.score.likely for kernels in (0, 1, 3, 10)]
    assert scores == sorted(scores, reverse=True) and len(set(scores)) == 4
