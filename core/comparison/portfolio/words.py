"""A portfolio in words: its headline, the table of ways, what stands behind each, the same on screen and on paper."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from core.amounts import USD, Amount, Counted, Sentence, Text, UsdSpan, whole
from core.catalogue.providers import provider_name
from core.comparison.over_time.words import Cell, Chapter, Line, Story, percent
from core.comparison.portfolio.printed import printed_cash
from core.comparison.portfolio.result import Pool, PortfolioAnswer, Rate, Scheme
from core.comparison.portfolio.schemes import first_of
from core.comparison.portfolio.uses import support_share
from core.comparison.result import name_of
from core.comparison.together.plan_answer import added_up, as_printed, last_digit
from core.constants import HOURS_PER_DAY
from core.cost.parts.hardware import hardware_split
from core.ranges import Range
from core.units import DASH, counted, rounded
from core.workload.profile import PURCHASE_WORDS

EVEN = (0.4, 0.6)
"""Shares of draws between which one way is about as likely the cheaper as the other."""


def headline(answer: PortfolioAnswer) -> Text:
    """Which way costs least of those that can be signed, and by how much less than the next one."""
    best, other = answer.best, answer.next_best
    name = _named(best)
    if other is None:
        return Sentence("{}: {}.", name, _usd(best.total.likely))
    gap = _usd(other.total.likely - best.total.likely)
    if costs_same(best, other):
        return Sentence("{} and {}: the same cost, {}.", name, _lower(other), _usd(best.total.likely))
    if is_even(answer):
        return Sentence("{}: {} below {}, too close to call.", name, gap, _lower(other))
    return Sentence("{}: {} below {}.", name, gap, _lower(other))


def sure_words(answer: PortfolioAnswer) -> Text:
    """``Cheaper than each on its own pick in 87 % of the draws``; empty without another way, and for one that costs the
    same: draws tell apart what nobody can read."""
    other = answer.next_best
    if other is None or answer.cheaper is None or costs_same(answer.best, other):
        return ""
    return Sentence("Cheaper than {} in {} of the draws", _lower(other), percent(answer.cheaper))


def costs_same(one: Scheme, other: Scheme) -> bool:
    """True for ways whose costs are printed alike."""
    return as_printed(one.total.likely) == as_printed(other.total.likely)


def is_even(answer: PortfolioAnswer) -> bool:
    """True where the best way and the next one are about as likely the cheaper, or cost the same as printed."""
    best, other = answer.best, answer.next_best
    if other is None or answer.cheaper is None:
        return False
    return costs_same(best, other) or EVEN[0] <= answer.cheaper <= EVEN[1]


def _named(scheme: Scheme) -> Text:
    """``One pool of 11 × B300, all on demand``; ``Each on its own pick``."""
    if scheme.id != "base":
        return scheme.title
    pool = scheme.pools[0]
    if not pool.account.base_chips:
        return Sentence("One pool of {} at {}, all {}", pool.chips_name, pool.site.place, _way(pool.burst))
    base = Sentence("One pool of {} at {}", name_of(pool.site.chip, pool.account.base_chips), pool.site.place)
    if pool.burst is None:
        return Sentence("{}, all {}", base, _way(pool.base))
    return Sentence("{}, {}, the rest {}", base, _way(pool.base), _way(pool.burst))


def _way(rate: Rate | None) -> str:
    return PURCHASE_WORDS[rate.way] if rate else "on demand"


def _lower(scheme: Scheme) -> str:
    return scheme.title[:1].lower() + scheme.title[1:]


def table(answer: PortfolioAnswer) -> tuple[tuple[str, tuple[Cell, ...]], ...]:
    """The ways beside each other, row by row, in the order of ``answer.schemes``."""
    ways = answer.schemes
    rows = [
        ("Total cost", [Cell(_usd(one.total.likely), _span(one.total)) for one in ways]),
        ("Rent of chips", [Cell(_usd(sum(printed_cash(one).of_parts[:3])), _owned_words(one)) for one in ways]),
        ("All else", [Cell(_all_else(one), "people, storage") for one in ways]),
        ("Chips at the peak", [_peak(one) for one in ways]),
        ("Held all the time", [_committed(one) for one in ways]),
        ("Idle", [Cell(_share(one.idle_share), _usd(printed_cash(one).of_parts[1])) for one in ways]),
        ("Work without a chip", [_unmet(one) for one in ways]) if any(one.unmet_h >= 1.0 for one in ways) else None,
        ("Can be signed", [_signed(one) for one in ways]),
    ]
    return tuple((row[0], tuple(row[1])) for row in rows if row is not None)


def _owned_words(scheme: Scheme) -> str:
    """What counts with rent where chips are owned."""
    return (
        "and own hardware" if any(pool.base is not None and pool.base.way == "owned" for pool in scheme.pools) else ""
    )


def _rent(scheme: Scheme) -> float:
    return sum(one.base_used_usd + one.idle_usd + one.burst_usd for one in scheme.months)


def _all_else(scheme: Scheme) -> Text:
    """What is not rent; where it is less than the last digit of the total, that it is less."""
    printed = printed_cash(scheme).of_parts[3]
    least = last_digit(as_printed(scheme.total.likely))
    is_told = printed > 0 or not any(one.other_usd > 0 for one in scheme.quarters)
    return _usd(printed) if is_told else Sentence("under {}", _usd(least))


def _peak(scheme: Scheme) -> Cell:
    chips = dict.fromkeys(pool.site.chip.short_name for pool in scheme.pools)
    return Cell(whole(scheme.peak_chips), next(iter(chips)) if len(chips) == 1 else f"{len(chips)} kinds of chip")


def _committed(scheme: Scheme) -> Cell:
    held = [pool for pool in scheme.pools if pool.account.base_chips]
    if not held:
        return Cell(DASH, "nothing")
    ways = dict.fromkeys(_way(pool.base) for pool in held)
    return Cell(whole(sum(pool.account.base_chips for pool in held)), ", ".join(ways))


def _unmet(scheme: Scheme) -> Cell:
    if scheme.unmet_h < 1.0:
        return Cell(DASH, "none")
    return Cell(Sentence("{} chip h", whole(scheme.unmet_h)), _above(scheme), "err")


def _above(scheme: Scheme) -> Text:
    return Sentence("in {} h of the clock", whole(sum(pool.account.above_h for pool in scheme.pools)))


def _signed(scheme: Scheme) -> Cell:
    return Cell("yes", scheme.having) if scheme.can_be_signed else Cell("no", scheme.lacks, "err")


def story(answer: PortfolioAnswer, scheme: Scheme) -> Story:
    """What stands behind a way: use, cost, what speaks for it and against it, what would change it."""
    pool = scheme.pools[0]
    place = Sentence("{}, {}", pool.site.place, pool.site.chip.short_name) if scheme.id not in ("own",) else ""
    told = [_use(scheme, answer), _cost(scheme), *_arguments(answer, scheme)]
    return Story(f"portfolio:{scheme.id}", scheme.title, place, tuple(one for one in told if one.lines))


def _use(scheme: Scheme, answer: PortfolioAnswer) -> Chapter:
    hours = HOURS_PER_DAY * answer.calendar.n_days
    lines = [
        Line("At work, mean", _number(sum(pool.account.at_work for pool in scheme.pools))),
        Line("Needed at most", whole(scheme.peak_chips)),
        Line("Paid chip hours that idle", _share(scheme.idle_share)),
    ]
    above = sum(pool.account.above_h for pool in scheme.pools if pool.account.base_chips)
    if above >= 1.0:
        lines.append(Line("Hours above the base", Sentence("{} of {}", whole(above), whole(hours))))
    return Chapter("Use", Counted(answer.calendar.n_days, "day"), tuple(lines))


def _cost(scheme: Scheme) -> Chapter:
    """What is paid, in steps of the last digit of the total as printed, so that lines add up to it."""
    rents = [one for pool in scheme.pools for one in _rents(pool, len(scheme.pools) > 1)]
    cash, total = printed_cash(scheme), as_printed(scheme.total.likely)
    others = list(_others(scheme))
    parts = (
        *added_up([usd for _, usd in rents], sum(cash.of_parts[:3]), last_digit(total)),
        *added_up([usd for _, usd in others], cash.of_parts[3], last_digit(total)),
    )
    told = [words for words, _ in (*rents, *others)]
    lines = [Line(words, _usd(usd), "+") for words, usd in zip(told, parts, strict=True) if usd > 0]
    idle = Line("of which idle", _usd(cash.of_parts[1]), "", "small")
    return Chapter("Cost", _span(scheme.total), (*lines, Line("All", _usd(total), "=", "total"), idle))


def _rents(pool: Pool, is_named: bool) -> Iterator[tuple[Text, float]]:
    own = pool.account
    for rate, hours, usd in ((pool.base, own.base_paid_h, own.base_usd), (pool.burst, own.burst_paid_h, own.burst_usd)):
        if rate is not None and hours > 0:
            price = Amount(rate.usd_per_chip_hour.likely, "USD each")
            told = Sentence("{} chip h {} × {}", whole(hours), _way(rate), price)
            yield Sentence("{}: {}", pool.name, told) if is_named else told, usd


def _others(scheme: Scheme) -> Iterator[tuple[Text, float]]:
    """What is not rent: of the workloads' bills, and what they pay together where they run apart."""
    apart = scheme.apart
    bills = sum(one.other_usd for one in scheme.months) - apart.likely_usd
    yield "People, storage, egress and more", max(bills, 0.0)
    for move in apart.moving:
        yield Sentence("Weights of {} moved to {}, an estimate", move.model, move.buyer), move.usd
    for one in apart.upkeep:
        yield Sentence("Software of {} kept up beside that of {}, an estimate", one.software, one.beside), one.usd


