"""The registry: each part declares itself, and a new one needs its file and nothing else."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from core.amounts import PRICE, Amount
from core.amounts import USD as DOLLARS
from core.catalogue.loading import load_catalogue
from core.comparison.as_json import to_json
from core.comparison.evaluate import evaluate
from core.comparison.questions.explain import explanation
from core.comparison.result import ResultSet
from core.cost.bill.batch import CostBatch
from core.cost.bill.types import Cost, CostPart
from core.cost.registry import by_part, component_by_part, components, part_ids, rent_parts, title_of, unused_parts
from core.cost.total import bills, lines_of
from core.cost.utilisation import fixed_share, use_in_plan
from core.plan.plan import Plan
from core.ranges import Range
from core.report.blocks import Table
from core.report.ledger import units_text
from core.report.pages.context import PageContext
from core.report.pages.cost import cost_page
from core.units import usd
from core.workload.jobs.kinds import PreTraining
from core.workload.library import load_profiles
from core.workload.profile import Profile, Team
from tests.new_part import USD, new_part

MakeBatch = Callable[..., CostBatch]
TODAY = date(2026, 11, 21)
WORKLOAD = "chat-serving-70b"


@pytest.fixture(scope="module")
def evaluated(tmp_path_factory: pytest.TempPathFactory) -> ResultSet:
    """A workload evaluated with a part that no other file names."""
    with new_part(tmp_path_factory.mktemp("parts")):
        return evaluate(load_profiles()[WORKLOAD], load_catalogue())


@pytest.fixture
def results(evaluated: ResultSet, tmp_path: Path) -> Iterator[ResultSet]:
    """Its results, while the part is known."""
    with new_part(tmp_path):
        yield evaluated


def test_shipped_parts_stand_in_the_order_of_the_bill() -> None:
    assert part_ids()[:4] == ("compute", "commitment_waste", "idle", "interruptions")
    assert len(part_ids()) == 15
    assert all(one.title for one in components())
    assert all(re.fullmatch("#[0-9A-F]{6}", name) for one in components() for name in one.colour)


def test_what_no_part_is_called_has_no_title() -> None:
    with pytest.raises(KeyError):
        title_of("insurance")


def test_two_parts_of_one_order_or_one_id_are_refused_by_name() -> None:
    energy, storage = (component_by_part()[part] for part in ("energy", "storage"))
    with pytest.raises(ValueError, match=f"'Energy' and 'Storage' have the order {energy.order}"):
        by_part([storage, energy, replace(storage, order=energy.order)][1:])
    with pytest.raises(ValueError, match="'Storage' and 'Drives' are the part 'storage'"):
        by_part([replace(storage, title="Drives", order=storage.order + 1), storage])


def test_a_part_that_nothing_counts_is_refused() -> None:
    with pytest.raises(ValueError, match="'storage' of the bill needs one of"):
        replace(component_by_part()["storage"], count=None)
    with pytest.raises(ValueError, match="'support' of the bill cannot be rent"):
        replace(component_by_part()["support"], is_rent=True)


def test_a_file_that_takes_the_order_of_another_part_is_refused(tmp_path: Path) -> None:
    with new_part(tmp_path, order=10), pytest.raises(ValueError, match="'Compute' and 'Insurance'"):
        component_by_part()


def test_a_new_part_stands_in_every_bill_at_its_place(results: ResultSet) -> None:
    assert part_ids().index("insurance") == part_ids().index("energy") + 1
    for result in results.results[:20]:
        assert result.cost.part("insurance") == USD
        assert sum(part.usd for part in result.cost.parts) == pytest.approx(result.cost.total.likely)
        order = [part.id for part in result.cost.parts]
        assert order == [part for part in part_ids() if part in order]


def test_a_new_part_stands_in_json(results: ResultSet) -> None:
    told = to_json(results, top=1)["candidates"][0]["cost_usd"]
    assert told["parts"]["insurance"] == USD
    assert told["likely"] == pytest.approx(sum(told["parts"].values()))


def test_a_new_part_is_explained(results: ResultSet) -> None:
    assert results.choice is not None
    told = explanation(results, results.choice, "part:insurance")
    assert told is not None and (told.title, told.value, told.formula) == (
        "Insurance",
        Amount(USD, DOLLARS),
        "the premium",
    )
    assert told.inputs == (("Premium", Amount(USD, PRICE, 4)),) and told.estimate


def test_a_new_part_stands_on_the_cost_page(results: ResultSet) -> None:
    plan = Plan(id="p", name="P", profiles=(results.profile,))
    section = cost_page(PageContext(plan, results, load_catalogue(), TODAY, "Base"))
    assert section is not None
    values, formulas = (
        next(block for block in section.blocks if isinstance(block, Table) and block.columns[0].title == title)
        for title in ("Candidate, $ thousand", "Part")
    )
    column = [one.title for one in values.columns].index("Insurance")
    assert {row[column].text for row in values.rows} == {units_text(round(USD / 1000))}
    assert ["Insurance", usd(USD), "the premium"] in [[cell.text for cell in row[:3]] for row in formulas.rows]


def test_a_new_part_of_the_rent_counts_as_rent_everywhere(make_batch: MakeBatch, tmp_path: Path) -> None:
    profile = Profile(job=PreTraining(), team=Team(support_plan="business"))
    batch = make_batch(profile, provider="lambda")
    before = lines_of(batch)["support"].usd
    with new_part(tmp_path, "is_rent=True, is_unused=True,"):
        assert rent_parts()[-1] == "insurance" and "insurance" in unused_parts()
        assert lines_of(batch)["support"].usd[0, 1] == pytest.approx(before[0, 1] + 0.05 * USD)
        (cost,) = bills(batch).costs
        rent_usd = sum(cost.part(part) for part in rent_parts())
        assert use_in_plan(cost) == pytest.approx(cost.part("compute") / rent_usd)


def test_a_new_part_that_is_done_once_adds_nothing_to_an_experiment(make_batch: MakeBatch, tmp_path: Path) -> None:
    batch = make_batch(Profile(job=PreTraining()))
    (plain,) = bills(batch).costs
    with new_part(tmp_path, "is_one_off=True,"):
        (cost,) = bills(batch).costs
    assert cost.total.likely == pytest.approx(plain.total.likely + USD)
    assert cost.per_experiment_usd == pytest.approx(plain.per_experiment_usd)


@pytest.mark.parametrize(
    ("follows", "committed", "by_use"), [("always", 0.7, 0.1), ("paid_by_use", 0.9, 0.1), ("never", 0.9, 0.3)]
)
def test_a_new_part_follows_use_as_it_says(tmp_path: Path, follows: str, committed: float, by_use: float) -> None:
    """Of 100: compute 60, falls where paid by use; porting 10, never; the part 20; egress 10, always."""
    amounts = {"compute": 60.0, "egress": 10.0, "porting": 10.0, "insurance": 20.0}
    parts = tuple(CostPart(part, amount, "", (), "", False) for part, amount in amounts.items())
    cost = Cost(Range(100.0, 100.0, 100.0), parts, 2.0, "1M tokens", 100.0, 100.0)
    with new_part(tmp_path, f'follows_use="{follows}",'):
        assert [fixed_share(cost, True), fixed_share(cost, False)] == pytest.approx([committed, by_use])
