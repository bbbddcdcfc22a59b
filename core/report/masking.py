"""Private prices kept off paper: nothing that leaves the house is worked out from one.

A masked paper is not one with figures blackened. Shares and ranks, chances and break-even points tell a price as well
as the price itself does: whoever has the catalogue works out the public parts of a bill, or tries prices until the
engine says the same. So the rule is:

    what leaves = f(public catalogue, the plan without its prices, which chip, seller and way to pay is picked)

Every private price gives way to a public stand-in (:mod:`core.catalogue.own.stand_ins`), every rate that was typed into
a workload (:data:`core.report.public_plan.RATES`) to the usual one, all workloads are evaluated anew, and pages,
charts, tables, JSON and the plan's fingerprint are made of those answers alone. Two plans whose private prices differ
but whose picks are the same leave the very same paper. What a reader learns is what the recommendation itself tells:
that the picked price is low enough to be picked, or that another is not.

Where the stand-ins would bring another pick, they are moved rung by rung until the picks are the true ones: a private
offer that is picked goes down, one that is not goes up, and then as far on as public prices of such a chip lie apart.
If no rung brings the true picks, or they do not hold so far on, the stand-ins stay where they are public, the paper
recommends what follows from those, and the author is told (``HandedOut.told``), the reader is not. So no paper is that
of a narrow band of prices, even where several workloads ask for one offer and some take it. Rates are never moved.

Told: the picks with seller and way to pay, that an option was chosen by hand, and which if its price is public; days,
speed, memory, flexibility, limits and budget as they are; money, chips of an option, chances, ranks and regret at
stand-ins, each of which is marked. Not told: a private price or rate, anything worked out from one, its source, notes
and reasons, names of sellers and machines that the shipped catalogue does not know, a hash over these.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from core.catalogue.catalogue import Catalogue
from core.catalogue.entries import Offer
from core.catalogue.own.stand_ins import NOTE, RUNG, Group, StandIns
from core.comparison.cost_words import cost_words
from core.comparison.evaluate import evaluate, never
from core.comparison.result import CandidateResult, ResultSet
from core.plan.plan import Plan
from core.report.blocks import Document, Paragraph
from core.report.public_plan import has_rates, public_plan, with_told_choices
from core.throughput.correction import NO_CORRECTIONS, Corrections

MARK = "private prices replaced"
KEPT = "This plan masks its private prices: the Report tab saves tables and papers with public ones in their place."
"""What is copied from a screen with private prices, instead of them."""
STRIDES = (1, 1, 2, 2, 3, 3, 4, 0)
"""Rungs by which a stand-in is moved, try after try: to a 35th of the public price at most, or 35 times it. The last
one only looks at what the others came to."""

Rungs = Mapping[Group, int]
Pick = tuple[Group | None, int]
"""What is picked, None for nothing, and of how many chips."""
Picks = Mapping[str, Pick]


@dataclass(frozen=True)
class HandedOut:
    """A plan as it may leave: with its catalogue and its answers by workload. ``told`` is for its author alone."""

    plan: Plan
    results: Mapping[str, ResultSet]
    catalogue: Catalogue
    told: tuple[str, ...] = ()
    leaves_out_actuals: bool = False
    """True where the plan has actuals, which would tell private prices, and so leave with none."""

    @property
    def is_masked(self) -> bool:
        """True where public prices stand in for private ones."""
        return self.catalogue.is_masked


def private_results(results_by_profile: Mapping[str, ResultSet]) -> list[CandidateResult]:
    """Candidates whose price is the user's own: entered in the plan or in the price book."""
    return [
        result
        for results in results_by_profile.values()
        for result in results.results
        if result.candidate.offer.layer != "catalogue"
    ]


def keeps_secrets(plan: Plan, catalogue: Catalogue, shipped: Catalogue) -> bool:
    """True where the plan masks private prices and rates, and has any: only what is :func:`handed_out` may leave."""
    has_some = StandIns(catalogue, shipped).is_needed or any(map(has_rates, plan.profiles))
    return plan.masks_private_prices and has_some


def handed_out(
    plan: Plan,
    results: Mapping[str, ResultSet],
    catalogue: Catalogue,
    shipped: Catalogue,
    cancelled: Callable[[], bool] = never,
) -> HandedOut:
    """What may leave the house: all as it is, or, where the plan masks private prices and there are any, at stand-ins.

    ``catalogue`` has the plan's layers, ``shipped`` none. Workloads without results are left out. Raises as
    :func:`core.comparison.evaluate.evaluate`.
    """
    if not keeps_secrets(plan, catalogue, shipped):
        return HandedOut(plan, results, catalogue)
    whole = StandIns(catalogue, shipped)
    out = _Search(public_plan(plan, whole), results, whole, cancelled).answer()
    told = with_told_choices(out.plan, plan, out.results)
    return replace(out, plan=told, leaves_out_actuals=bool(plan.actuals))


def renewed(out: HandedOut, plan: Plan, catalogue: Catalogue, shipped: Catalogue) -> HandedOut:
    """Masked answers for another plan that asks the same, such as one that wants other pages."""
    public = public_plan(plan, StandIns(catalogue, shipped))
    told = with_told_choices(public, plan, out.results)
    return replace(out, plan=told, leaves_out_actuals=bool(plan.actuals))


def marked(document: Document) -> Document:
    """The document with what was done to it on its first page, and a mark on all of them."""
    noted = with_note(document, NOTE)
    return replace(noted, header=(f"{document.header[0]}, {MARK}", document.header[1]))