def _arguments(answer: PortfolioAnswer, scheme: Scheme) -> Iterator[Chapter]:
    yield Chapter("For", "", tuple(Line(one, "", "+", "good") for one in reasons_for(answer, scheme)))
    yield Chapter("Against", "", tuple(Line(one, "", "\u2212", "err") for one in reasons_against(answer, scheme)))
    if scheme is answer.best:
        yield Chapter("What would change it", "", tuple(_changes(answer)))


def reasons_for(answer: PortfolioAnswer, scheme: Scheme) -> Iterator[Text]:
    """What speaks for a way."""
    if scheme is answer.best and sure_words(answer) and not is_even(answer):
        yield sure_words(answer)
    packing, split = answer.packing, answer.scheme("split")
    if scheme.id == "base" and split is not None and split.total.likely > scheme.total.likely:
        yield Sentence("The same chips in split pools cost {}", _usd(split.total.likely))
    if scheme.id in ("base", "peak", "shared"):
        if packing is not None and packing.n_chips < packing.n_alone:
            yield packing_words(answer)
        for use in answer.one_pool.uses:
            if use.start_hour is not None:
                yield Sentence("{} runs in quiet hours, from {}", use.name, f"{use.start_hour:02}:00")
    if scheme.id == "own":
        yield "Each work has the chip that suits it; nothing to schedule between them"


