"""Ten thousand random profiles: on every candidate the parts add up to the total to the cent."""

from __future__ import annotations

import random

import numpy as np

from core.catalogue.loading import load_catalogue
from core.cost.bill.batch import CostBatch
from core.cost.registry import part_ids
from core.cost.total import bills
from core.workload.jobs.kinds import BatchInference, FineTuning, OnlineServing, PreTraining
from core.workload.places import Places
from core.workload.profile import Owning, Profile, Team

N_PROFILES = 10_000
CANDIDATES = 4
CATALOGUE = load_catalogue()
BY_PAYMENT = {
    paid: [offer for offer in CATALOGUE.offers if offer.purchase_model == paid]
    for paid in sorted({offer.purchase_model for offer in CATALOGUE.offers})
}
PROVIDERS = ("", "aws", "gcp", "azure", "lambda", "oci")


def some(dice: random.Random, low: float, high: float) -> float:
    """A number between two, even over its logarithm."""
    return float(np.exp(dice.uniform(np.log(low), np.log(high))))


def maybe(dice: random.Random, value: float) -> float | None:
    return value if dice.random() < 0.5 else None


def random_job(dice: random.Random) -> object:
    kind = dice.randrange(4)
    if kind < 2:
        return (PreTraining, FineTuning)[kind](
            n_tokens=some(dice, 1e6, 1e14),
            n_runs=dice.randint(1, 30),
            epochs=some(dice, 0.1, 50),
            dataset_gb=some(dice, 0.1, 1e7),
            storage=dice.choice(("object", "volume", "filesystem", "local")),
            checkpoints_kept=dice.randint(1, 20),
            checkpoint_interval_h=dice.choice((0.0, 0.5, 4.0)),
        )
    months = some(dice, 0.1, 100)
    if kind == 2:
        return BatchInference(
            requests_per_batch=some(dice, 1, 1e9), batches_per_month=some(dice, 0.1, 100), months=months
        )
    return OnlineServing(
        peak_requests_per_s=some(dice, 0.01, 1e5),
        mean_load_pct=dice.uniform(1, 100),
        autoscale=dice.random() < 0.5,
        months=months,
    )


def random_profile(dice: random.Random) -> Profile:
    team = Team(
        engineer_usd_per_week=dice.uniform(0, 20_000),
        delivery=dice.choice(("managed", "kubernetes", "bare_metal")),
        operations_h_per_month=maybe(dice, dice.uniform(0, 500)),
        pipeline_weeks=maybe(dice, dice.uniform(0, 20)),
        delay_usd_per_day=dice.choice((0.0, dice.uniform(0, 10_000))),
        support_plan=dice.choice(("none", "business")),
    )
    places = Places(
        commitment_reuse_pct=dice.uniform(0, 100),
        data_provider=dice.choice(PROVIDERS),
        data_region=dice.choice(("", "us-east-1", "us-central1")),
        egress_gb_per_month=dice.choice((0.0, some(dice, 1, 1e7))),
    )
    owning = Owning(
        site=dice.choice(("any", "us", "jp", "hk", "us-california")),
        life_years=maybe(dice, dice.uniform(0.5, 10)),
        resale_pct=maybe(dice, dice.uniform(0, 100)),
        pue=maybe(dice, dice.uniform(1, 3)),
    )
    return Profile(job=random_job(dice), team=team, places=places, owning=owning)


def random_span(dice: random.Random, low: float, high: float) -> list[float]:
    likely = some(dice, low, high)
    return [likely * dice.uniform(0.3, 1), likely, likely * dice.uniform(1, 3)]


def random_batch(dice: random.Random) -> CostBatch:
    offers = tuple(dice.choice(BY_PAYMENT[dice.choice(list(BY_PAYMENT))]) for _ in range(CANDIDATES))
    profile = random_profile(dice)
    longest_h = 8.0 if isinstance(profile.job, BatchInference) else 50_000.0
    run_h = np.array([random_span(dice, 0.01, longest_h) for _ in offers])
    return CostBatch(
        profile=profile,
        catalogue=CATALOGUE,
        offers=offers,
        accelerators=tuple(CATALOGUE.accelerator_by_id[offer.accelerator_id] for offer in offers),
        n_chips=np.array([float(dice.randint(1, 10_000)) for _ in offers]),
        run_h=run_h,
        waiting_days=np.array([random_span(dice, 0.01, 300) for _ in offers]),
        porting_weeks=np.array([random_span(dice, 0.01, 50) for _ in offers]),
        undisturbed_h=run_h * dice.uniform(0.1, 1) if dice.random() < 0.5 else None,
    )


def test_parts_add_up_to_the_total_to_the_cent_on_every_candidate() -> None:
    dice, n_checked, seen = random.Random(20261121), 0, set()
    for _ in range(N_PROFILES):
        found = bills(random_batch(dice))
        cents = np.array([np.round(found.cents[part] * 100) for part in part_ids()])
        assert (cents >= 0).all()
        assert np.array_equal(cents.sum(axis=0), np.round(found.likely_usd * 100))
        seen |= {part for part, row in zip(part_ids(), cents, strict=True) if row.any()}
        cost = found.costs[0]
        assert abs(sum(part.usd for part in cost.parts) - cost.total.likely) < 0.005 + 1e-9 * cost.total.likely
        assert cost.total.low <= cost.total.likely <= cost.total.high
        n_checked += CANDIDATES
    assert n_checked == N_PROFILES * CANDIDATES
    assert seen == set(part_ids())
