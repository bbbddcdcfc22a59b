"""A small result set made from the contract types: figures in the right proportions, made up for tests only."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from core.catalogue.entries import Accelerator, Offer
from core.comparison.result import AdviceRule, Candidate, CandidateResult, Chance, FlipPoint, Recommendation, ResultSet
from core.cost.bill.types import Cost, CostPart
from core.flexibility.types import CriterionScore, Flexibility
from core.ranges import Evidence, Range
from core.throughput.types import Latency, Layout, LoadCurve, Reason, System, Throughput
from core.workload.jobs.kinds import OnlineServing, PreTraining
from core.workload.profile import Limits, Profile

_BASE = {"source": "test", "as_of": "2026-11-01", "estimate": False}
# short name, vendor, kind, provider, region, purchase model, chips, days, cost M$, score, evidence, bottleneck
ROWS = (
    (
        "B200",
        "nvidia",
        "gpu",
        "coreweave",
        "us-east",
        "commit_1y",
        256,
        36,
        1.48,
        71,
        Evidence.MEASURED_ELSEWHERE,
        "compute",
    ),
    (
        "H200 SXM",
        "nvidia",
        "gpu",
        "aws",
        "us-east-2",
        "capacity_block",
        512,
        33,
        1.95,
        80,
        Evidence.TRANSFERRED,
        "network",
    ),
    ("MI300X", "amd", "gpu", "vultr", "chicago", "dedicated_monthly", 512, 42, 1.42, 62, Evidence.MODELLED, "compute"),
    (
        "TPU v6e",
        "google",
        "tpu",
        "gcp",
        "us-east5",
        "commit_1y",
        512,
        53,
        1.16,
        47,
        Evidence.MEASURED_ELSEWHERE,
        "network",
    ),
    (
        "H100 SXM",
        "nvidia",
        "gpu",
        "gcp",
        "us-central1",
        "commit_1y",
        512,
        36,
        2.63,
        83,
        Evidence.MEASURED_HERE,
        "network",
    ),
    ("GB200 NVL72", "nvidia", "gpu", "azure", "eastus2", "commit_1y", 144, 52, 1.56, 58, Evidence.MODELLED, "compute"),
    ("TPU7x", "google", "tpu", "gcp", "us-central1", "commit_1y", 256, 47, 1.78, 39, Evidence.VENDOR, "compute"),
    (
        "TPU v5p",
        "google",
        "tpu",
        "gcp",
        "us-east5",
        "commit_1y",
        1024,
        43,
        2.35,
        44,
        Evidence.MEASURED_ELSEWHERE,
        "compute",
    ),
    ("A100 80GB", "nvidia", "gpu", "owned", "local", "owned", 256, 66, 1.07, 85, Evidence.MODELLED, "compute"),
    ("TPU v4", "google", "tpu", "gcp", "us-east5", "commit_1y", 512, 68, 2.36, 40, Evidence.MODELLED, "compute"),
    ("MI355X", "amd", "gpu", "vultr", "chicago", "on_demand", 1024, 21, 4.44, 60, Evidence.MODELLED, "network"),
)
CRITERIA = (("suppliers", "Suppliers"), ("places", "Places"), ("frameworks", "Frameworks"), ("exit_cost", "Exit cost"))


def chip(name: str, vendor: str, kind: str) -> Accelerator:
    """A chip with round figures."""
    return Accelerator(
        **_BASE,
        id=name.lower().replace(" ", "-"),
        vendor=vendor,
        kind=kind,
        name=name,
        short_name=name,
        announced=False,
        release_date="2024",
        fp32_tflops=67,
        tf32_tflops=494,
        bf16_tflops=989,
        fp16_tflops=989,
        fp8_tflops=1979,
        int8_tops=1979,
        fp4_tflops=None,
        measured_bf16_tflops=800,
        measured_fp8_tflops=None,
        memory_gb=80,
        memory_bandwidth_gbps=3350,
        scaleup_link="NVLink 4",
        scaleup_gbps_one_way=450,
        scaleup_domain_chips=8,
        torus_dims=0,
        link_gbps_one_way=None,
        pcie_gbps=64,
        tdp_w=700,
        tdp_estimate=False,
        matrix_tile=16,
        family="hopper",
    )


def offer(row: tuple) -> Offer:
    """An offer of a row's chip at a dated price."""
    name, _, _, provider, region, model = row[:6]
    return Offer(
        **_BASE,
        id=f"{provider}-{region}-{name}-{model}".lower().replace(" ", "-"),
        provider=provider,
        instance="host",
        accelerator_id=name.lower().replace(" ", "-"),
        chips_per_host=8,
        region=region,
        purchase_model=model,
        usd_per_chip_hour=6.2,
        usd_per_host_hour=49.6,
        quality="ok",
    )


def cost(total_usd: float) -> Cost:
    """A bill whose parts sum to the total."""
    shares = {
        "compute": 0.72,
        "commitment_waste": 0.08,
        "idle": 0.04,
        "energy": 0.01,
        "storage": 0.02,
        "egress": 0.02,
        "operations": 0.06,
        "porting": 0.05,
    }
    parts = tuple(
        CostPart(
            name,
            total_usd * share,
            "chips × hours × price",
            (("Hours", "766"), ("Price", "$6.20")),
            "price list",
            name == "idle",
        )
        for name, share in shares.items()
    )
    return Cost(
        Range(total_usd * 0.9, total_usd, total_usd * 1.15),
        parts,
        total_usd / 1.2e6,
        "1M tokens",
        total_usd / 2,
        total_usd,
    )