def packing_words(answer: PortfolioAnswer) -> Text:
    """``4 small models need 1 chip, not 4``; that none share one where that is so; empty below two of them."""
    packing = answer.packing
    if packing is None or len(packing.workloads) < 2:
        return ""
    models = counted(len(packing.workloads), "small model")
    if packing.n_chips >= packing.n_alone:
        return Sentence("{}: no two of them fit on one chip", models)
    return Sentence("{} need {}, not {}", models, Counted(packing.n_chips, "chip"), whole(packing.n_alone))


def reasons_against(answer: PortfolioAnswer, scheme: Scheme) -> Iterator[Text]:
    """What speaks against a way."""
    yield from scheme.held_back
    if scheme is answer.best and is_even(answer) and sure_words(answer):
        yield sure_words(answer)
    if scheme.id != "own" and answer.outside:
        yield Sentence("Outside the pool: {}", ", ".join(name for name, _ in answer.outside))
    sellers = dict.fromkeys(pool.site.provider for pool in scheme.pools)
    if len(sellers) == 1:
        yield Sentence("One seller, {}, holds all", provider_name(next(iter(sellers))))
    if scheme.id in ("base", "peak", "shared"):
        yield from _against_sharing(answer, scheme)
    if scheme.id == "own" and len(scheme.pools) > 1:
        kinds = len(dict.fromkeys(pool.site.chip.id for pool in scheme.pools))
        yield Sentence(
            "{} and {} to look after", Counted(kinds, "kind of chip", "kinds of chip"), Counted(len(sellers), "seller")
        )


def _against_sharing(answer: PortfolioAnswer, scheme: Scheme) -> Iterator[Text]:
    pool = scheme.pools[0]
    lent = [
        use.name
        for use in pool.uses
        if not use.is_packed and np.any(use.at_work < use.kept) and use.profile.job.service is not None
    ]
    if any(use.start_hour is not None or use.profile.job.ends for use in pool.uses) and lent:
        yield "Services lend chips in quiet hours: a scheduler must move their replicas"
    if answer.packing is not None and any(len(chip.items) > 1 for chip in answer.packing.chips):
        yield "Models that take turns on a chip: no published run shows their speed together"
    if pool.burst is not None and pool.burst.way == "spot":
        yield "Spot chips are taken back at times: work that is lost then is not counted here"
    if pool.burst is not None and pool.burst.status == "plausible":
        above = pool.peak_chips - pool.account.base_chips
        yield Sentence("{} {} at once are plausible, not attested", Counted(above, "chip"), _way(pool.burst))


