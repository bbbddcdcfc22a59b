"""Builds the comparison plan: chosen pages, in a fixed order, for every workload that has results."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import date

from core.catalogue.catalogue import Catalogue
from core.comparison.result import ResultSet
from core.plan.plan import Plan
from core.report.blocks import Document, Paragraph, Section
from core.report.currency import rate_note
from core.report.masking import marked, with_note
from core.report.pages.advice import advice_pages
from core.report.pages.budget import budget_page
from core.report.pages.candidates import candidates_page, map_page, rejected_page
from core.report.pages.cash import cash_page
from core.report.pages.context import PageContext, PlanContext
from core.report.pages.cost import cost_page
from core.report.pages.finance.finance_page import finance_page, risk_page
from core.report.pages.flexibility import flexibility_page
from core.report.pages.inputs import inputs_page
from core.report.pages.over_time.actuals import actuals_pages
from core.report.pages.over_time.phases import phases_pages
from core.report.pages.over_time.portfolio import portfolio_pages
from core.report.pages.performance import performance_page, serving_page
from core.report.pages.sources import calibration_page, sources_page
from core.report.pages.spot import spot_page
from core.report.pages.sums import sums_page
from core.report.pages.whole_plan import plan_page, ways_page
from core.report.plan_hash import plan_hash
from core.report.price_notes import missing_book

OfPlan = Callable[[PlanContext], list[Section]]
OfWorkload = Callable[[PageContext], Section | None]


def _each(build_one: OfWorkload) -> OfPlan:
    """A page for each workload, with its name in the title where there are several."""

    def built(context: PlanContext) -> list[Section]:
        return _told_once(context, [(one, build_one(one)) for one in context.workloads])

    return built


def _told_once(context: PlanContext, pages: Sequence[tuple[PageContext, Section | None]]) -> list[Section]:
    """Those that have something to say, each with whose it is; what holds for all stands in the first."""
    named = [_named(section, one, context.is_shared) for one, section in pages if section]
    return [*named[:1], *map(_not_again, named[1:])]


def _not_again(section: Section) -> Section:
    """Without what the first of its kind has said for all."""
    told = tuple(one for one in section.blocks if not (isinstance(one, Paragraph) and one.once))
    return replace(section, blocks=told)


def _cost_pages(context: PlanContext) -> list[Section]:
    """Formulas of a pick stand where it is told how they add up, if that is asked for."""
    is_told = "sums" in context.wanted
    return _each(lambda one: cost_page(one, with_formulas=not is_told or one.pick is None))(context)


def _flexibility_pages(context: PlanContext) -> list[Section]:
    """What an early end loses is pointed to where the paper tells it."""
    return _each(lambda one: flexibility_page(one, "finance" in context.wanted))(context)


def _named(section: Section, context: PageContext, is_shared: bool) -> Section:
    return replace(section, title=f"{section.title}: {context.profile.name}") if is_shared else section


def _workload_pages(context: PlanContext) -> list[Section]:
    """Candidates of each workload with the decision map below, where that is asked for."""
    listed = enumerate(context.workloads, start=1)
    made = [candidates_page(one, number, len(context.workloads), "map" in context.wanted) for number, one in listed]
    return [section for section in made if section]


def _map_alone(context: PlanContext) -> list[Section]:
    """The maps, where the pages on which they usually stand are not asked for."""
    return [] if "candidates" in context.wanted else _each(map_page)(context)


PAGES: dict[str, tuple[str, OfPlan]] = {
    "decision": ("Decision", plan_page),
    "candidates": ("Each workload", _workload_pages),
    "map": ("Decision map", _map_alone),
    "finance": ("Cash and commitments", finance_page),
    "risk": ("Scenarios and risks", risk_page),
    "phases": ("Phases", lambda context: list(phases_pages(context.workloads))),
    "portfolio": ("Portfolio", lambda context: list(portfolio_pages(context.workloads))),
    "actuals": ("Actuals", lambda context: list(actuals_pages(context))),
    "ways": ("Other ways for all workloads", ways_page),
    "sums": ("How it adds up", sums_page),
    "cost": ("Cost", _cost_pages),
    "cash": ("Rent, commit or buy", _each(cash_page)),
    "budget": ("Budget", _each(budget_page)),
    "performance": ("Performance", _each(performance_page)),
    "serving": ("Serving limits", _each(serving_page)),
    "flexibility": ("Flexibility", _flexibility_pages),
    "advice": ("Common advice", lambda context: _told_once(context, advice_pages(context))),
    "spot": ("Spot risk", _each(spot_page)),
    "rejected": ("Rejected options", _each(rejected_page)),
    "calibration": ("Calibration", _each(calibration_page)),
    "workload": ("Notes and inputs", inputs_page),
    "sources": (
        "Assumptions and sources",
        lambda context: [sources_page(context.workloads)] if context.workloads else [],
    ),
}
"""Title and builder of each page, in the order of the paper."""

PRESETS: dict[str, tuple[str, ...]] = {
    "one-page": ("decision",),
    "finance": (
        "decision", "candidates", "map", "phases", "portfolio", "actuals", "finance", "risk", "sums", "cash", "sources",
    ),
    "engineering": (
        "decision", "candidates", "map", "phases", "performance", "serving", "advice", "spot", "rejected",
        "calibration", "workload", "sources",
    ),
    "full": tuple(PAGES),
}  # fmt: skip


def build(
    plan: Plan,
    results_by_profile: Mapping[str, ResultSet],
    catalogue: Catalogue,
    today: date,
    pages: Sequence[str] | None = None,
    scenario_id: str = "base",
    leaves_out_actuals: bool = False,
) -> Document:
    """The document for a plan; ``pages`` are ids of :data:`PAGES` (all by default), unknown ones are left out.

    It begins with the page to sign, of all workloads together. A page that has nothing to say is left out.
    ``results_by_profile`` maps profile ids to results. Where public prices stand in for private ones it says so; that
    they do is for the caller to see to, with :func:`core.report.masking.handed_out`.
    """
    scenario = next((one.name for one in plan.scenarios if one.id == scenario_id), scenario_id)
    context = PlanContext(
        plan=plan,
        workloads=_workloads(plan, results_by_profile, catalogue, today, scenario),
        original=results_by_profile,
        catalogue=catalogue,
        today=today,
        scenario_id=scenario_id,
        scenario_name=scenario,
        wanted=tuple(page for page in PAGES if pages is None or page in pages),
        leaves_out_actuals=leaves_out_actuals,
    )
    dated = f"{today.day} {today:%b %Y}, catalogue {catalogue.date}, plan {plan_hash(plan)}"
    document = Document(
        title=f"Roofplan comparison plan: {plan.name}",
        header=("Roofplan comparison plan", f"{plan.name}, scenario {scenario}"),
        footer=(_left(plan), f"{rate_note(plan)}{dated}"),
        sections=tuple(section for page in context.wanted for section in PAGES[page][1](context)),
        keywords=tuple(profile.name for profile in plan.profiles),
        paper=plan.report_paper,
    )
    lacking = missing_book(plan, catalogue)
    document = with_note(document, lacking) if lacking else document
    return marked(document) if catalogue.is_masked else document


def _workloads(
    plan: Plan, results_by_profile: Mapping[str, ResultSet], catalogue: Catalogue, today: date, scenario: str
) -> tuple[PageContext, ...]:
    known = (results_by_profile[one.id] for one in plan.profiles if one.id in results_by_profile)
    return tuple(_context(plan, results, catalogue, today, scenario) for results in known)


def _context(plan: Plan, results: ResultSet, catalogue: Catalogue, today: date, scenario: str) -> PageContext:
    """A workload as the paper tells it: with the option that its author chose in the place of the pick, if it meets
    every limit."""
    chosen = next((one.candidate_id for one in plan.choices if one.profile_id == results.profile.id), None)
    told = results.recommendation
    option = results.by_id.get(chosen or "")
    if option is None or not option.feasible or told.choice is None or option.id == told.choice:
        return PageContext(plan, results, catalogue, today, scenario)
    taken = replace(
        told, choice=option.id, runner_up=told.choice, headline="", reasons_for=(), reasons_against=(),
        would_change_it=(), leads=(), beats_runner_up=None, too_close=False,
    )  # fmt: skip
    return PageContext(plan, replace(results, recommendation=taken), catalogue, today, scenario, told.choice)


def _left(plan: Plan) -> str:
    return "Sample plan" if plan.is_sample else plan.name
