"""Builds the comparison plan: chosen pages, in a fixed order, for every workload that has results."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date

from core.catalogue.catalogue import Catalogue
from core.comparison.result import ResultSet
from core.plan.plan import Plan
from core.report.blocks import Document, Section
from core.report.masking import marked
from core.report.pages.advice import advice_page
from core.report.pages.budget import budget_page
from core.report.pages.candidates import candidates_page, map_page, rejected_page
from core.report.pages.cash import cash_page
from core.report.pages.context import PageContext
from core.report.pages.cost import cost_page
from core.report.pages.decision import decision_page
from core.report.pages.flexibility import flexibility_page
from core.report.pages.performance import performance_page, serving_page
from core.report.pages.phases import phases_pages
from core.report.pages.sources import calibration_page, sources_page
from core.report.pages.spot import spot_page
from core.report.pages.whole_plan import whole_plan_pages
from core.report.pages.workload import workload_page
from core.report.plan_hash import plan_hash

PAGES: dict[str, tuple[str, Callable[[PageContext], Section | None]]] = {
    "decision": ("Decision", decision_page),
    "workload": ("Workload", workload_page),
    "candidates": ("Candidates", candidates_page),
    "map": ("Decision map", map_page),
    "cost": ("Cost", cost_page),
    "cash": ("Cash over time", cash_page),
    "budget": ("Budget", budget_page),
    "performance": ("Performance", performance_page),
    "serving": ("Serving limits", serving_page),
    "flexibility": ("Flexibility", flexibility_page),
    "advice": ("Common advice", advice_page),
    "spot": ("Spot risk", spot_page),
    "rejected": ("Rejected options", rejected_page),
    "calibration": ("Calibration", calibration_page),
    "sources": ("Assumptions and sources", sources_page),
}

PRESETS: dict[str, tuple[str, ...]] = {
    "one-page": ("decision",),
    "finance": ("decision", "candidates", "cost", "cash", "flexibility", "spot", "rejected", "sources"),
    "engineering": (
        "decision",
        "workload",
        "candidates",
        "map",
        "performance",
        "serving",
        "advice",
        "spot",
        "rejected",
        "calibration",
        "sources",
    ),
    "full": tuple(PAGES),
}


def build(
    plan: Plan,
    results_by_profile: Mapping[str, ResultSet],
    catalogue: Catalogue,
    today: date,
    pages: Sequence[str] | None = None,
    scenario_id: str = "base",
) -> Document:
    """The document for a plan; ``pages`` are ids of :data:`PAGES` (all by default), unknown ones are left out.

    A plan of several workloads begins with what they come to together; one over time has its phases next, but for a
    paper of one page. A page that has nothing to say is left out.
    ``results_by_profile`` maps profile ids to results. Where public prices stand in for private ones it says so; that
    they do is for the caller to see to, with :func:`core.report.masking.handed_out`.
    """
    scenario = next((one.name for one in plan.scenarios if one.id == scenario_id), scenario_id)
    wanted = [page for page in PAGES if pages is None or page in pages]
    contexts = [
        PageContext(plan, results_by_profile[profile.id], catalogue, today, scenario)
        for profile in plan.profiles
        if profile.id in results_by_profile
    ]
    whole = whole_plan_pages(contexts, with_ways="candidates" in wanted) if "decision" in wanted else ()
    over_time = phases_pages(contexts) if "decision" in wanted and wanted != ["decision"] else ()
    sections = [section for context in contexts for section in _sections(context, wanted)]
    dated = f"{today.day} {today:%b %Y}, catalogue {catalogue.date}, plan {plan_hash(plan)}"
    document = Document(
        title=f"Roofplan comparison plan: {plan.name}",
        header=("Roofplan comparison plan", f"{plan.name}, scenario {scenario}"),
        footer=(_left(plan), f"{_rate(plan)}{dated}"),
        sections=(*whole, *over_time, *sections),
        keywords=tuple(profile.name for profile in plan.profiles),
    )
    return marked(document) if catalogue.is_masked else document


def _sections(context: PageContext, wanted: Sequence[str]) -> list[Section]:
    built = (PAGES[page][1](context) for page in wanted)
    return [section for section in built if section is not None]


def _rate(plan: Plan) -> str:
    """The typed rate, on every page with money that follows from it."""
    words = plan.currency.money.rate_words
    return f"{words}; " if words else ""


def _left(plan: Plan) -> str:
    return "Sample plan" if plan.is_sample else plan.name