def _changes(answer: PortfolioAnswer) -> Iterator[Line]:
    """How far the best way's rent, or people's work for it, may rise before the next one costs less."""
    best, other = answer.best, answer.next_best
    if other is None or other.total.likely <= best.total.likely:
        return
    gap, rent = other.total.likely - best.total.likely, _rent(best)
    if rent > 0:
        yield Line("Its rent, up by", Sentence("{}", whole(rounded(100.0 * gap / rent, 2), "%")))
    yield Line("More work of people for it", _usd(gap))


def base_words(answer: PortfolioAnswer) -> Text:
    """What the curve says: the base that costs least, and which ones cost hardly more."""
    curve, pool = answer.curve, answer.one_pool
    if not any(rate.way not in ("on_demand", "spot") for rate in pool.site.rates.values()):
        return Sentence("{} lets no {} by the term here: nothing to commit", pool.site.place, pool.site.chip.short_name)
    fewest, most = curve.within
    least = int(curve.base_chips[curve.least])
    spread = Sentence("; {} to {} cost at most 3 % more", whole(fewest), whole(most)) if most > fewest else ""
    return Sentence("A base of {} costs least, {}{}", whole(least), _usd(float(curve.likely_usd[curve.least])), spread)


def notes(answer: PortfolioAnswer) -> tuple[Text, ...]:
    """What a reader must know beside the figures."""
    told = *_left_out(answer), *_by_hand(answer), *_at_any_time(answer), *answer.notes
    return (*told, *_of_capital(answer), *_beside_plan(answer))


def _of_capital(answer: PortfolioAnswer) -> Iterator[Text]:
    """What stands among the cash of a service's own hardware and is paid to nobody."""
    own = answer.scheme("own")
    uses = [use for pool in own.pools if pool.base and pool.base.way == "owned" for use in pool.uses] if own else []
    usd = sum(hardware_split(use.result.cost.parts).capital_usd for use in uses)
    if usd > 0:
        yield Sentence("Cash of chips that are owned holds their cost of capital, {} in all, due to nobody", _usd(usd))


def _left_out(answer: PortfolioAnswer) -> Iterator[Text]:
    for name, why in answer.outside:
        yield Sentence("{} stands on its own pick: {}", name, why)
    for name, why in answer.unanswered:
        yield Sentence("{} is not counted: {}", name, why)


def _at_any_time(answer: PortfolioAnswer) -> Iterator[Text]:
    """Services that need more at times than a picture of a mean day at the likely speed shows."""
    names = [one.name for one in answer.bands if one.at_busiest > max(one.chips, default=0)]
    if names:
        words = "Chips at the peak carry the busiest hour of {}, whenever it comes and where it turns out slow"
        yield Sentence(f"{words}; the picture shows a mean day at the likely speed", first_of(names))


def _by_hand(answer: PortfolioAnswer) -> Iterator[Text]:
    for one in answer.packing.pins_refused if answer.packing else ():
        yield Sentence("{} does not fit on chip {}: {}", one.name, one.chip, one.why)


def _beside_plan(answer: PortfolioAnswer) -> Iterator[Text]:
    """Why each on its own pick is not what the plan's bills come to: runs that begin again, and months or use that are
    set here; of workloads whose cost is printed alike, nothing."""
    own = answer.scheme("own")
    differing = [one for one in own.pools if _own_usd(one) != _bill_usd(one)] if own else []
    again = [one for one in differing if one.uses[0].member.every_months and one.uses[0].n_rounds > 1]
    for one in again:
        words = "{} is run {} times here and once in the plan: on its own pick {} here, {} there"
        yield Sentence(words, one.uses[0].name, whole(one.uses[0].n_rounds), _usd(_own_usd(one)), _usd(_bill_usd(one)))
    others = [one for one in differing if one not in again]
    if others:
        here, there = (sum(usd_of(one) for one in others) for usd_of in (_own_usd, _bill_usd))
        words = "Months and use are set here: {} on {} {} here, {} in the plan"
        picks = "its own pick" if len(others) == 1 else "their own picks"
        yield Sentence(words, first_of([one.uses[0].name for one in others]), picks, _usd(here), _usd(there))


def _own_usd(pool: Pool) -> float:
    """What a workload on its own pick costs in the months of the portfolio, as it is printed."""
    other = sum(float(use.other_usd.sum()) for use in pool.uses)
    return as_printed(pool.account.rent_usd * (1.0 + support_share(pool.uses)) + other)


def _bill_usd(pool: Pool) -> float:
    """What the plan says of it, as it is printed."""
    return as_printed(pool.uses[0].result.cost.total.likely)


def _number(value: float) -> Amount:
    return Amount(value, "", 3)


def _share(share: float) -> Amount:
    return percent(share)


def _usd(value: float) -> Amount:
    return Amount(value, USD)


def _span(amount: Range) -> UsdSpan:
    return UsdSpan(amount.low, amount.high)
