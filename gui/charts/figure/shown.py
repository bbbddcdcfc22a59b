"""Which candidates a chart shows, and how they are drawn and named everywhere: colour key, shape, short texts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from core.catalogue.entries import Accelerator
from core.comparison.result import CandidateResult, ResultSet
from core.ranges import Range
from core.units import grouped, plain, shown_money, span
from gui.charts.figure.figure import LegendEntry, Shape

MOST_FEASIBLE = 9
MOST_SHOWN = 12
WAITING = "Describe the workload to see how the options compare"


def colour_key(accelerator: Accelerator) -> str:
    """Theme key of a chip's colour: one for TPU, one for NVIDIA GPU, a lighter blue for AMD, grey for others."""
    if accelerator.kind == "tpu":
        return "tpu"
    if accelerator.kind == "other":
        return "ctl"
    return "gpu_amd" if accelerator.vendor.lower() == "amd" else "gpu_nvidia"


def shape_of(accelerator: Accelerator) -> Shape:
    """Square for TPU, circle for everything else: the second cue beside colour."""
    return "square" if accelerator.kind == "tpu" else "circle"


def empty_sentence(results: ResultSet) -> str:
    """What to fill in before anything can be drawn; empty when there are results."""
    if results.results:
        return ""
    if not results.missing:
        return str(results.recommendation.headline) or WAITING
    names = [name[:1].lower() + name[1:] for name in results.missing]
    listed = " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
    return f"Fill in {listed} to see a ranking"


def shown_results(
    results: ResultSet, selected_id: str | None = None, pinned: Iterable[str] = ()
) -> list[CandidateResult]:
    """The best of each accelerator, few enough to read: up to nine that fit, then rejected ones up to twelve in all.

    The best GPU and the best TPU that fit are always among them.

    The selected and the pinned ones are always among them.
    """
    best = results.best_per_accelerator
    feasible = _with_both_families([result for result in best if result.feasible])
    rejected = [result for result in best if not result.feasible]
    shown = feasible + rejected[: max(MOST_SHOWN - len(feasible), 0)]
    ids = {result.id for result in shown}
    wanted = [name for name in dict.fromkeys([selected_id, *pinned]) if name and name not in ids]
    return shown + [results.by_id[name] for name in wanted if name in results.by_id]


def subject(results: ResultSet, selected_id: str | None) -> CandidateResult | None:
    """The selected candidate, else the pick, else the first."""
    chosen = results.by_id.get(selected_id or "") or results.choice
    return chosen or (results.results[0] if results.results else None)


def rival(results: ResultSet, shown: CandidateResult) -> CandidateResult | None:
    """Who it is measured against: the pick, or the runner-up when the pick itself is shown."""
    pick = results.recommendation.choice
    other = results.recommendation.runner_up if shown.id == pick else pick
    return results.by_id.get(other or "")


def _with_both_families(feasible: list[CandidateResult]) -> list[CandidateResult]:
    """The first nine; the best GPU and the best TPU are always among them, since that is the question."""
    shown = feasible[:MOST_FEASIBLE]
    kinds = {result.candidate.accelerator.kind for result in shown}
    for kind in ("gpu", "tpu"):
        left_out = next((r for r in feasible if r.candidate.accelerator.kind == kind), None)
        if kind not in kinds and left_out is not None:
            shown = [*shown[: MOST_FEASIBLE - 1], left_out]
    return shown


def legend_of(shown: Iterable[CandidateResult]) -> tuple[LegendEntry, ...]:
    """Legend of the kinds of chip in view."""
    shown = list(shown)
    keys = {colour_key(result.candidate.accelerator) for result in shown}
    entries = [LegendEntry("NVIDIA GPU", "gpu_nvidia", "circle"), LegendEntry("AMD GPU", "gpu_amd", "circle")]
    entries += [LegendEntry("TPU", "tpu", "square"), LegendEntry("Other", "ctl", "circle")]
    legend = [entry for entry in entries if entry.colour in keys]
    if any(not result.feasible for result in shown):
        legend.append(LegendEntry("misses a limit", "gpu_nvidia", "hollow"))
    return tuple(legend)


@dataclass(frozen=True, slots=True)
class MoneyScale:
    """A round amount of the shown currency for money on an axis, as US dollars, with words: ``million $``, ``$M``."""

    divisor: float
    words: str
    short: str
    decimals: int = 2

    def text(self, usd: float) -> str:
        """The amount in this scale, such as ``1.48``."""
        return grouped(usd / self.divisor, self.decimals)

    def range_text(self, amount: Range) -> str:
        """``1.34–1.68``."""
        return span(self.text(amount.low), self.text(amount.high))


def money_scale(largest_usd: float) -> MoneyScale:
    """Billions, millions, thousands or plain money of the currency shown, after the largest amount in view."""
    money = shown_money()
    largest = largest_usd * money.per_usd
    if money.is_share:
        return MoneyScale(1.0 / money.per_usd, "% of the pick's total", "%", _decimals(largest))
    for divisor, word, letter in _MONEY_STEPS:
        if largest >= 0.5 * divisor:
            words, short = f"{word} {money.unit}", f"{money.sign}{letter}"
            return MoneyScale(divisor / money.per_usd, words, short, _decimals(largest / divisor))
    return MoneyScale(1.0 / money.per_usd, money.unit, money.unit, _decimals(largest))


_MONEY_STEPS = ((1e9, "billion", "B"), (1e6, "million", "M"), (1e3, "thousand", "k"))


def _decimals(largest: float) -> int:
    return 0 if largest >= 100 else 1 if largest >= 10 else 2


def reason_text(result: CandidateResult) -> str:
    """Why a candidate was rejected with the nearest change that would admit it; the first reason only."""
    if not result.reasons:
        return ""
    first = result.reasons[0]
    return " ".join(_sentence(str(part)) for part in (first.text, first.nearest_change) if part)


def _sentence(text: str) -> str:
    return text if text.endswith((".", "!", "?")) else text + "."


def days_text(days: float) -> str:
    """Days are whole from 10 on; below that they have a decimal."""
    return grouped(days) if days >= 9.95 else grouped(days, 1) if days >= 0.05 else plain(days, 1)
