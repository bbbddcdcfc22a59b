"""What a phase holds: an option of its workload's comparison in the number of chips that was typed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from core.amounts import Sentence, Text, whole
from core.catalogue.catalogue import Catalogue
from core.catalogue.chip_families import software_family_of
from core.catalogue.sellers.waits import wait_of
from core.comparison.chance.causes import Causes
from core.comparison.columns import Columns, trusted_rows
from core.comparison.judge.limits import LIMITS
from core.comparison.over_time.committed import Committed, committed_of
from core.comparison.over_time.owned import Owned, owned_of
from core.comparison.questions.number_of_chips import count_curve
from core.comparison.result import CandidateResult, ResultSet, name_of
from core.comparison.search.screen import of_one
from core.comparison.together.part import settled
from core.comparison.together.ways import held_days
from core.constants import HOURS_PER_DAY
from core.flexibility.porting import porting_weeks
from core.ranges import Range
from core.throughput.types import Reason
from core.workload.phases import PLATFORM_WORDS, Phase
from core.workload.profile import Profile

DEADLINE = "deadline"
"""Code of the reason that an option is done too late."""
MISSED_FIRST = (
    frozenset((DEADLINE,)),
    frozenset((DEADLINE, "budget")),
    frozenset(LIMITS) - {"spot_no_checkpoints", "term", "held"},
)
"""What an option may miss before one is taken that is not allowed at all: the end, as a phase may end later, then
money, then other limits by an amount, each told by how much."""
OF_ANY_AMOUNT = ("max_wait", "min_sellers")
"""Limits on an offer that trials keep or break as the whole work does."""
NOTHING = Range(0.0, 0.0, 0.0)
LOST = "The option that was chosen is no longer among the answers: the best of its kind stands in"


@dataclass(frozen=True)
class Held:
    """Chips of a phase and what the engine says of them.

    ``usd_per_day`` is the likely cost of a day without porting; ``cost_factor`` how far off it may be, over it.
    ``run_days`` is the whole work of the workload on these chips, or the months of a service; ``waiting_days`` is
    counted from the order, ``porting_weeks`` are engineers'. ``note`` says what could not be
    taken as typed. ``is_rent_alone``: trials, and numbers of chips that the engine does not answer for, cost the rent;
    others their share of the whole bill. ``owned`` is what is bought instead of rented, and paid as it is bought,
    ``committed`` what is rented in whole terms: ``usd_per_day`` then only compares numbers of chips. ``broken`` are
    hard limits of the workload that it misses. ``sized_for`` is the day of the plan for which it is another number of
    chips than that of the comparison.
    """

    profile: Profile
    result: CandidateResult
    n_chips: int
    usd_per_day: float
    cost_factor: Range
    run_days: Range
    waiting_days: Range
    porting_weeks: Range
    catalogue: Catalogue
    is_rent_alone: bool
    note: Text = ""
    sized_for: float | None = None
    owned: Owned | None = None
    committed: Committed | None = None
    broken: tuple[Reason, ...] = ()

    @property
    def kind(self) -> str:
        """``gpu``, ``tpu`` or ``other``."""
        return self.result.candidate.accelerator.kind

    @property
    def software(self) -> str:
        """The family whose software runs on the chips."""
        return software_family_of(self.result.candidate.accelerator).name

    @property
    def name(self) -> str:
        """``64 × TPU v6e``."""
        return name_of(self.result.candidate.accelerator, self.n_chips)

    @property
    def causes(self) -> Causes:
        """What errors of these chips are of."""
        return Causes.of(self.result.candidate.accelerator, self.result.candidate.offer)


def held_by(results: ResultSet, phase: Phase) -> Held | None:
    """What a phase holds; None where no option of its kind of chip holds the model."""
    option = _option(results, phase)
    if option is None or results.basis is None:
        return None
    point, note = _with_chips(results, option, phase)
    is_lost = bool(phase.candidate) and phase.candidate not in results.by_id
    held = _held(results, results.basis.catalogue, phase, point, note or (LOST if is_lost else ""))
    return replace(held, broken=_broken(option, point, phase))


def _broken(option: CandidateResult, point: CandidateResult, phase: Phase) -> tuple[Reason, ...]:
    """The hard limits that an option misses in a number of chips: those on places, sellers and ways to pay are known of
    the option, others of the number. A phase has dates of its own, and a trial is not the work of which others speak.
    """
    counted = OF_ANY_AMOUNT if phase.stage == "explore" else [code for code in LIMITS if code != DEADLINE]
    return (
        *(of_one(one) for one in option.reasons if one.code not in LIMITS),
        *(of_one(one) for one in point.reasons if one.code in counted),
    )


def other_counts(results: ResultSet, phase: Phase, held: Held) -> tuple[Held, ...]:
    """The same offer in every number of chips that holds the work and misses no limit but the workload's own deadline,
    fewest first."""
    if results.basis is None:
        return ()
    points = count_curve(results, held.result).points
    fitting = (one for one in points if all(reason.code == DEADLINE for reason in one.reasons))
    of_offer = tuple(one for one in held.broken if one.code not in LIMITS)
    return tuple(replace(_held(results, results.basis.catalogue, phase, one), broken=of_offer) for one in fitting)


def _held(results: ResultSet, catalogue: Catalogue, phase: Phase, point: CandidateResult, note: Text = "") -> Held:
    profile, n_chips, days = results.profile, phase.chips or point.candidate.n_chips, _run_days(results.profile, point)
    waiting_days = wait_of(catalogue, point.candidate.offer, n_chips).days
    weeks = porting_weeks(profile, catalogue, point.candidate.accelerator)
    team = profile.team
    apart_usd = weeks.scaled(team.engineer_usd_per_week), waiting_days.scaled(team.delay_usd_per_day)
    owned = owned_of(profile, catalogue, point, n_chips, days, apart_usd)
    is_rent_alone = owned is None and (phase.stage == "explore" or bool(note and note != LOST))
    return Held(
        profile=profile,
        result=settled(point),
        n_chips=n_chips,
        usd_per_day=_rent_per_day(point, n_chips) if is_rent_alone else _bill_per_day(profile, point),
        cost_factor=_cost_factor(point, phase),
        run_days=days,
        waiting_days=waiting_days,
        porting_weeks=weeks,
        catalogue=catalogue,
        is_rent_alone=is_rent_alone,
        note=note,
        owned=owned,
        committed=committed_of(profile, point, n_chips, days.likely, is_rent_alone),
    )


def why_none(results: ResultSet, phase: Phase) -> tuple[str, str]:
    """Why a phase holds nothing, and what would help."""
    name = results.profile.name
    if results.missing:
        return f"{name} without {', '.join(results.missing).lower()}", "a workload that is described"
    words = "option" if phase.platform == "pick" else PLATFORM_WORDS[phase.platform].rpartition(" ")[2]
    return f"no {words} that holds the model of {name}", "another kind of chip"


def _option(results: ResultSet, phase: Phase) -> CandidateResult | None:
    if phase.candidate in results.by_id:
        return results.by_id[phase.candidate]
    if phase.platform == "pick":
        return results.choice or next(_holding(results, ""), None)
    return next(_holding(results, phase.platform), None)


def _holding(results: ResultSet, kind: str) -> Iterator[CandidateResult]:
    """Options of a kind that hold the model: those a pick is taken from, then those that keep the limits, then those of
    :data:`MISSED_FIRST`, then the first of each chip, which breaks a limit that is no amount: what breaks one is told,
    and fits best never."""
    for row in _in_order(results):
        if kind in ("", results.columns.accelerators[row].kind) and results.results[row].throughput.fits:
            yield results.results[row]


def _in_order(results: ResultSet) -> Iterator[int]:
    columns, n_feasible = results.columns, results.n_feasible
    yield from trusted_rows(columns, n_feasible).tolist()
    yield from range(n_feasible)
    yield from (row for missed in MISSED_FIRST for row in _missing_only(columns, n_feasible, missed))
    yield from results.best_rows


def _missing_only(columns: Columns, n_feasible: int, missed: frozenset[str]) -> Iterator[int]:
    """Rejected rows that miss nothing else, those of the most trusted options first, then the nearest."""
    rows = [row for row in range(n_feasible, columns.n) if missed.issuperset(columns.codes[row])]
    trust = columns.trust
    yield from sorted(rows, key=lambda row: -int(trust[row]))


def _with_chips(results: ResultSet, option: CandidateResult, phase: Phase) -> tuple[CandidateResult, Text]:
    """The option in the number of chips typed, and what had to be taken instead where it does not run in it."""
    if phase.chips in (None, option.candidate.n_chips) or phase.stage == "explore":
        return option, ""
    points = [point for point in count_curve(results, option).points if point.candidate.n_chips == phase.chips]
    if points:
        return points[0], ""
    return option, Sentence(
        "{} chips do not run this work as a whole: time as with {}, in proportion to the chips",
        whole(phase.chips or 0),
        option.candidate.name,
    )


def _run_days(profile: Profile, point: CandidateResult) -> Range:
    """The run, or all months of what does not end, which are certain."""
    days = held_days(profile, point)
    return point.run_h.scaled(1.0 / HOURS_PER_DAY) if profile.job.ends else Range(days, days, days)


def _bill_per_day(profile: Profile, point: CandidateResult) -> float:
    """``(bill - porting) / days`` of the whole run, or of all months of what does not end."""
    days = max(_run_days(profile, point).likely, 1e-6)
    return max(point.cost.total.likely - point.cost.part("porting"), 0.0) / days


def _rent_per_day(point: CandidateResult, n_chips: int) -> float:
    return point.candidate.usd_per_chip_hour * HOURS_PER_DAY * n_chips


def _cost_factor(point: CandidateResult, phase: Phase) -> Range:
    """Of what is paid by the day the price may be off; of a service its whole bill, since slower chips take more."""
    total, price = point.cost.total, point.candidate.price
    if phase.stage == "serve" and total.likely > 0:
        return Range(total.low / total.likely, 1.0, total.high / total.likely)
    return Range(price.low / price.factor, 1.0, price.high / price.factor)