def with_note(document: Document, text: str) -> Document:
    """The document with what its reader must know below the first block of its first page."""
    if not document.sections:
        return document
    first, *rest = document.sections
    blocks = (*first.blocks[:1], Paragraph(text, "note"), *first.blocks[1:])
    return replace(document, sections=(replace(first, blocks=blocks), *rest))


@dataclass(frozen=True)
class _Search:
    """Looks for the stand-ins at which the picks are the true ones."""

    plan: Plan
    true: Mapping[str, ResultSet]
    whole: StandIns
    cancelled: Callable[[], bool]
    known: dict[tuple[tuple[Group, int], ...], HandedOut] = field(default_factory=dict)

    def answer(self) -> HandedOut:
        """The plan at stand-ins, with what its author must know of it."""
        wanted = {name: _pick(results, self.whole.group) for name, results in self.true.items()}
        base = self._base()
        out = self._moved(wanted, base) or self._at(base)
        return replace(out, told=tuple(self._differences(wanted, out)))

    def _base(self) -> Rungs:
        """Public prices. Where one of them is picked for some workloads only, and for just those only between two
        prices that lie close together, it is raised until that is no longer so: such picks would tell the price."""
        rungs: Rungs = {}
        for _ in STRIDES:
            picks = _picks(self._at(rungs))
            offers = [group for group, _ in picks.values()]
            shared = {one for one in offers if one in self._private and offers.count(one) < len(offers)}
            around = (self._shifted(rungs, dict.fromkeys(shared, way)) for way in (1, -1))
            if not shared or any(not self._steps(picks, _picks(self._at(one))) for one in around):
                break
            rungs = self._shifted(rungs, dict.fromkeys(shared, -1))
        return rungs

    def _moved(self, wanted: Picks, base: Rungs) -> HandedOut | None:
        """Well beyond the first rungs that bring the true picks, so that none hangs by a hair; None where none do, or
        do so only for a while."""
        rungs = base
        for stride in STRIDES:
            out = self._at(rungs)
            steps = self._steps(wanted, _picks(out))
            if not steps:
                return out if rungs == base else self._further(wanted, base, rungs)
            rungs = {**rungs, **{group: rungs.get(group, 0) + stride * way for group, way in steps.items()}}
        return None

    def _further(self, wanted: Picks, base: Rungs, rungs: Rungs) -> HandedOut | None:
        """As far on again as public prices of such a chip lie apart; None where the picks do not hold till there."""
        moved = {group: rung - base.get(group, 0) for group, rung in rungs.items()}
        ways = {group: 1 if rung > 0 else -1 for group, rung in moved.items() if rung}
        out = self._at(self._shifted(rungs, ways))
        return None if self._steps(wanted, _picks(out)) else out

    def _shifted(self, rungs: Rungs, ways: Rungs) -> Rungs:
        """Each of these groups moved, down at 1 and up at -1, as far as public prices of such a chip lie apart."""
        width = {group: math.ceil(math.log(self.whole.spread(group)) / -math.log(RUNG)) for group in ways}
        return {**rungs, **{group: rungs.get(group, 0) + way * width[group] for group, way in ways.items()}}

    def _steps(self, wanted: Picks, got: Picks) -> dict[Group, int]:
        """A rung down for each private offer that should be picked and is not, one up for each that is and should not
        be. Where public offers alone are mixed up, what they are compared with is moved: all private ones go down."""
        steps: dict[Group, int] = {}
        mixed = [(true[0], got[name][0]) for name, true in wanted.items() if true[0] != got[name][0]]
        for true, pick in mixed:
            steps |= {group: way for group, way in ((true, 1), (pick, -1)) if group in self._private}
        return steps or (dict.fromkeys(self._private, 1) if mixed else {})

    @cached_property
    def _private(self) -> frozenset[Group]:
        offers = (offer for offer in self.whole.catalogue.offers if offer.layer != "catalogue")
        return frozenset(self.whole.group(offer) for offer in offers if offer.usd_per_chip_hour)

    def _at(self, rungs: Rungs) -> HandedOut:
        """The plan at these stand-ins, evaluated once."""
        key = tuple(sorted(rungs.items()))
        if key not in self.known:
            catalogue = self.whole.laid(rungs)
            results = {
                profile.id: evaluate(profile, catalogue, _corrections(self.true[profile.id]), self.cancelled)
                for profile in self.plan.profiles
                if profile.id in self.true
            }
            self.known[key] = HandedOut(self.plan, results, catalogue)
        return self.known[key]

    def _differences(self, wanted: Picks, out: HandedOut) -> Iterator[str]:
        """Where the masked answer is not the true one, which its author must know before it is sent."""
        for name, pick in _picks(out).items():
            true, told = (_pick_words(results[name], pick != wanted[name]) for results in (self.true, out.results))
            if true != told:
                yield f"{self.true[name].profile.name}: with your prices {true}, masked {told}"


def _corrections(results: ResultSet) -> Corrections:
    return results.basis.corrections if results.basis else NO_CORRECTIONS


def _pick(results: ResultSet, group: Callable[[Offer], Group]) -> Pick:
    pick = results.choice
    return (group(pick.candidate.offer), pick.candidate.n_chips) if pick else (None, 0)


def _named_group(offer: Offer) -> Group:
    """That of a stand-in, whose seller has his public name already."""
    return offer.provider, offer.accelerator_id, offer.purchase_model


def _picks(out: HandedOut) -> Picks:
    return {name: _pick(results, _named_group) for name, results in out.results.items()}


def _pick_words(results: ResultSet, is_named: bool) -> str:
    """``$1.2 M``, or with the pick's name before it."""
    pick = results.choice
    if pick is None:
        return "nothing fits"
    told = cost_words(results.profile, pick.cost)
    return f"{pick.candidate.name}, {pick.candidate.place}, {told}" if is_named else str(told)
