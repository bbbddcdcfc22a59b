"""Batches made by hand: real chips, chosen prices and chosen inputs of cost."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import pytest

from core.catalogue.catalogue import Catalogue
from core.catalogue.entries import CostInput, Offer, Server
from core.catalogue.loading import load_catalogue
from core.cost.bill.batch import CostBatch
from core.workload.profile import Profile

MakeBatch = Callable[..., CostBatch]
PRICES = {
    ("egress_internet", "any"): (0.0, 0.05, 0.1),
    ("egress_internet", "aws"): (0.08, 0.1, 0.12),
    ("object_storage", "any"): (0.01, 0.02, 0.03),
    ("pue", "any"): (1.0, 1.5, 2.0),
    ("electricity", "any"): (0.05, 0.1, 0.2),
    ("egress_inter_region", "any"): (0.01, 0.02, 0.03),
    ("tiered_training_fs", "any"): (0.1, 0.2, 0.3),
    ("block_storage", "any"): (0.05, 0.1, 0.15),
    ("support_plan", "any"): (0.0, 0.05, 0.1),
    ("colocation", "any"): (150.0, 200.0, 250.0),
    ("capex_network_and_install", "any"): (0.1, 0.1, 0.1),
    ("residual_value", "any"): (0.2, 0.2, 0.2),
    ("cost_of_capital", "any"): (0.1, 0.1, 0.1),
    ("maintenance_contract", "any"): (0.05, 0.05, 0.05),
    ("lead_time", "any"): (4.0, 16.0, 44.0),
    ("operations_base", "managed"): (2, 4, 8),
    ("operations_base", "kubernetes"): (4, 8, 16),
    ("operations_base", "bare_metal"): (8, 16, 32),
    ("operations_per_node", "managed"): (0.1, 0.25, 0.5),
    ("operations_per_node", "kubernetes"): (0.5, 1, 2),
    ("operations_per_node", "bare_metal"): (1, 2, 4),
    ("operations_seller", "any"): (1, 1, 1),
    ("operations_seller", "marketplace"): (1, 1.5, 2.5),
    ("setting_up_base", "any"): (1, 2, 8),
    ("setting_up_per_node", "any"): (0.25, 0.5, 1),
    ("porting_effort", "model"): (1.0, 3.0, 6.0),
    ("porting_effort", "kernel"): (1.0, 2.0, 4.0),
}


@pytest.fixture(scope="session")
def priced() -> Catalogue:
    """The shipped chips with round prices that do not age, so that bills can be worked out on paper."""
    rows = tuple(
        CostInput(
            name=name,
            scope=scope,
            low=low,
            typical=typical,
            high=high,
            unit="USD",
            source="T",
            as_of="",
            estimate=False,
        )
        for (name, scope), (low, typical, high) in PRICES.items()
    )
    server = Server(
        instance="host",
        accelerator_id="h100-sxm",
        n_chips=8,
        low_usd=240_000.0,
        typical_usd=300_000.0,
        high_usd=360_000.0,
        power_kw=10.0,
        source="T",
        as_of="2026-11-21",
        estimate=False,
    )
    return replace(load_catalogue(), cost_inputs=rows, servers=(server,), price_history=(), price_spread=())


@pytest.fixture(scope="session")
def make_batch(priced: Catalogue) -> MakeBatch:
    """A function that makes a batch of one candidate, or of as many as ``n_chips`` has entries."""

    def make(
        profile: Profile,
        *,
        run_h: tuple[float, float, float] = (80.0, 100.0, 150.0),
        usd_per_chip_hour: float = 2.0,
        n_chips: Sequence[float] = (64.0,),
        purchase_model: str = "on_demand",
        provider: str = "gcp",
        accelerator: str = "h100-sxm",
        porting_weeks: tuple[float, float, float] = (0.0, 0.0, 0.0),
        waiting_days: float = 0.0,
        undisturbed_h: tuple[float, float, float] | None = None,
        region: str = "any",
    ) -> CostBatch:
        n = len(n_chips)
        chip = priced.accelerator_by_id[accelerator]
        return CostBatch(
            profile=profile,
            catalogue=priced,
            offers=(_offer(accelerator, provider, purchase_model, usd_per_chip_hour, region),) * n,
            accelerators=(chip,) * n,
            n_chips=np.array(n_chips, dtype=float),
            run_h=np.array([run_h] * n).reshape(-1, 3),
            waiting_days=np.full((n, 3), waiting_days),
            porting_weeks=np.array([porting_weeks] * n).reshape(-1, 3),
            undisturbed_h=None if undisturbed_h is None else np.array([undisturbed_h] * n),
        )

    return make


def _offer(accelerator: str, provider: str, purchase_model: str, usd: float, region: str) -> Offer:
    return Offer.model_validate(
        {
            "id": f"{provider}-{accelerator}-{purchase_model}",
            "provider": provider,
            "instance": "host",
            "accelerator_id": accelerator,
            "chips_per_host": 8,
            "region": region,
            "purchase_model": purchase_model,
            "usd_per_chip_hour": usd,
            "usd_per_host_hour": 8 * usd,
            "quality": "ok",
            "source": "T",
            "as_of": "2026-11",
            "estimate": False,
        }
    )
