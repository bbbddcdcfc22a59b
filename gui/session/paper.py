"""What a comparison plan is made of, taken from the session at once, so that later edits do not reach a paper."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from core.catalogue.catalogue import Catalogue
from core.comparison.evaluate import never
from core.comparison.result import ResultSet
from core.plan.plan import Plan
from core.report.blocks import Document
from core.report.document import build
from core.report.masking import HandedOut, handed_out
from core.throughput.correction import Corrections
from core.units import money_here
from core.workload.profile import Profile

Evaluate = Callable[[Profile, Catalogue, Corrections, Callable[[], bool]], ResultSet]


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

    def results_here_and_now(self) -> dict[str, ResultSet]:
        """Results of every workload by its id, evaluated by the caller: for threads and programs nobody waits at."""
        return {
            profile.id: self.evaluate(profile, self.catalogue, self.corrections, never)
            for profile in self.plan.profiles
        }

    def handed_out(self, results: Mapping[str, ResultSet], cancelled: Callable[[], bool] = never) -> HandedOut:
        """What may leave the house; evaluated anew where the plan masks private prices."""
        with money_here(self.plan.currency.money):
            return handed_out(self.plan, results, self.catalogue, self.shipped, cancelled)

    def document(self, out: HandedOut) -> Document:
        """The pages; workloads without results are left out."""
        with money_here(self.plan.currency.money):
            return build(out.plan, out.results, out.catalogue, self.today, self.pages, self.scenario_id)
