"""The bill for leaving a candidate in its parts: porting away, moving the data, what is left of a commitment."""

from __future__ import annotations

from core.comparison.explanation import Explanation
from core.comparison.result import CandidateResult, ResultSet
from core.units import THIN, plain, usd
from core.workload.profile import Profile

EXIT_WORDS = {"porting": "Porting away", "egress": "Moving the data", "commitment_waste": "Rest of a commitment"}


def exit_parts(profile: Profile, result: CandidateResult) -> dict[str, float]:
    """USD of each part, by the ids of the bill's own; they sum to the exit bill.

    ``porting = weeks x engineer's week``; the commitment is the unused one of the bill; moving the data is the rest.
    """
    left = result.flexibility.exit_usd
    porting = min(result.flexibility.exit_weeks * profile.team.engineer_usd_per_week, left)
    waste = min(result.cost.part("commitment_waste"), left - porting)
    return {"porting": porting, "egress": left - porting - waste, "commitment_waste": waste}


def exit_explanation(results: ResultSet, result: CandidateResult, part: str) -> Explanation | None:
    """What stands behind one part of the exit bill; None for a part that costs nothing."""
    profile = results.profile
    amount = exit_parts(profile, result).get(part, 0.0)
    if amount <= 0:
        return None
    formula, inputs, source = _made(profile, result, part)
    note = f"of {usd(result.flexibility.exit_usd)} to leave"
    return Explanation(EXIT_WORDS[part], usd(amount), note, formula, inputs, source, part != "commitment_waste")


def _made(profile: Profile, result: CandidateResult, part: str) -> tuple[str, tuple[tuple[str, str], ...], str]:
    if part == "porting":
        weeks = f"{plain(result.flexibility.exit_weeks, 2)}{THIN}weeks"
        rate = usd(profile.team.engineer_usd_per_week)
        inputs = (("Engineer-weeks", weeks), ("Engineer's week", rate))
        return "engineer-weeks to port away × rate", inputs, "porting effort of the catalogue; rate as entered"
    if part == "egress":
        data = f"{plain(profile.job.dataset_gb)}{THIN}GB"
        return "data set × price of egress at the seller", (("Data set", data),), "egress prices of the catalogue"
    waste = usd(result.cost.part("commitment_waste"))
    return "hours paid for and not used × price", (("Commitment waste", waste),), "the bill"
