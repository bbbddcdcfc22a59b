"""Results made by hand: real catalogue entries, chosen numbers."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from core.catalogue.catalogue import Catalogue
from core.catalogue.entries import Offer
from core.catalogue.loading import load_catalogue
from core.comparison.evaluate import evaluate
from core.comparison.result import Candidate, CandidateResult, ResultSet
from core.cost.bill.types import Cost, CostPart
from core.flexibility.types import CriterionScore, Flexibility
from core.ranges import Evidence, Range
from core.throughput.types import Latency, Layout, Reason, System, Throughput
from core.workload.jobs.kinds import PreTraining
from core.workload.library import load_profiles, more_profiles
from core.workload.models.transformer import TransformerModel
from core.workload.profile import Profile

MakeResult = Callable[..., CandidateResult]


@pytest.fixture(scope="session")
def catalogue() -> Catalogue:
    return load_catalogue()


@pytest.fixture(scope="session")
def answers_of_all(catalogue: Catalogue) -> dict[str, ResultSet]:
    """Answers of all shipped workloads."""
    return {name: evaluate(profile, catalogue) for name, profile in (load_profiles() | more_profiles()).items()}


@pytest.fixture
def profile() -> Profile:
    """70B pre-training with every essential given."""
    return Profile(
        id="train-70b",
        name="Train 70B",
        job=PreTraining(n_tokens=1e12),
        model=TransformerModel(name="Llama 3 70B", n_layers=80, d_model=8192, n_heads=64, n_kv_heads=8, d_ff=28672),
    )


@pytest.fixture
def make_result(catalogue: Catalogue) -> MakeResult:
    """A function that makes a result from a few numbers; everything else is plain."""

    def make(
        accelerator: str = "h100-sxm",
        cost: float = 1e6,
        days: float | None = 30.0,
        score: float = 50.0,
        *,
        n_chips: int = 64,
        provider: str | None = None,
        purchase_model: str = "on_demand",
        spread: float = 0.1,
        porting_usd: float = 0.0,
        porting_days: float = 0.0,
        waste_usd: float = 0.0,
        tpot_ms: float | None = None,
        reasons: tuple[Reason, ...] = (),
        rank: int = 0,
        utility: float = 0.0,
        evidence: Evidence = Evidence.MODELLED,
        tag: str = "",
    ) -> CandidateResult:
        offer = _offer(catalogue, accelerator, provider, purchase_model)
        chip = catalogue.accelerator_by_id[accelerator]
        parts = (
            CostPart(
                "compute",
                cost - porting_usd - waste_usd,
                "chips × hours × price",
                (("chips", str(n_chips)),),
                "X",
                False,
            ),
            CostPart("commitment_waste", waste_usd, "unused hours × price", (), "X", False),
            CostPart("porting", porting_usd, "weeks × rate", (), "X", True),
        )
        throughput = Throughput(
            System(chip, n_chips, 8, 400.0, False),
            not any(r.code == "memory" for r in reasons),
            (),
            Layout(fsdp=n_chips),
            _span(1e5, spread),
            12.0,
            2.0,
            {"compute": 1.5, "network": 0.5},
            0.4,
            "compute",
            {"weights": 20.0, "optimizer": 30.0},
            74.5,
            Latency(200, 400, tpot_ms, 2 * tpot_ms) if tpot_ms else None,
            evidence,
            "bf16",
        )
        criterion = CriterionScore(
            "F1", "Suppliers", Range(0.4, 0.5, 0.6), 18, "log2(1 + n) / log2 9", (), "counted", "X", False
        )
        name = f"{accelerator}-{n_chips}x-{offer.provider}-{offer.region}-{purchase_model}{tag}"
        run_days = (days or 0.0) - porting_days
        return CandidateResult(
            Candidate(name, chip, offer, n_chips, max(1, n_chips // 8)),
            not reasons,
            reasons,
            throughput,
            _span(run_days * 24, spread),
            _span(days, spread) if days is not None else None,
            {"porting": porting_days, "waiting": 0.0, "run": run_days},
            Cost(_span(cost, spread), parts, cost / 1e6, "1M tokens", cost / 12, cost),
            Flexibility(Range(score - 5, score, score + 5), (criterion,), 1e4, 2.0),
            _span(1e5, spread),
            4e4,
            utility,
            False,
            rank,
        )

    return make


def _offer(catalogue: Catalogue, accelerator: str, provider: str | None, purchase_model: str) -> Offer:
    found = [
        o for o in catalogue.offers if o.accelerator_id == accelerator and (provider is None or o.provider == provider)
    ]
    same = [o for o in found if o.purchase_model == purchase_model]
    return same[0] if same else found[0].model_copy(update={"purchase_model": purchase_model})


def _span(value: float, spread: float) -> Range:
    return Range(value * (1 - spread), value, value * (1 + spread))
