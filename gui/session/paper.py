"""What a comparison plan is made of, taken from the session at once, so that later edits do not reach a paper."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date

from core.catalogue.catalogue import Catalogue
from core.comparison.evaluate import never
from core.comparison.result import ResultSet
from core.plan.plan import Plan
from core.report.blocks import Document
from core.report.masking import HandedOut, handed_out, renewed
from core.throughput.correction import Corrections
from core.units import money_here
from core.workload.profile import Profile

Evaluate = Callable[[Profile, Catalogue, Corrections, Callable[[], bool]], ResultSet]


class LastMasked:
    """The masked answers that were worked out last, which takes seconds, and what they follow from. Of any thread."""

    def __init__(self) -> None:
        self._last: tuple[Catalogue, Catalogue, object, HandedOut] | None = None

    def get(self, catalogue: Catalogue, shipped: Catalogue, asked: object) -> HandedOut | None:
        """The answers, where the same was asked over the very same catalogues."""
        last = self._last
        is_known = last is not None and last[0] is catalogue and last[1] is shipped and last[2] == asked
        return last[3] if last is not None and is_known else None

    def put(self, catalogue: Catalogue, shipped: Catalogue, asked: object, out: HandedOut) -> None:
        """In the place of those before."""
        self._last = catalogue, shipped, asked, out

    def forget(self) -> None:
        """Nothing is masked any more, or not of this plan."""
        self._last = None


@dataclass(frozen=True)
class Paper:
    """The plan as a scenario shows it, with all that its results and pages follow from. Belongs off the GUI thread."""

    plan: Plan
    scenario_id: str
    catalogue: Catalogue
    shipped: Catalogue
    corrections: Corrections
    pages: Sequence[str] | None
    today: date
    evaluate: Evaluate
    masked: LastMasked = field(default_factory=LastMasked)

    def results_here_and_now(self, cancelled: Callable[[], bool] = never) -> dict[str, ResultSet]:
        """Results of every workload by its id, evaluated by the caller: for threads and programs nobody waits at."""
        return {
            profile.id: self.evaluate(profile, self.catalogue, self.corrections, cancelled)
            for profile in self.plan.profiles
        }

    def handed_out(self, results: Mapping[str, ResultSet], cancelled: Callable[[], bool] = never) -> HandedOut:
        """What may leave the house; evaluated anew where the plan masks private prices, unless that was done before."""
        plan, layers = self.plan, (self.catalogue, self.shipped)
        picks = tuple((name, one.profile, one.recommendation.choice) for name, one in results.items())
        asked = plan.masks_private_prices, plan.currency, self.corrections, picks
        if known := self.masked.get(*layers, asked):
            return renewed(known, plan, *layers)
        with money_here(plan.currency.money):
            out = handed_out(plan, results, *layers, cancelled)
        if out.is_masked:
            self.masked.put(*layers, asked, out)
        return out

    def document(self, out: HandedOut) -> Document:
        """The pages; workloads without results are left out."""
        from core.report.document import build  # no page is built before the window stands

        with money_here(self.plan.currency.money):
            how = (self.pages, self.scenario_id, out.leaves_out_actuals)
            return build(out.plan, out.results, out.catalogue, self.today, *how)
