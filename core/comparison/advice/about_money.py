"""Conditions of common advice about money and time: porting, work, sellers, commitments, what is paid apart."""

from __future__ import annotations

from core.amounts import PRICE_PER_CHIP_HOUR, USD, Amount, Counted, Sentence, Text, UsdSpan
from core.catalogue.providers import provider_name
from core.catalogue.sellers.papers import promise_of
from core.comparison.advice.conditions import Facts, condition
from core.comparison.result import CandidateResult
from core.units import counted

COMMITMENTS = ("commit_1y", "commit_3y")
KWH_PER_MWH = 1000.0


@condition
def porting_is_dear(facts: Facts) -> Text:
    """Porting makes up a large share of the best TPU option's bill; with the runs after which it is earned back."""
    best = facts.best("tpu")
    if best is None or not best.cost.total.likely:
        return ""
    port, total = best.cost.part("porting"), best.cost.total.likely
    if port < facts.thresholds["porting_share"] * total:
        return ""
    told = Sentence("Porting would cost {} of the {} of the best TPU option", Amount(port, USD), Amount(total, USD))
    earned = _earned_back(facts, best)
    return Sentence("{}; {}", told, earned) if earned else told


def _earned_back(facts: Facts, tpu: CandidateResult) -> Text:
    """After how many runs porting has paid: ``porting / (GPU run - TPU run)``; never where a TPU run saves nothing."""
    gpu, run = facts.fitting("gpu"), facts.training
    if gpu is None or run is None:
        return ""
    port = tpu.cost.part("porting")
    saved = (gpu.cost.total.likely - (tpu.cost.total.likely - port)) / run.n_rounds
    if saved <= 0:
        return "no run saves anything to earn it back"
    return Sentence("earned back after {}", Counted(max(port / saved, 1.0), "run", digits=2))


@condition
def needs_no_porting(facts: Facts) -> Text:
    """The code runs on the best TPU option as it is."""
    best = facts.fitting("tpu")
    if best is None or best.cost.part("porting") > 0:
        return ""
    return f"The code runs on {best.candidate.name} as it is"


@condition
def running_it_costs(facts: Facts) -> Text:
    """People who keep it running are a noticeable part of the bill."""
    return _share_of_bill(facts, "operations", "Keeping the best option running takes {} of its {}")


@condition
def cluster_needs_hands(facts: Facts) -> Text:
    """Many servers that the team runs itself."""
    pick = facts.pick
    if pick is None or facts.profile.team.delivery == "managed":
        return ""
    if pick.candidate.n_hosts < facts.thresholds["many_servers"]:
        return ""
    usd, servers = Amount(pick.cost.part("operations"), USD), Counted(pick.candidate.n_hosts, "server")
    return Sentence("The best option is {} that you run yourself, {} of work", servers, usd)


@condition
def gpu_has_more_sellers(facts: Facts) -> Text:
    """Several times as many sellers of GPUs as of TPUs among the options that fit."""
    sellers = {
        kind: {r.candidate.offer.provider for r in facts.ranked if r.candidate.accelerator.kind == kind}
        for kind in ("gpu", "tpu")
    }
    more = len(sellers["gpu"]) >= facts.thresholds["seller_ratio"] * max(1, len(sellers["tpu"]))
    return f"{counted(len(sellers['gpu']), 'seller')} of GPUs that fit, {len(sellers['tpu'])} of TPUs" if more else ""


@condition
def prices_differ(facts: Facts) -> Text:
    """Sellers of the same number of the same chip ask for quite different totals."""
    if facts.pick is None:
        return ""
    name = facts.pick.candidate.name
    totals = {one.candidate.offer.provider: one.cost.total.likely for one in facts.ranked if one.candidate.name == name}
    low, high = min(totals.values()), max(totals.values())
    if len(totals) < facts.thresholds["seller_ratio"] or high < facts.thresholds["price_spread"] * low:
        return ""
    return Sentence("{} costs {} at {}", name, UsdSpan(low, high), counted(len(totals), "seller"))


@condition
def pays_for_idle(facts: Facts) -> Text:
    """Serving with long idle times and no autoscaling."""
    job = facts.service
    if job is None or job.autoscale or job.mean_load_pct > facts.thresholds["bursty_mean_load_pct"]:
        return ""
    return Sentence("Mean load is {} and autoscaling is off", Amount(job.mean_load_pct, "%"))


@condition
def commitment_would_idle(facts: Facts) -> Text:
    """Commitments are allowed while the model still changes or the chips would often stand idle."""
    if not _may_commit(facts):
        return ""
    if facts.profile.stack.maturity == "exploring":
        return "Commitments are allowed while model code still changes"
    use = facts.service.mean_load_pct if facts.service else facts.profile.outlook.use_pct
    if use is None or use > facts.thresholds["bursty_mean_load_pct"]:
        return ""
    return Sentence("A commitment would be used {}", Amount(use, "%"))


@condition
def commitment_would_be_used(facts: Facts) -> Text:
    """Commitments are allowed, and a service would fill them for as long as they last."""
    job = facts.service
    if job is None or not _may_commit(facts) or job.months < facts.thresholds["commit_months"]:
        return ""
    if job.mean_load_pct < facts.thresholds["steady_mean_load_pct"]:
        return ""
    return Sentence("A commitment would be used {}", Amount(job.mean_load_pct, "%"))


def _may_commit(facts: Facts) -> bool:
    return any(one in facts.profile.places.purchase_models for one in COMMITMENTS)


@condition
def use_is_long_and_steady(facts: Facts) -> Text:
    """Years of serving at a steady load."""
    job = facts.service
    if job is None or job.months < facts.thresholds["buy_months"]:
        return ""
    steady = job.mean_load_pct >= facts.thresholds["steady_mean_load_pct"]
    months = Counted(job.months, "month", digits=3)
    return Sentence("{} at {} mean load", months, Amount(job.mean_load_pct, "%")) if steady else ""


