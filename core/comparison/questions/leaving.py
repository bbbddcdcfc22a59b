"""The bill for leaving a candidate in its parts: porting away, moving the data, what is left of a commitment.

Where to is open (another seller, or a chip that the code runs on), or one of the families of chips that fit.
"""

from __future__ import annotations

from dataclasses import dataclass

from core.amounts import USD, Amount, Counted, Sentence, Text
from core.catalogue.chip_families import family_of
from core.catalogue.entries import Accelerator
from core.comparison.questions.explanation import Explains, Explanation
from core.comparison.result import CandidateResult, ResultSet
from core.flexibility.porting import leaving_weeks
from core.workload.profile import Profile

EXIT_WORDS = {"porting": "Porting away", "egress": "Moving the data", "commitment_waste": "Rest of a commitment"}
ANYWHERE = "any"
LAST_DAY = "On the last day of the plan; an earlier end also loses what is committed"
"""For which day every exit bill is counted; stands wherever one is shown."""


@dataclass(frozen=True, slots=True)
class Target:
    """Where one would go: a family of chips, by the best of it that fits; ``chip`` is None where that is open."""

    key: str
    title: str
    chip: Accelerator | None = None


@dataclass(frozen=True, slots=True)
class ExitBill:
    """Engineer-weeks to port away, and USD of each part by the ids of the bill's own."""

    weeks: float
    parts: dict[str, float]

    @property
    def usd(self) -> float:
        """The whole bill."""
        return sum(self.parts.values())


def targets(results: ResultSet) -> tuple[Target, ...]:
    """Anywhere, then each family of chips that fits, by its best chip."""
    families, columns = {ANYWHERE: Target(ANYWHERE, "Another seller or chip")}, results.columns
    for row in results.best_rows if results.basis else ():
        chip = columns.accelerators[row]
        family = family_of(chip)
        if columns.feasible[row] and family.id not in families:
            families[family.id] = Target(family.id, family.name, chip)
    return tuple(families.values())


def exit_to(results: ResultSet, result: CandidateResult, key: str = ANYWHERE) -> ExitBill:
    """What leaving a candidate for a target costs: ``weeks x engineer's week + data + unused commitment``.

    Data and commitment are those of the exit bill of the flexibility score, whose weeks count where the target is
    open. An unknown target is as open as none.
    """
    profile = results.profile
    target = None if key == ANYWHERE else next((one for one in targets(results) if one.key == key), None)
    weeks = _weeks_to(results, result, target)
    fixed = exit_parts(profile, result)
    return ExitBill(weeks, {**fixed, "porting": _porting_usd(profile, result, weeks, fixed["porting"])})


def exit_parts(profile: Profile, result: CandidateResult) -> dict[str, float]:
    """USD of each part of the exit bill with an open target; they sum to it.

    ``porting = weeks x engineer's week``; the commitment is the unused one of the bill; moving the data is the rest.
    """
    left = result.flexibility.exit_usd
    porting = min(result.flexibility.exit_weeks * profile.team.engineer_usd_per_week, left)
    waste = min(result.cost.part("commitment_waste"), left - porting)
    return {"porting": porting, "egress": left - porting - waste, "commitment_waste": waste}


def exit_explanation(results: ResultSet, result: CandidateResult, name: str) -> Explanation | None:
    """What stands behind one part of the exit bill, ``porting`` or ``porting@amd_gpu``; None where it costs nothing."""
    part, _, key = name.partition("@")
    bill = exit_to(results, result, key or ANYWHERE)
    amount = bill.parts.get(part, 0.0)
    if amount <= 0:
        return None
    formula, inputs, source = _made(results.profile, result, part, bill.weeks)
    value, note = Amount(amount, USD), Sentence("of {} to leave", Amount(bill.usd, USD))
    return Explanation(EXIT_WORDS[part], value, note, formula, inputs, source, part != "commitment_waste")


def _weeks_to(results: ResultSet, result: CandidateResult, target: Target | None) -> float:
    """Those of the score where the target is open, none for the same family."""
    own = result.candidate.accelerator
    if target is None or target.chip is None or results.basis is None:
        return result.flexibility.exit_weeks
    if family_of(own).id == target.key:
        return 0.0
    return leaving_weeks(results.profile, results.basis.catalogue, own, target.chip)


def _porting_usd(profile: Profile, result: CandidateResult, weeks: float, open_usd: float) -> float:
    """With the weeks of the score its own amount, so that both tell the same to the cent."""
    return open_usd if weeks == result.flexibility.exit_weeks else weeks * profile.team.engineer_usd_per_week


def _made(
    profile: Profile, result: CandidateResult, part: str, weeks: float
) -> tuple[str, tuple[tuple[str, Text], ...], str]:
    if part == "porting":
        inputs = (
            ("Engineer-weeks", Counted(weeks, "week", digits=2)),
            ("Engineer's week", Amount(profile.team.engineer_usd_per_week, USD)),
        )
        return "engineer-weeks to port away × rate", inputs, "porting effort of the catalogue; rate as entered"
    if part == "egress":
        data = Amount(profile.job.dataset_gb, "GB")
        return "data set × price of egress at the seller", (("Data set", data),), "egress prices of the catalogue"
    waste = Amount(result.cost.part("commitment_waste"), USD)
    return "hours paid for and not used × price", (("Commitment waste", waste),), "the bill"


EXPLAINS = Explains("exit", exit_explanation)
