"""When moving data is marked as an estimate: where the price of what is really moved is one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from core.cost.bill.batch import CostBatch
from core.cost.parts.egress import egress
from core.workload.jobs.kinds import PreTraining
from core.workload.profile import Places, Profile

MakeBatch = Callable[..., CostBatch]


def _marked(make_batch: MakeBatch, name: str, places: Places, provider: str, region: str = "any") -> bool:
    """Whether the line is marked when the input ``name`` is an estimate and no other."""
    batch = make_batch(Profile(job=PreTraining(dataset_gb=1000.0), places=places), provider=provider, region=region)
    rows = tuple(row.model_copy(update={"estimate": row.name == name}) for row in batch.catalogue.cost_inputs)
    return bool(egress(replace(batch, catalogue=replace(batch.catalogue, cost_inputs=rows))).estimates[0])


@pytest.mark.parametrize(("region", "marked"), [("eu-west-1", True), ("us-east-1", False), ("any", True)])
def test_crossing_regions_takes_the_mark_of_its_own_price(make_batch: MakeBatch, region: str, marked: bool) -> None:
    places = Places(data_provider="aws", data_region="us-east-1")
    assert _marked(make_batch, "egress_inter_region", places, "aws", region) is marked
    assert not _marked(make_batch, "egress_internet", places, "aws", region)


def test_without_a_region_of_the_data_nothing_crosses(make_batch: MakeBatch) -> None:
    assert not _marked(make_batch, "egress_inter_region", Places(data_provider="aws"), "aws", "eu-west-1")


@pytest.mark.parametrize(("provider", "marked"), [("gcp", True), ("lambda", False)])
def test_leaving_another_provider_takes_the_mark_of_its_price(
    make_batch: MakeBatch, provider: str, marked: bool
) -> None:
    """Lambda has no steps of its own, so that the general price counts; at Lambda itself nothing leaves."""
    places = Places(data_provider="lambda")
    assert _marked(make_batch, "egress_internet", places, provider) is marked
    assert not _marked(make_batch, "egress_inter_region", places, provider)
