"""What Why shows of a workload on the map: fields that a drag changes, what they were, and where its dot is from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from core.amounts import USD, Amount, Sentence
from core.comparison.over_time.words import Chapter, Line, Story
from core.comparison.together.part import PlanPart
from core.comparison.together.workload_map import Placed
from core.plan.edit import get_value
from core.plan.fields import fields, value_words
from core.units import THIN, plain
from core.workload.profile import Profile
from gui.tabs.compare.map_figures import LEAN_WORDS, signed

ARROW = "\u2192"
CHANGED, HELD, ENTERED = "Changed by dragging", "let go to enter", "Ctrl+Z takes it back"


def map_story(
    before: Profile, now: Placed, stability: float, part: PlanPart | None, changes: Mapping[str, Any], is_held: bool
) -> Story:
    """``before`` is the workload as it was, ``now`` as it is placed, ``stability`` that before; ``changes`` are fields
    with their new values, by their paths. ``is_held``: the hand has it still."""
    told = (
        Chapter(
            "Changed by dragging",
            "let go to enter" if is_held else "Ctrl+Z takes it back",
            _changed(before, now, stability, changes),
        ),
        _cost(now, part),
        Chapter("Where the dot comes from", "", _origin(now)),
    )
    place = f"{LEAN_WORDS[now.lean]}, {now.call}"
    chapters = tuple(one for one in told if one.lines)
    return Story(f"map:{before.id}", before.name, place[:1].upper() + place[1:], chapters)


def _changed(before: Profile, now: Placed, stability: float, changes: Mapping[str, Any]) -> tuple[Line, ...]:
    infos = {info.path: info for info in fields(before)}
    told = []
    for path, value in changes.items():
        info, old = infos.get(path), get_value(before, path)
        if info is not None and old != value:
            told.append(Line(f"{info.title}: {value_words(info, old)} {ARROW} {value_words(info, value)}"))
    if not told:
        return ()
    places = f"{plain(round(stability), 3)} {ARROW} {plain(round(now.stability.likely), 3)}"
    return (Line(f"Stability: {places}"), *told)


def _cost(one: Placed, part: PlanPart | None) -> Chapter:
    """The best of each kind, as Compare ranks them, and the gap between them."""
    if part is None or one.gap is None:
        return Chapter("Cost", "", ())
    tpu, gpu = (part.of_kind[kind].result.cost.total.likely for kind in ("tpu", "gpu"))
    gap = one.gap.pct
    words = "TPU costs less" if tpu < gpu else "TPU costs more"
    return Chapter(
        "Cost",
        "",
        (
            Line(Sentence("Best TPU, {}", one.gap.tpu_name), Amount(tpu, USD)),
            Line(Sentence("Best GPU, {}", one.gap.gpu_name), Amount(gpu, USD), "\u2212"),
            Line(Sentence("{}, {}{}%", words, signed(gap.likely), THIN), Amount(tpu - gpu, USD), "=", "total"),
            Line(f"{signed(gap.low)} to {signed(gap.high)}{THIN}%, 80{THIN}% range", "", "", "small"),
        ),
    )


def _origin(one: Placed) -> tuple[Line, ...]:
    stack = one.profile.stack
    share = "unknown" if one.matrix_pct is None else f"{plain(round(one.matrix_pct.likely), 3)}{THIN}%"
    changes = "by maturity" if stack.changes_per_month is None else plain(stack.changes_per_month)
    return (
        Line("Matrix share, from the layers" if one.is_locked else "Matrix share, typed", share),
        Line("Changes a month", changes),
    )
