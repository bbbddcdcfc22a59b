"""The tour in the guides' order: why GPU is the default, where TPU is strongest, how to choose, and then by hand.

Each step goes to a tab and says, in the plan's own figures, what stands there.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from core.amounts import Amount, Sentence, Text, without_stop
from core.comparison.cost_words import cost_words
from core.comparison.result import CandidateResult, ResultSet

Words = Callable[[ResultSet | None], Text]


@dataclass(frozen=True, slots=True)
class Step:
    """One step: its title, the tab it goes to, and what it says of the results; they may be missing."""

    title: str
    tab: str
    words: Words


def _best(results: ResultSet | None, kind: str) -> CandidateResult | None:
    """The best option of a kind of chip that keeps all limits."""
    ranked = results.best_per_accelerator if results else ()
    return next((one for one in ranked if one.feasible and one.candidate.accelerator.kind == kind), None)


def _why_gpu(results: ResultSet | None) -> Text:
    gpu, tpu = _best(results, "gpu"), _best(results, "tpu")
    lead = "GPUs run every framework and nearly every library, and many sellers have them: so they are the default."
    if gpu is None or tpu is None:
        return lead
    return Sentence(
        f"{lead} Here {{}} keeps a flexibility of {{}} of 100, {{}} one of {{}}.",
        gpu.candidate.name, Amount(gpu.flexibility.score.likely, "", 0),
        tpu.candidate.name, Amount(tpu.flexibility.score.likely, "", 0),
    )  # fmt: skip


def _where_tpu(results: ResultSet | None) -> Text:
    gpu, tpu = _best(results, "gpu"), _best(results, "tpu")
    lead = "TPUs are strongest on large, steady work of matrices: many chips act as one, at a low price for steady use."
    if results is None or gpu is None or tpu is None:
        return _nearest_tpu(results, lead) or lead
    costs = [cost_words(results.profile, one.cost) for one in (gpu, tpu)]
    return Sentence(
        f"{lead} For this workload the best GPU option costs {{}}, the best TPU option {{}}, moving the code included.",
        *costs,
    )


def _nearest_tpu(results: ResultSet | None, lead: str) -> Text | None:
    """Where no TPU keeps the limits: the nearest one, and which limit it misses."""
    listed = results.best_per_accelerator if results else ()
    missed = next((one for one in listed if one.reasons and one.candidate.accelerator.kind == "tpu"), None)
    if missed is None or _best(results, "tpu") is not None:
        return None
    reason = without_stop(missed.reasons[0].text)
    return Sentence(f"{lead} Here none keeps all limits. The nearest, {{}}: {{}}.", missed.candidate.name, reason)


def _how_to_choose(results: ResultSet | None) -> Text:
    lead = "Choose by your own job: cost, time and flexibility are three answers, and your weights join them."
    if results is None or results.choice is None:
        return lead
    return Sentence(f"{lead} Here they point to {{}}. Click an option to see why, and what would change it.",
                    results.choice.candidate.name)  # fmt: skip


def _by_hand(_: ResultSet | None) -> Text:
    return (
        "Now change one field, such as the deadline, and watch the ranking move: every figure follows. Undo brings it "
        "back. What you decide goes out as a PDF."
    )


STEPS = (
    Step("Why GPUs are the default", "flexibility", _why_gpu),
    Step("Where TPUs are strongest", "cost", _where_tpu),
    Step("How to choose", "compare", _how_to_choose),
    Step("Try it", "describe", _by_hand),
)
