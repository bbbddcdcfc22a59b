"""Terms are found where they stand, families are told from the catalogue, the tour speaks in the plan's figures."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from core.catalogue.details.related import cheapest_on_demand, rented
from core.catalogue.loading import load_catalogue
from core.learning.families import family_pages, told_families
from core.learning.glossary import glossary, glossary_text, term_in
from core.learning.tour import STEPS
from core.plan.fields import fields
from core.plan.plan import Plan
from core.throughput.types import Reason
from core.workload.jobs.kinds import OnlineServing
from core.workload.profile import Profile
from core.workload.stack import Stack
from gui.tables.catalogue.columns import COLUMNS
from gui.tabs.registry import TABS
from tests.gui.sample_results import sample_results

PAGES = family_pages(load_catalogue(), Profile(stack=Stack(custom_kernels=3)))


@pytest.mark.parametrize(
    ("title", "term"),
    [
        ("TTFT limit", "TTFT"),
        ("Time in custom ops", "Custom ops"),
        ("Global batch", "Batch"),
        ("Prefix hits", "Prefix hits"),
        ("Weeks to port to TPU", "Porting"),
        ("MFU", "MFU"),
        ("Latent rank of KV", "Latent attention"),
        ("Weight of team fit", "Score weights"),
        ("Longest wait", "Wait for capacity"),
        ("Hostess", None),
        ("Name", None),
        ("", None),
    ],
)
def test_the_longest_term_of_a_title_is_explained(title: str, term: str | None) -> None:
    known = term_in(title)
    assert (known.term if known else None) == term


def test_terms_are_sentences_and_few_words() -> None:
    for one in glossary():
        assert one.words.endswith(".") and 40 < len(one.words) < 260, one.term
    assert len(glossary()) >= 50 and glossary_text().count("**") == 2 * len(glossary())


def test_what_people_are_asked_first_is_explained() -> None:
    """At least two thirds of the form's fields hold a term; the others are plain words."""
    plan = Plan(id="p", profiles=(Profile(), Profile(id="chat", name="Chat", job=OnlineServing())))
    titles = {info.title for info in fields(plan)}
    assert sum(term_in(title) is not None for title in titles) > 2 * len(titles) / 3


def test_each_family_has_its_chips_sellers_and_what_moving_takes() -> None:
    assert set(PAGES) == {"NVIDIA GPUs", "AMD GPUs", "Google TPUs", "Intel Gaudi", "AWS Trainium and Inferentia"}
    assert set(told_families()) == {"nvidia_gpu", "amd_gpu", "google_tpu", "intel_gaudi", "aws_neuron"}
    assert "| H100 SXM | 80 GB |" in PAGES["NVIDIA GPUs"]
    assert "runs there as it is" in PAGES["NVIDIA GPUs"]
    assert "kernels rewritten" in PAGES["Google TPUs"] and "(estimate)" in PAGES["Google TPUs"]


def test_memory_is_told_to_three_digits_and_what_nobody_rents_out_has_no_price() -> None:
    known = load_catalogue()
    odd = known.accelerators[0].model_copy(update={"memory_gb": 140.62, "bf16_tflops": None})
    pages = family_pages(replace(known, accelerators=(odd,), offers=()), None)
    assert f"| {odd.short_name} | 141 GB | – | none | – |" in "".join(pages.values())


def test_without_a_plan_nothing_is_said_of_moving() -> None:
    pages = family_pages(load_catalogue(), None)
    assert all("Open a plan" in text for text in pages.values())


def test_the_tour_goes_in_the_guides_order_through_tabs_that_are_there() -> None:
    assert [step.title for step in STEPS][:3] == [
        "Why GPUs are the default", "Where TPUs are strongest", "How to choose"
    ]  # fmt: skip
    assert {step.tab for step in STEPS} <= {tab.id for tab in TABS}


def test_the_tour_speaks_in_the_plan_s_figures() -> None:
    results = sample_results()
    told = [str(step.words(results)) for step in STEPS]
    gpu = next(r for r in results.best_per_accelerator if r.feasible and r.candidate.accelerator.kind == "gpu")
    assert gpu.candidate.name in told[0] and results.choice is not None
    assert results.choice.candidate.name in told[2]
    assert "$" in told[1]
    assert all(str(step.words(None)) for step in STEPS)


def test_the_tour_names_the_nearest_tpu_where_none_keeps_the_limits() -> None:
    results = sample_results()
    late = (Reason("deadline", "Ends 3 days late."),)
    missed = tuple(
        one if one.feasible and one.candidate.accelerator.kind == "gpu" else replace(one, feasible=False, reasons=late)
        for one in results.results
    )
    left = replace(results, results=missed)
    nearest = next(one for one in left.best_per_accelerator if one.candidate.accelerator.kind == "tpu")
    told = str(STEPS[1].words(left))
    assert told.endswith(f"Here none keeps all limits. The nearest, {nearest.candidate.name}: Ends 3 days late.")
    assert "costs" in str(STEPS[1].words(results)), "where one does, both are told"
    assert "flexibility of" not in str(STEPS[0].words(left))
    without = replace(results, results=tuple(one for one in missed if one.candidate.accelerator.kind != "tpu"))
    assert str(STEPS[1].words(without)).endswith("at a low price for steady use.")


def test_chips_cost_from_what_the_catalogue_s_list_says() -> None:
    """Of any way to pay the least was spot, $0.73 beside the list's $1.25."""
    known = load_catalogue()
    listed = {column.key: column for column in COLUMNS["accelerators"](known, date(2026, 11, 21))}["price"]
    chip = known.accelerator_by_id["h100-sxm"]
    [row] = [line for line in PAGES["NVIDIA GPUs"].splitlines() if line.startswith(f"| {chip.short_name} |")]
    assert row.endswith(f"| {listed.text(chip)} |") and "| On demand from, per chip hour |" in PAGES["NVIDIA GPUs"]
    spot = [offer for offer in rented(known, chip.id) if offer.purchase_model == "spot"]
    assert cheapest_on_demand(spot) is None