@condition
def storage_counts(facts: Facts) -> Text:
    """Storage is a noticeable part of the bill."""
    return _share_of_bill(facts, "storage", "Storage takes {} of the {} of the best option")


@condition
def egress_counts(facts: Facts) -> Text:
    """Moving data is a noticeable part of the bill, or the data lies elsewhere."""
    pick, where = facts.pick, facts.profile.places.data_provider
    if pick is not None and where and pick.candidate.offer.provider != where:
        usd = Amount(pick.cost.part("egress"), USD)
        return Sentence("The data lies at {}: moving it and its output costs {}", provider_name(where), usd)
    return _share_of_bill(facts, "egress", "Moving data takes {} of the {} of the best option")


def _share_of_bill(facts: Facts, part: str, words: str) -> Text:
    if facts.pick is None or not facts.pick.cost.total.likely:
        return ""
    usd, total = facts.pick.cost.part(part), facts.pick.cost.total.likely
    return (
        Sentence(words, Amount(usd, USD), Amount(total, USD)) if usd >= facts.thresholds["part_share"] * total else ""
    )


@condition
def energy_is_large(facts: Facts) -> Text:
    """Much energy, or servers of one's own, whose power is paid for apart."""
    if facts.pick is None:
        return ""
    mwh = facts.pick.energy_kwh.likely / KWH_PER_MWH
    if mwh >= facts.thresholds["large_energy_mwh"]:
        return Sentence("The best option takes {} of power", Amount(mwh, "MWh"))
    own = "owned" in facts.profile.places.purchase_models
    return Sentence("Own servers are allowed, and the best option takes {} of power", Amount(mwh, "MWh")) if own else ""


@condition
def port_misses_deadline(facts: Facts) -> Text:
    """Porting alone takes a large part of the time to the deadline."""
    deadline, best = facts.profile.limits.deadline_days, facts.best("tpu")
    if deadline is None or best is None:
        return ""
    port = best.time_terms_days.get("porting", 0.0)
    if port <= deadline / 2:
        return ""
    return Sentence("Porting takes {} of the {}", Amount(port, digits=2), Counted(deadline, "day", digits=3))


@condition
def hourly_price_misleads(facts: Facts) -> Text:
    """The option with the least price an hour is not the one with the least total."""
    if not facts.ranked:
        return ""
    by_hour = min(facts.ranked, key=lambda one: one.candidate.offer.usd_per_chip_hour)
    in_all = min(facts.ranked, key=lambda one: one.cost.total.likely)
    more = by_hour.cost.total.likely - in_all.cost.total.likely
    if more < facts.thresholds["part_share"] * in_all.cost.total.likely:
        return ""
    price = Amount(by_hour.candidate.offer.usd_per_chip_hour, PRICE_PER_CHIP_HOUR)
    text = "{} has the lowest price, {}, and costs {} more in all than {}"
    return Sentence(text, by_hour.candidate.name, price, Amount(more, USD), in_all.candidate.name)


@condition
def wrong_size_is_dear(facts: Facts) -> Text:
    """More chips of the best option's kind keep the limits too, for twice the money and more."""
    if facts.pick is None:
        return ""
    chip, total = facts.pick.candidate.accelerator.id, facts.pick.cost.total.likely
    same = [one for one in facts.ranked if one.candidate.accelerator.id == chip]
    dearest = max(same, key=lambda one: one.cost.total.likely)
    more = dearest.candidate.n_chips > facts.pick.candidate.n_chips
    if not more or dearest.cost.total.likely < facts.thresholds["wasteful"] * total:
        return ""
    times = Amount(dearest.cost.total.likely / total, digits=2)
    return Sentence("{} would cost {} times as much as the best option", dearest.candidate.name, times)


@condition
def both_kinds_are_close(facts: Facts) -> Text:
    """The best GPU and the best TPU option cost about the same."""
    gpu, tpu = facts.fitting("gpu"), facts.fitting("tpu")
    if gpu is None or tpu is None:
        return ""
    less, more = sorted((gpu.cost.total.likely, tpu.cost.total.likely))
    if more > facts.thresholds["close_cost"] * less:
        return ""
    return Sentence("The best GPU and TPU options lie {} apart", Amount(more - less, USD))


@condition
def other_maker_is_best(facts: Facts) -> Text:
    """The best option is a GPU, or its like, of a maker other than NVIDIA."""
    chip = facts.pick.candidate.accelerator if facts.pick else None
    is_other = chip is not None and chip.kind != "tpu" and chip.vendor != "NVIDIA"
    return f"{chip.short_name} is made by {chip.vendor}" if chip is not None and is_other else ""


@condition
def pick_needs_porting(facts: Facts) -> Text:
    """The best option needs porting."""
    port = facts.pick.cost.part("porting") if facts.pick else 0.0
    return Sentence("The best option needs {} of porting before it runs", Amount(port, USD)) if port > 0 else ""


@condition
def seller_must_hold(facts: Facts) -> Text:
    """Users, or much money, depend on what one seller promises."""
    pick = facts.pick
    if pick is None or facts.catalogue is None or pick.candidate.offer.purchase_model == "owned":
        return ""
    if facts.service is None and pick.cost.total.likely < facts.thresholds["large_spend_usd"]:
        return ""
    name, promise = (
        provider_name(pick.candidate.offer.provider),
        promise_of(facts.catalogue, pick.candidate.offer.provider),
    )
    if promise is None:
        return f"What {name} promises of availability is not known"
    known = "" if promise.proved else ", not proved by a source"
    return Sentence("{} promises {} a month{}", name, Amount(promise.pct, "%", 6), known)
