"""Cash over time of a candidate: lines for every way to pay, their terms, and what is said of them."""

from dataclasses import replace

import numpy as np
import pytest

from core.amounts import USD, Amount
from core.catalogue.catalogue import Catalogue
from core.catalogue.cost_inputs import cost_input
from core.catalogue.entries import Offer
from core.catalogue.todays_prices import todays_price
from core.comparison.evaluate import evaluate
from core.comparison.questions.cash import (
    CashPlan,
    _line,
    cash_plan,
    cash_terms,
    extra_staff_usd,
    plan_months,
    plan_use,
    rent_flow,
)
from core.comparison.questions.cash_words import buy_inputs, cash_sentences, way_words
from core.comparison.questions.explain import explanation
from core.comparison.questions.purchase_models import PurchaseVariant, purchase_variants
from core.comparison.result import CandidateResult, ResultSet
from core.cost.cash.buying import BuyTerms, buy_flow
from core.cost.cash.cash import settled_usd
from core.units import grouped, usd
from core.workload.jobs.kinds import BatchInference, OnlineServing, PreTraining
from core.workload.library import more_profiles
from core.workload.models.transformer import TransformerModel
from core.workload.profile import Limits, Outlook, Owning, Places, Profile

THREE_YEARS = Outlook(horizon_months=36, use_pct=100.0)
MODEL = TransformerModel(name="70B", n_layers=80, d_model=8192, n_heads=64, n_kv_heads=8, d_ff=28672)


@pytest.fixture(scope="module")
def trained(catalogue: Catalogue) -> ResultSet:
    return evaluate(Profile(job=PreTraining(n_tokens=1e12), model=MODEL, outlook=THREE_YEARS), catalogue)


def of_chip(results: ResultSet, chip: str, host_chips: int = 1) -> CandidateResult:
    """The one of a chip, on hosts of so many or more, that can be had and waits least beside its run."""
    of_all = [r for r in results.results if r.candidate.accelerator.id == chip and r.throughput.fits]
    fitting = [r for r in of_all if r.candidate.offer.chips_per_host >= host_chips]
    of_chip = [r for r in fitting if r.is_firm] or fitting
    return max(of_chip, key=lambda r: r.time_terms_days["run"] / (r.time_terms_days["waiting"] + 1e-9))


@pytest.fixture
def plan(trained: ResultSet) -> CashPlan:
    found = cash_plan(trained, of_chip(trained, "h100-sxm"))
    assert found is not None
    return found


TERMS = BuyTerms(
    n_servers=4,
    server_usd=300_000.0,
    install_share=0.1,
    life_months=48.0,
    resale_share=0.3,
    maintenance_share_per_year=0.05,
    power_kw=10.0,
    colocation_usd_per_kw_month=200.0,
    pue=1.5,
    usd_per_kwh=0.1,
    staff_usd_per_month=4_000.0,
    draw_kw=10.0,
)


def test_cash_of_buying_by_hand() -> None:
    """Four servers at 300 000: 1.2 M and 120 000 of installing at the start. A month: rooms 4 x 10 kW x 200 = 8 000,
    upkeep 5 % / 12 of 1.2 M = 5 000, people 4 000, energy 40 kW x 1.5 x 730 h x 0.1 = 4 380 at full use, of which
    idle chips take 30 %: 1 314."""
    flow = buy_flow(TERMS, 1.0)
    assert flow.upfront_usd == pytest.approx(1_320_000)
    assert flow.fixed_usd_per_month == pytest.approx(8_000 + 5_000 + 4_000 + 1_314)
    assert flow.monthly_usd == pytest.approx(8_000 + 5_000 + 4_000 + 4_380)
    assert buy_flow(TERMS, 0.0).monthly_usd == pytest.approx(18_314)
    assert float(settled_usd(flow, np.array([48.0]))[0]) == pytest.approx(1_320_000 + 48 * 21_380 - 0.3 * 1.2e6)


def test_rented_chips_are_given_back_and_committed_ones_are_not() -> None:
    """100 USD an hour: 73 000 a month at full use."""
    assert rent_flow(100.0, "on_demand", 0.4).monthly_usd == pytest.approx(29_200)
    assert rent_flow(100.0, "commit_1y", 0.4).monthly_usd == pytest.approx(73_000)
    assert [
        rent_flow(1.0, variant, 1.0).term_months for variant in ("commit_1y", "commit_3y", "dedicated_monthly")
    ] == [
        12,
        36,
        1,
    ]


