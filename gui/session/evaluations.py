"""Workloads evaluated on the road, one or many; what was answered before comes at once."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from core.catalogue.catalogue import Catalogue
from core.comparison.evaluate import evaluate as evaluate_profile
from core.comparison.missing import missing_facts
from core.comparison.result import ResultSet
from core.comparison.shortlisting import RememberedSearch
from core.errors import RoofplanError
from core.throughput.correction import Corrections
from core.workload.profile import Profile
from gui.session.paper import Evaluate
from gui.session.result_cache import KnownResults
from gui.session.road import Cancelled, Priority, Progress, Road, Step, Work
from gui.session.whole_plan import PartStep, part_step

MOST_LOOKED_AT = 12
"""Charts show the best of so many chips, and the first rows of the table are theirs."""


@dataclass(frozen=True, slots=True)
class Grounds:
    """What workloads are evaluated on; ``layers`` numbers what is laid over the shipped catalogue."""

    catalogue: Catalogue
    corrections: Corrections
    layers: int

    def question(self, profile: Profile) -> Hashable:
        """What is asked of a workload here: equal questions have equal answers."""
        every = (self.corrections.factors | self.corrections.of_models).items()
        factors = sorted((key, one.factor, one.spread) for key, one in every)
        return profile, repr((missing_facts(profile), factors, self.corrections.terms, self.layers))


class Evaluations:
    """Two engines and the answers of both: ``evaluate`` remembers its last searches for the workload on screen, others
    are evaluated by ``evaluate_aside``, without a memory. ``engine`` takes the place of both."""

    def __init__(self, road: Road, engine: Evaluate | None) -> None:
        self._road = road
        self.evaluate = engine or partial(evaluate_profile, search=RememberedSearch())
        self.evaluate_aside = engine or evaluate_profile
        self.known = KnownResults()

    def step(self, on: Grounds, profile: Profile) -> Step:
        """Evaluates a workload, or answers at once where the same was evaluated before."""
        return self._step(on, profile, self.evaluate)

    def gather(self, owner: Hashable, on: Grounds, profiles: Sequence[Profile], title: str, finishes: bool) -> Work:
        """Results of workloads, a step each; ``ended`` brings them."""
        steps = (self.step(on, profile) for profile in profiles)
        work = self._road.start_batch(owner, steps, len(profiles), title, Priority.SOON, finishes)
        questions = {profile.id: on.question(profile) for profile in profiles}
        work.done.connect(lambda results: self.known.put(questions[results.profile.id], results))
        return work

    def aside(self, owner: Hashable, on: Grounds, profiles: Mapping[str, Profile], title: str) -> Work:
        """Results of workloads by labels of theirs, a step each; ``done`` brings a label with its results, or with the
        RoofplanError that says why there are none."""
        questions = {label: on.question(profile) for label, profile in profiles.items()}

        def keep(told: tuple[str, ResultSet | RoofplanError]) -> None:
            if isinstance(told[1], ResultSet):
                self.known.put(questions[told[0]], told[1])

        steps = (_labelled(one, self._step(on, profile, self.evaluate_aside)) for one, profile in profiles.items())
        work = self._road.start_batch(owner, steps, len(profiles), title, Priority.SOON)
        work.done.connect(keep)
        return work

    def part_steps(self, on: Grounds, profiles: Sequence[Profile]) -> dict[Hashable, PartStep]:
        """What brings the part of each workload in its plan, by what it asks."""
        return {
            (question := on.question(profile)): part_step(
                profile, self.known.get(question), partial(self._evaluated_aside, on, profile)
            )
            for profile in profiles
        }

    def _evaluated_aside(self, on: Grounds, profile: Profile, cancelled: Cancelled) -> ResultSet:
        return self.evaluate_aside(profile, on.catalogue, on.corrections, cancelled)

    def _step(self, on: Grounds, profile: Profile, evaluate: Evaluate) -> Step:
        known = self.known.get(on.question(profile))

        def step(cancelled: Cancelled, _: Progress) -> ResultSet:
            return known or _looked_at(evaluate(profile, on.catalogue, on.corrections, cancelled))

        return step


def _labelled(label: str, step: Step) -> Step:
    """The same step, whose answer carries a label; a refusal is an answer too."""

    def labelled(cancelled: Cancelled, progress: Progress) -> tuple[str, ResultSet | RoofplanError]:
        try:
            return label, step(cancelled, progress)
        except RoofplanError as error:
            return label, error

    return labelled


def _looked_at(results: ResultSet) -> ResultSet:
    """With the results put together that every view looks at, rather than while the window is painted."""
    for best in (results.best_per_accelerator[:MOST_LOOKED_AT], results.best_trusted):
        tuple(best)
    return results
