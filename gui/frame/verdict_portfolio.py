"""What the verdict strip says while the portfolio is on screen: the way to hold the chips that costs least."""

from __future__ import annotations

from core.comparison.over_time.words import percent
from core.comparison.portfolio.result import PortfolioAnswer, Scheme
from core.comparison.portfolio.words import headline, sure_words
from core.units import THIN, counted, grouped, usd
from gui.charts.figure.texts import money_scale
from gui.frame.verdict_text import Kpi, Verdict


def portfolio_verdict(answer: PortfolioAnswer) -> Verdict:
    """The strip for the best way; how sure it is is left out where there is no other."""
    best = answer.best
    n_workloads = sum(len(pool.uses) for pool in best.pools)
    facts = (("Portfolio,", counted(n_workloads, "workload")), (f"{counted(answer.calendar.n_days, 'day')}", ""))
    return Verdict(str(headline(answer)).removesuffix("."), facts, _kpis(answer, best), brief=best.title)


def _kpis(answer: PortfolioAnswer, best: Scheme) -> tuple[Kpi, ...]:
    cost = f"{money_scale(best.total.likely).range_text(best.total)}, 80{THIN}% range"
    chips = dict.fromkeys(pool.site.chip.short_name for pool in best.pools)
    kind = next(iter(chips)) if len(chips) == 1 else f"{len(chips)} kinds of chip"
    return (
        Kpi("cost", "Cost", usd(best.total.likely), cost),
        Kpi("finish", "Idle", str(percent(best.idle_share)), "of the hours paid"),
        Kpi("in-limits", "Chips at the peak", grouped(best.peak_chips), kind),
        *_sure(answer),
    )


def _sure(answer: PortfolioAnswer) -> tuple[Kpi, ...]:
    if answer.cheaper is None or not sure_words(answer):
        return ()
    return (Kpi("chance-best", "Stays cheaper", str(percent(answer.cheaper)), "of the draws"),)