def test_lines_cost_what_their_offers_ask(plan: CashPlan) -> None:
    for line in plan.lines:
        if not line.is_bought:
            full = plan.n_chips * line.variant.offer.usd_per_chip_hour * 730
            assert line.flow.fixed_usd_per_month + line.flow.used_usd_per_month == pytest.approx(full)


def test_buying_takes_whole_servers_at_the_catalogues_price(trained: ResultSet, catalogue: Catalogue) -> None:
    result = of_chip(trained, "h100-sxm")
    plan = cash_plan(trained, result)
    assert plan is not None and plan.buy is not None and plan.buy.terms is not None
    server = catalogue.server_by_instance["8x-h100-sxm-server"]
    assert plan.buy.terms.n_servers == -(-result.candidate.n_chips // 8)
    assert plan.buy.terms.server_usd == server.typical_usd
    assert plan.buy.low.upfront_usd < plan.buy.flow.upfront_usd < plan.buy.high.upfront_usd
    assert plan.buy.is_estimate and not plan.buy.variant.is_allowed


def test_people_beyond_those_of_rented_chips(catalogue: Catalogue) -> None:
    """For eight servers bare metal takes 16 + 16 hours a month and Kubernetes 8 + 8; at 4 500 a week of 40 hours that
    is 1 800 more."""
    assert extra_staff_usd(Profile(), catalogue, 8) == pytest.approx(1_800)
    bare = Profile().model_copy(update={"team": Profile().team.model_copy(update={"delivery": "bare_metal"})})
    assert extra_staff_usd(bare, catalogue, 8) == 0


@pytest.mark.parametrize(("n_tokens", "least"), [(1e11, 3), (2e13, 4)])
def test_horizon_and_use_follow_the_job(catalogue: Catalogue, n_tokens: float, least: int) -> None:
    """Weeks of a run are never drawn as years of all hours: its own hours are spread over the months it takes."""
    results = evaluate(Profile(job=PreTraining(n_tokens=n_tokens), model=MODEL), catalogue)
    result = of_chip(results, "h100-sxm")
    plan = cash_plan(results, result)
    assert plan is not None and plan.rent is not None
    horizon = plan.terms.horizon_months
    assert horizon >= least and horizon - 1 < max(plan.plan_months, 2.001) <= max(horizon, 3)
    assert plan.terms.use * horizon * 730 == pytest.approx(result.run_h.likely, rel=1e-6)
    paid = float(plan.paid_usd(plan.rent.flow)[-1])
    usd_per_hour = plan.rent.flow.used_usd_per_month / 730
    assert paid == pytest.approx(result.run_h.likely * usd_per_hour, rel=1e-6)


def test_the_horizon_of_a_service_is_its_months(catalogue: Catalogue) -> None:
    results = evaluate(Profile(job=OnlineServing(peak_requests_per_s=20, months=9), model=MODEL), catalogue)
    assert cash_terms(results, results.results[0]).horizon_months == 9


def test_terms_that_are_entered_and_usual_ones(plan: CashPlan, catalogue: Catalogue) -> None:
    assert plan.terms.horizon_months == 36
    assert plan.terms.capital_rate == cost_input(catalogue, "cost_of_capital").typical
    assert len(plan.months) == 37 and len(plan.paid_usd(plan.lines[0].flow)) == 38


def test_what_the_profile_enters_moves_the_cash(catalogue: Catalogue) -> None:
    owning = Owning(resale_pct=50.0, life_years=5.0, capital_pct_per_year=0.0, install_pct=0.0, staff_h_per_month=40.0)
    profile = Profile(job=PreTraining(n_tokens=1e12), model=MODEL, owning=owning, outlook=THREE_YEARS)
    results = evaluate(profile, catalogue)
    plan = cash_plan(results, of_chip(results, "h100-sxm"))
    assert plan is not None and plan.buy is not None and plan.buy.terms is not None
    terms = plan.buy.terms
    assert (terms.resale_share, terms.life_months, terms.install_usd) == (0.5, 60.0, 0.0)
    assert terms.staff_usd_per_month == 0 and plan.terms.capital_rate == 0
    paid = plan.paid_usd(plan.buy.flow)
    assert plan.present_usd(plan.buy)[1] == pytest.approx(paid[-1])
    assert paid[-2] - paid[-1] == pytest.approx(terms.price_usd * (1 - 0.5 * 36 / 60))


def test_horizon_and_use_that_are_entered_hold(catalogue: Catalogue) -> None:
    profile = Profile(job=PreTraining(n_tokens=1e12), model=MODEL, outlook=Outlook(horizon_months=24, use_pct=40.0))
    results = evaluate(profile, catalogue)
    plan = cash_plan(results, of_chip(results, "h100-sxm"))
    assert plan is not None and (plan.terms.horizon_months, plan.terms.use) == (24, 0.4)
    assert "292 of 730" in cash_sentences(results, of_chip(results, "h100-sxm"))[0]


def test_use_is_that_of_the_plan(trained: ResultSet, catalogue: Catalogue, make_result) -> None:
    h100 = of_chip(trained, "h100-sxm")
    assert plan_use(trained, h100, 12) == pytest.approx(h100.run_h.likely / 8760)
    batch = replace(trained, profile=Profile(job=BatchInference(batches_per_month=10.0)))
    hour = replace(make_result(), run_h=replace(make_result().run_h, likely=7.3))
    assert plan_use(batch, hour, 12) == pytest.approx(0.1)
    service = replace(trained, profile=Profile(job=OnlineServing()))
    assert plan_use(service, make_result(), 12) == 1.0
    for waiting in (3.0, 0.0):
        timed = replace(hour, time_terms_days={"waiting": waiting, "run": 7.3 / 24})
        share = pytest.approx(0.01)
        assert plan_use(trained, timed, 1) == share, "nobody holds or pays for chips that are not there yet"


def test_a_service_that_scales_needs_the_hours_of_its_load(catalogue: Catalogue) -> None:
    """On hosts of eight chips at 20 % mean load: held for far less than all hours."""
    job = OnlineServing(peak_requests_per_s=60, mean_load_pct=20, autoscale=True, traffic="office")
    results = evaluate(Profile(job=job, model=MODEL), catalogue)
    result = of_chip(results, "h100-sxm", host_chips=8)
    assert 0.2 <= plan_use(results, result, 12) < 0.7
    plan = cash_plan(results, result)
    assert plan is not None and plan.rent is not None
    assert plan.rent.flow.monthly_usd < 0.7 * plan.n_chips * plan.rent.variant.offer.usd_per_chip_hour * 730


def test_months_of_the_plan() -> None:
    assert plan_months(Profile(job=OnlineServing(months=9)), None) == 9  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def bank(catalogue: Catalogue) -> ResultSet:
    return evaluate(more_profiles()["bank-on-premises"], catalogue)


@pytest.fixture(scope="module")
def own_run(catalogue: Catalogue) -> ResultSet:
    """A run of a month on servers that come after more than half a year."""
    places = Places(purchase_models=("owned",), needed_places=("on_prem",), must_be_on_prem=True)
    limits = Limits(deadline_days=None)
    return evaluate(Profile(job=PreTraining(n_tokens=1e12), model=MODEL, places=places, limits=limits), catalogue)


@pytest.mark.parametrize("which", ["bank", "own_run"])
def test_buying_for_this_plan_alone_is_its_bill_without_capital_and_people(
    which: str, request: pytest.FixtureRequest
) -> None:
    """The same months, energy, rooms and worth as the bill; a run's waiting was held and paid for."""
    results: ResultSet = request.getfixturevalue(which)
    result = next(iter(results.best_feasible))
    plan = cash_plan(results, result)
    assert plan is not None and plan.buy is not None and plan.buy.terms is not None
    held = inputs_of_hardware(result)["Months held"]
    assert plan.plan_months == pytest.approx(held, rel=1e-6)
    flow = plan.buy.flow
    needed_h = plan.terms.use * plan.terms.horizon_months / plan.plan_months
    energy = plan.buy.terms.energy_usd(min(needed_h, 1.0)) * held
    assert energy == pytest.approx(result.cost.part("energy"), rel=0.01)
    paid = float(settled_usd(flow.at_use(min(needed_h, 1.0)), np.array([plan.plan_months]))[0])
    people = plan.buy.terms.staff_usd_per_month * plan.plan_months
    of_bill = sum(result.cost.part(part) for part in ("owning", "colocation", "energy")) - capital_usd(result)
    assert paid - people == pytest.approx(of_bill, rel=0.01)


def inputs_of_hardware(result: CandidateResult) -> dict[str, float]:
    [part] = [part for part in result.cost.parts if part.id == "owning"]
    return {name: amount.value for name, amount in part.inputs if isinstance(amount, Amount)}


def capital_usd(result: CandidateResult) -> float:
    """Cost of the mean money tied up, by hand."""
    known = inputs_of_hardware(result)
    paid = known["Price of a server"] * (1 + known["Network and installing"])
    tied_up = known["Servers"] * (paid + known["Worth at the end"]) / 2
    return tied_up * known["Cost of capital"] * known["Months held"] / 12


def test_a_service_pays_for_the_power_of_its_mean_load(bank: ResultSet) -> None:
    """Held all hours, at work in a quarter of them: 30 % and 70 % of 25 % of full power."""
    result = next(iter(bank.best_feasible))
    plan = cash_plan(bank, result)
    assert plan is not None and plan.buy is not None and plan.buy.terms is not None
    assert (plan.terms.use, plan.terms.work_share) == (1.0, 0.25)
    full = plan.buy.terms.energy_usd_per_month
    assert plan.buy.terms.energy_usd(1.0) == pytest.approx(full * (0.3 + 0.7 * 0.25))
    first = cash_sentences(bank, result)[0]
    assert "730 of 730" in first and "they work 25" in first
    half = replace(bank, profile=bank.profile.model_copy(update={"outlook": Outlook(use_pct=50.0)}))
    assert cash_terms(half, result).work_share == 0.25, "of fewer hours in use the chips work the same share"
    assert dict(buy_inputs(plan.buy))["Energy a month at this use"] == Amount(plan.buy.terms.energy_usd(1.0), USD)


def test_break_even_agrees_with_the_lines(plan: CashPlan) -> None:
    month, cash = plan.break_even_month(sold=True), plan.break_even_month(sold=False)
    assert plan.buy is not None and plan.rent is not None and month is not None and cash is not None
    assert month < cash
    at = np.array([month])
    rented = plan.rent.flow.monthly_usd * month
    assert float(settled_usd(plan.buy.flow, at)[0]) == pytest.approx(rented)


def test_sentences_tell_when_and_from_which_use_buying_pays(trained: ResultSet, plan: CashPlan) -> None:
    text = " ".join(cash_sentences(trained, of_chip(trained, "h100-sxm")))
    use = plan.break_even_use
    assert use is not None and f"{100 * use:.0f}" in text
    assert "if sold then at book value" in text and "by cash alone" in text and "This plan alone" in text


def test_a_tpu_cannot_be_bought_and_says_so(trained: ResultSet) -> None:
    tpu = of_chip(trained, "tpu-v6e")
    plan = cash_plan(trained, tpu)
    assert plan is not None and plan.buy is None and plan.break_even_use is None
    assert plan.break_even_month(sold=True) is None
    assert "cannot be bought" in " ".join(cash_sentences(trained, tpu))


def test_the_candidates_own_way_is_always_a_line(catalogue: Catalogue) -> None:
    places = Places(purchase_models=("spot",))
    results = evaluate(Profile(job=PreTraining(n_tokens=1e11), model=MODEL, places=places), catalogue)
    spot = next(r for r in results.results if r.feasible)
    plan = cash_plan(results, spot)
    assert plan is not None and plan.line("spot") is not None
    on_demand = plan.line("on_demand")
    assert on_demand is not None and "not allowed" in way_words(on_demand)


def test_each_line_opens_its_formula(trained: ResultSet, plan: CashPlan) -> None:
    result = of_chip(trained, "h100-sxm")
    bought, rented, term = (
        explanation(trained, result, f"cash:{variant}") for variant in ("owned", "on_demand", "commit_3y")
    )
    assert bought is not None and rented is not None and term is not None
    assert bought.estimate and "Servers" in dict(bought.inputs)
    assert dict(term.inputs)["Terms owed"] == "1 of 36 months"
    assert "Terms owed" not in dict(rented.inputs) and rented.source
    assert explanation(trained, result, "cash:nonsense") is None


def test_what_a_rented_line_rests_on(trained: ResultSet, plan: CashPlan) -> None:
    """Chips given back are paid for the hours needed, chips of a term for all 730; only a term tells what is owed."""
    for line in plan.lines:
        if line.is_bought:
            continue
        told = explanation(trained, of_chip(trained, "h100-sxm"), f"cash:{line.model}")
        assert told is not None
        inputs = {name: str(text) for name, text in told.inputs}
        hours = 730 if line.flow.term_months else plan.terms.hours_per_month
        assert inputs["Chips"] == grouped(plan.n_chips)
        assert inputs["Months"] == str(plan.terms.horizon_months) == "36"
        assert inputs["Hours a month"] == f"{hours:.0f}\u202fh"
        assert inputs["A month"] == usd(line.flow.monthly_usd)
        assert ("Terms owed" in inputs) is (line.flow.term_months > 0)
        assert ("Not allowed" in inputs) is not line.variant.is_allowed
        assert told.title == way_words(line)[0].upper() + way_words(line)[1:]
        assert ("cost inputs" in told.source) is False


def test_a_line_s_figure_is_what_it_costs_when_all_ends_after_its_months(trained: ResultSet, plan: CashPlan) -> None:
    for line in plan.lines:
        told = explanation(trained, of_chip(trained, "h100-sxm"), f"cash:{line.model}")
        assert told is not None and isinstance(told.value, Amount)
        settled = settled_usd(line.flow, np.array([float(plan.terms.horizon_months)]))[0]
        assert told.value.value == pytest.approx(settled)
        assert str(told.note).startswith(f"Over {plan.terms.horizon_months}") and "NPV" in str(told.note)


def test_whole_terms_are_owed(trained: ResultSet, plan: CashPlan) -> None:
    """36 months are three terms of a year and one of three years."""
    owed = {
        model: dict(told.inputs)["Terms owed"]
        for model in ("commit_1y", "commit_3y")
        if (told := explanation(trained, of_chip(trained, "h100-sxm"), f"cash:{model}"))
    }
    assert owed["commit_3y"] == "1 of 36 months"
    assert owed.get("commit_1y", "3 of 12 months") == "3 of 12 months"


def test_what_buying_rests_on(trained: ResultSet, plan: CashPlan) -> None:
    told = explanation(trained, of_chip(trained, "h100-sxm"), "cash:owned")
    assert told is not None and plan.buy is not None and plan.buy.terms is not None
    inputs, terms = {name: str(text) for name, text in told.inputs}, plan.buy.terms
    assert inputs["Servers"] == str(terms.n_servers)
    assert inputs["Worth after its life"] == f"{100 * terms.resale_share:.0f}\u202f% at {terms.life_months:.0f} months"
    assert inputs["Price of a server"] == usd(terms.server_usd)
    assert inputs["Extra staff a month"] == usd(terms.staff_usd_per_month)
    assert told.source.endswith("; cost inputs of the catalogue")
    assert told.title.startswith("Buy")


def test_results_put_together_by_hand_have_no_cash(trained: ResultSet) -> None:
    bare = replace(trained, basis=None)
    assert cash_plan(bare, of_chip(trained, "h100-sxm")) is None
    assert cash_sentences(bare, of_chip(trained, "h100-sxm")) == ()


def test_servers_in_the_house_are_kept_not_bought(trained: ResultSet, plan: CashPlan) -> None:
    assert plan.buy is not None and way_words(plan.buy).startswith("buy")
    assert way_words(replace(plan.buy, in_house=True)).startswith("keep own servers")


def test_a_horizon_beyond_the_life_of_servers_is_said(catalogue: Catalogue) -> None:
    for months, is_said in ((60, True), (36, False)):
        profile = Profile(job=PreTraining(n_tokens=1e12), model=MODEL, outlook=Outlook(horizon_months=months))
        results = evaluate(profile, catalogue)
        text = " ".join(cash_sentences(results, of_chip(results, "h100-sxm")))
        assert ("no new ones are counted" in text) is is_said


def test_doubtful_prices_of_renting_have_a_range_as_in_the_bill(trained: ResultSet) -> None:
    result = of_chip(trained, "h100-sxm")
    for quality, has_range in (("ok", False), ("secondary", True)):
        fresh = {"quality": quality, "estimate": False, "as_of": trained.catalogue_date}
        offer = result.candidate.offer.model_copy(update=fresh)
        own = next(variant for variant in purchase_variants(trained, result).values() if variant.offer.id == offer.id)
        line = _line(
            trained, result, cash_terms(trained, result), offer.purchase_model, with_offer(trained, own, offer)
        )
        assert line is not None and (line.low.monthly_usd < line.flow.monthly_usd < line.high.monthly_usd) is has_range


def with_offer(results: ResultSet, variant: PurchaseVariant, offer: Offer) -> PurchaseVariant:
    assert results.basis is not None
    price = todays_price(results.basis.catalogue, offer)
    return replace(variant, option=replace(variant.option, offer=offer, price=price))


def test_a_run_that_never_ends_is_drawn_for_a_century(trained: ResultSet) -> None:
    one = of_chip(trained, "h100-sxm")
    endless = replace(one, time_terms_days=one.time_terms_days | {"run": 1e25})
    entered = replace(trained, profile=trained.profile.model_copy(update={"outlook": Outlook()}))
    assert cash_terms(entered, endless).horizon_months == 1200
    assert cash_plan(entered, endless) is not None
