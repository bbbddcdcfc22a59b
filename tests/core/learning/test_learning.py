"""Terms are found where they stand, families are told from the catalogue, the tour speaks in the plan's figures."""

from __future__ import annotations

import pytest

from core.catalogue.loading import load_catalogue
from core.learning.families import family_pages, told_families
from core.learning.glossary import glossary, glossary_text, term_in
from core.learning.tour import STEPS
from core.plan.fields import fields
from core.plan.plan import Plan
from core.workload.jobs.kinds import OnlineServing
from core.workload.profile import Profile
from core.workload.stack import Stack
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