def flexibility(score: float) -> Flexibility:
    """A score made of four criteria, the last on estimates only."""
    value = score / 100
    criteria = tuple(
        CriterionScore(
            name,
            title,
            Range(value * 0.9, value, min(1, value * 1.1)),
            10,
            "min(1, n / 9)",
            (("Sellers", "5"),),
            "documented",
            "table",
            name == "exit_cost",
        )
        for name, title in CRITERIA
    )
    return Flexibility(Range(score - 7, score, score + 6), criteria, 120_000, 6)


def throughput(accelerator: Accelerator, row: tuple, serving: bool) -> Throughput:
    """A prediction for a row."""
    n_chips, days = row[6], row[7]
    speed = 1.2e12 / ((days - 4) * 86_400 * 0.945)
    latency = Latency(days * 10.0, days * 20.0, days, days * 1.5) if serving else None
    return Throughput(
        System(accelerator, n_chips, 8, 3200, False),
        True,
        (),
        Layout(dp=n_chips // 8, tp=8),
        Range(speed * 0.9, speed, speed * 1.1),
        speed / 8192,
        9.1,
        {"compute": 6.0, "memory": 0.5, "network": 1.6, "pipeline": 0.4, "input": 0.1, "host": 0.1, "overhead": 0.4},
        0.41,
        row[11],
        {"weights": 20.0, "gradients": 20.0, "optimizer": 15.0, "activations": 8.0},
        74.5,
        latency,
        row[10],
        "bf16",
        ("Attention in flash form",),
        (("Feed-forward", 800.0, 4.1e14), ("Attention", 60.0, 1.5e14)),
        load_curve() if latency else None,
    )


def load_curve() -> LoadCurve:
    """Four replicas that saturate at 5 requests/s each."""
    return LoadCurve(4, (1.0, 8.0, 64.0), (0.4, 2.0, 5.0), (0.012, 0.018, 0.05), 0.2, 0.1, 250.0, 16.0)


def result(row: tuple, rank: int, serving: bool = False) -> CandidateResult:
    """One candidate's result; rank 0 means rejected."""
    accelerator = chip(*row[:3])
    n_chips, days, usd, score = row[6], float(row[7]), row[8] * 1e6, row[9]
    candidate = Candidate(f"{accelerator.id}-{n_chips}", accelerator, offer(row), n_chips, n_chips // 8)
    reasons = () if rank else (Reason("deadline", "6 d past the deadline.", "Fits with 288 chips."),)
    finish = None if serving else Range(days * 0.9, days, days * 1.2)
    return CandidateResult(
        candidate,
        rank > 0,
        reasons,
        throughput(accelerator, row, serving),
        Range(700, 766, 850),
        finish,
        {"porting": 0.0, "waiting": 4.0, "run": days - 4},
        cost(usd),
        flexibility(score),
        Range(4e5, 5e5, 6e5),
        1e5,
        1 / (rank or 50),
        rank in (1, 2, 3, 4),
        rank,
        chance=chance(rank, usd) if rank else None,
    )


def chance(rank: int, usd: float) -> Chance:
    """Each half as often the best as the one before; the later, the more often late."""
    return Chance(0.97 - 0.05 * (rank - 1), 0.99 - 0.05 * (rank - 1), 0.98, None, 0.5**rank, 0.02 * rank * usd)


def recommendation(results: tuple[CandidateResult, ...]) -> Recommendation:
    """The first pick and its defence."""
    flip = FlipPoint("B200 price per chip hour", "$6.20", "$7.14", results[1].id)
    return Recommendation(
        results[0].id,
        results[1].id,
        "gpu",
        "strong",
        "medium",
        "Speed measured elsewhere",
        "256 × B200 fits this plan best",
        ("Meets the deadline with 24 days spare", "No porting"),
        ("One seller in the regions you allow",),
        (flip,),
        88.0,
    )


def sample_results(serving: bool = False, n_feasible: int = 8) -> ResultSet:
    """Eight options that fit and three that miss a limit, ranked."""
    job = OnlineServing() if serving else PreTraining(n_tokens=1.2e12)
    limits = Limits(budget_usd=3e6, deadline_days=60, start_date=date(2026, 12, 1))
    profile = Profile(id="sample", name="Pre-training 70B", job=job, limits=limits)
    results = tuple(result(row, rank + 1 if rank < n_feasible else 0, serving) for rank, row in enumerate(ROWS))
    rules = (AdviceRule("stability", "Stable code suits TPU", "tpu", "The model is stable", False),)
    return ResultSet(profile, "2026-11-01", "none", results, recommendation(results), rules, "2026-10-14")


def empty_results() -> ResultSet:
    """What is shown while too little is known."""
    nothing = Recommendation(None, None, "none", "soft", "low", "", "Fill in tokens to see a ranking", (), (), (), 0.0)
    return replace(sample_results(), results=(), recommendation=nothing, missing=("Tokens", "Deadline"))
