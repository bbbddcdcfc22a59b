"""Which candidates a chart shows, and how they are drawn everywhere: colour key, shape, legend."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from core.catalogue.chip_families import chip_families, family_of
from core.catalogue.entries import Accelerator
from core.comparison.obtain.obtainable import Status
from core.comparison.result import CandidateResult, ResultSet
from gui.charts.figure.figure import Fill, LegendEntry, Row, Shape, Swatch
from gui.theme.chip_colours import NEUTRAL, chip_key

MOST_FEASIBLE = 9
MOST_SHOWN = 12
WAITING = "Describe the workload to see how the options compare"


def colour_key(accelerator: Accelerator) -> str:
    """Theme key of a chip's colour: that of its family, else the neutral one."""
    return chip_key(accelerator.kind, accelerator.vendor)


def shape_of(accelerator: Accelerator) -> Shape:
    """Square for TPU, circle for everything else: the second cue beside colour."""
    return "square" if accelerator.kind == "tpu" else "circle"


FILLS: dict[Status, Fill] = {"attested": "full", "plausible": "half", "on paper": "dashed"}


def fill_of(result: CandidateResult) -> Fill:
    """Full for what is attested, half for what is plausible, a broken outline for what is on paper."""
    return FILLS[result.obtainable.status]


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
    """The best of each accelerator, few enough to read: up to nine that fit, those that reasons name among
    them, then rejected ones up to twelve in all.

    The selected and the pinned ones are always among them.
    """
    feasible = results.shown_feasible(MOST_FEASIBLE)
    rejected = [row for row in results.best_rows if not results.columns.feasible[row]]
    more = rejected[: max(MOST_SHOWN - len(feasible), 0)]
    shown = [*feasible, *(results.results[row] for row in more)]
    ids = {result.id for result in shown}
    wanted = [name for name in dict.fromkeys([selected_id, *pinned]) if name and name not in ids]
    return shown + [results.by_id[name] for name in wanted if name in results.by_id]


def subject(results: ResultSet, selected_id: str | None) -> CandidateResult | None:
    """The selected candidate, else the pick, else what comes nearest, else the first."""
    chosen = results.by_id.get(selected_id or "") or results.choice or results.nearest
    return chosen or (results.results[0] if results.results else None)


def rival(results: ResultSet, shown: CandidateResult) -> CandidateResult | None:
    """Who it is measured against: the pick, or the runner-up when the pick itself is shown."""
    return results.runner_up if shown.id == results.recommendation.choice else results.choice


def candidate_row(result: CandidateResult, right: tuple[tuple[str, str], ...], tip: str) -> Row:
    """A candidate's line in a bar chart: mark and name, texts at right; more is added by ``replace``."""
    chip = result.candidate.accelerator
    return Row(result.id, result.candidate.name, shape_of(chip), colour_key(chip), not result.feasible, right, tip=tip)


def legend_of(shown: Iterable[CandidateResult]) -> tuple[LegendEntry, ...]:
    """Legend of the families of chips in view, those of a colour of their own first; hollow marks last.

    Families that look alike share an entry, which names them only when there is one.
    """
    shown = list(shown)
    return *_families(shown), *_misses(shown)


def legend_of_having(shown: Iterable[CandidateResult]) -> tuple[LegendEntry, ...]:
    """Legend of the families, then of how marks are filled, as far as each is in view; hollow marks last."""
    shown = list(shown)
    feasible = [result for result in shown if result.feasible]
    fills = {fill_of(result): colour_key(result.candidate.accelerator) for result in reversed(feasible)}
    told = (LegendEntry(text, fills[fill], swatch) for text, fill, swatch in _HAVING if fill in fills)
    return *_families(shown), *told, *_misses(shown)


_HAVING: tuple[tuple[str, Fill, Swatch], ...] = (
    ("attested", "full", "circle"),
    ("plausible", "half", "half"),
    ("on paper: ask first", "dashed", "dashed"),
)


def _families(shown: Sequence[CandidateResult]) -> list[LegendEntry]:
    names: dict[tuple[str, Shape], dict[str, None]] = {}
    for chip in sorted((result.candidate.accelerator for result in shown), key=_place_in_legend):
        names.setdefault((colour_key(chip), shape_of(chip)), {})[family_of(chip).name] = None
    return [LegendEntry("Other" if len(alike) > 1 else next(iter(alike)), *look) for look, alike in names.items()]


def _misses(shown: Sequence[CandidateResult]) -> list[LegendEntry]:
    missing = [colour_key(result.candidate.accelerator) for result in shown if not result.feasible]
    return [LegendEntry("misses a limit", missing[0], "hollow")] if missing else []


def _place_in_legend(chip: Accelerator) -> tuple[bool, int]:
    """As in the table of chip families, with neutral colours last."""
    order, own = [row.id for row in chip_families().rows], family_of(chip).id
    return colour_key(chip) == NEUTRAL, order.index(own) if own in order else len(order)
