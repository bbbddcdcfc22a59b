"""What a person chose in the place of the pick, in words and as plain values."""

from __future__ import annotations

from typing import Any

from core.comparison.result import ResultSet
from core.plan.plan import Choice, Plan
from core.report.public_plan import LEFT_OUT


def chosen_words(choice: Choice, results: ResultSet | None) -> str:
    """``512 × B200, Lambda, on demand. We have a contract``: the option, the limit that it misses, and why it was
    chosen; that they are left out where they may tell a private price."""
    option = results.by_id.get(choice.candidate_id) if results else None
    if option is None and results is not None and results.is_masked:
        return f"an option that is {LEFT_OUT}."
    miss = f" (misses a limit: {option.reasons[0].words})" if option and option.reasons else ""
    what = f"{option.candidate.name}, {option.candidate.place}" if option else "an option that is not offered any more"
    return f"{what}{miss}. {reason_words(choice.reason)}"


def reason_words(reason: str) -> str:
    """The reason as it was typed; a sentence where there is none, or where it is left out."""
    if reason == LEFT_OUT:
        return f"The reason is {LEFT_OUT}."
    return reason or "No reason is written down."


def choice_json(plan: Plan, profile_id: str) -> dict[str, Any] | None:
    """What was chosen by hand for a workload: id and reason, None where they are left out; None without a choice."""
    choice = next((one for one in plan.choices if one.profile_id == profile_id), None)
    if choice is None:
        return None
    reason = None if choice.reason in ("", LEFT_OUT) else choice.reason
    is_left_out = choice.reason == LEFT_OUT or not choice.candidate_id
    return {"choice": choice.candidate_id or None, "reason": reason, "left_out": LEFT_OUT if is_left_out else None}
