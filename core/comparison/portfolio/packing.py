"""Small models on shared chips: first fit, the largest first, by memory, by load, and by the time that turns take.

Models on a chip take turns: each step reads one model's weights for its own answers. Of ``n`` answers under way, of
which model ``i`` has the share ``s``, it has any with the chance ``1 - (1 - s)^n``; for ``k`` models wanted alike the
mean of those at work is the ``k (1 - (1 - 1/k)^n)`` by which the engine slows models of one size (see
:func:`core.throughput.serving.served.busy_models`). A token of model ``i`` then takes

    step(i) + sum over the others at work of step(j)

and answers under way are ``rate x (first token + tokens x that)`` by Little's law (Little 1961). First fit decreasing
needs at most 11/9 of the fewest chips and one more (Johnson 1973), for one quantity; for two of them no such bound.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.amounts import Text

MOST_TURNS = 12
"""Steps of the fixed point between answers under way and turns: it settles in a few, or does not fit."""
ROOM = 3.0
"""Standard deviations of the answers under way, which come as they will (Poisson), for which cache is kept."""
_NEAR = 1e-9


@dataclass(frozen=True, slots=True)
class Item:
    """A small model. GiB on one chip: weights, adapters, cache of one answer under way, and what a process needs
    beside. Times in s alone on a chip: ``first_s`` to the first token, ``step_s`` of a decode step; ``tokens`` of an
    answer. ``limit_first_s`` and ``limit_step_s`` are the limits of time, inf without one.

    ``rate`` is in requests/s, ``carries`` what one chip carries of them within its limits. ``base`` names weights that
    several share, as adapters on one model do; models of one base answer together and take no turns.
    """

    workload: str
    name: str
    weights_gib: float
    adapters_gib: float
    cache_gib: float
    process_gib: float
    rate: float
    carries: float
    first_s: float
    step_s: float
    tokens: float
    most_answers: float
    limit_first_s: float
    limit_step_s: float
    base: str

    @property
    def load(self) -> float:
        """Share of what a chip carries, 0..1."""
        return self.rate / self.carries


@dataclass(frozen=True, slots=True)
class Placed:
    """A model on a chip, with the GiB that it adds there; weights are 0 where another brings them."""

    workload: str
    name: str
    weights_gib: float
    adapters_gib: float
    cache_gib: float
    load: float
    copy: int = 1
    is_pinned: bool = False


@dataclass(frozen=True, slots=True)
class PackedChip:
    """A chip and what lies on it; ``other_gib`` are processes and what the chip keeps back."""

    number: int
    items: tuple[Placed, ...]
    other_gib: float
    capacity_gib: float

    @property
    def memory_gib(self) -> float:
        """All that is held."""
        held = (one.weights_gib + one.adapters_gib + one.cache_gib for one in self.items)
        return sum(held) + self.other_gib

    @property
    def load(self) -> float:
        """Of all models together, 0..1."""
        return sum(one.load for one in self.items)


@dataclass(frozen=True, slots=True)
class Refused:
    """A model put on a chip by hand where it does not fit, and why."""

    workload: str
    name: str
    chip: int
    why: Text


@dataclass(frozen=True, slots=True)
class Box:
    """What a chip holds at most: GiB, of which ``kept_gib`` are kept back, and load, 0..1."""

    capacity_gib: float
    kept_gib: float
    load_limit: float


@dataclass(frozen=True, slots=True)
class Packing:
    """Chips of small models. ``unpacked`` are services that have chips of their own, and why; ``n_alone`` are the chips
    that the packed ones would have each on machines of its own. ``items`` and ``box`` are what they were packed by."""

    chips: tuple[PackedChip, ...]
    pins_refused: tuple[Refused, ...]
    unpacked: tuple[tuple[str, Text], ...]
    load_limit: float
    n_alone: int
    copies: int
    items: tuple[Item, ...]
    box: Box

    @property
    def n_chips(self) -> int:
        """Chips that they need together."""
        return len(self.chips)

    @property
    def workloads(self) -> tuple[str, ...]:
        """Ids of those that are packed."""
        return tuple(dict.fromkeys(one.workload for chip in self.chips for one in chip.items))


def at_work(answers: float, share: float) -> float:
    """Chance that a model with that share of so many answers under way has any: ``1 - (1 - s)^n``, 0..1."""
    return float(1.0 - (1.0 - min(max(share, 0.0), 1.0)) ** max(answers, 0.0))


def turn_s(items: Sequence[Item], answers: Sequence[float]) -> tuple[float, ...]:
    """Time of a token of each model while all take turns, in s: its own step and those of the others at work; models
    of one base step together, in the longest of their steps."""
    total = sum(answers)
    steps: dict[str, float] = {}
    asked: dict[str, float] = {}
    for item, under_way in zip(items, answers, strict=True):
        steps[item.base] = max(steps.get(item.base, 0.0), item.step_s)
        asked[item.base] = asked.get(item.base, 0.0) + under_way
    weights = {base: at_work(total, asked[base] / total) if total > 0 else 0.0 for base in steps}
    whole = sum(weights[base] * step for base, step in steps.items())
    return tuple(whole + (1.0 - weights[item.base]) * steps[item.base] for item in items)


def answers_under_way(items: Sequence[Item]) -> tuple[float, ...] | None:
    """Answers of each model under way while all share a chip; None where they do not settle, or exceed what a replica
    was planned for."""
    answers = tuple(one.rate * (one.first_s + one.tokens * one.step_s) for one in items)
    for _ in range(MOST_TURNS):
        turns = turn_s(items, answers)
        slower = [turn / one.step_s for turn, one in zip(turns, items, strict=True)]
        new = tuple(
            one.rate * (slow * one.first_s + one.tokens * turn)
            for one, slow, turn in zip(items, slower, turns, strict=True)
        )
        if any(number > one.most_answers for number, one in zip(new, items, strict=True)):
            return None
        if all(abs(a - b) <= 1e-3 * max(b, 1e-9) for a, b in zip(answers, new, strict=True)):
            return new
        answers = new
    return answers


def why_not(items: Sequence[Item], box: Box) -> str:
    """What keeps models from sharing a chip: ``load``, ``time`` or ``memory``; empty where they fit."""
    if sum(one.load for one in items) > box.load_limit + _NEAR:
        return "load"
    answers = answers_under_way(items)
    if answers is None or any(map(_is_late, items, turn_s(items, answers))):
        return "time"
    return "memory" if chip_with(1, items, box).memory_gib > box.capacity_gib + _NEAR else ""


def _is_late(item: Item, turn: float) -> bool:
    return turn > item.limit_step_s + _NEAR or item.first_s * turn / item.step_s > item.limit_first_s + _NEAR


def chip_with(
    number: int, items: Sequence[Item], box: Box, pinned: Sequence[bool] = (), copies: Sequence[int] = ()
) -> PackedChip:
    """The chip with its models; ``other_gib`` are what it keeps back and the processes beyond the first."""
    answers = answers_under_way(items) or tuple(one.most_answers for one in items)
    seen: set[str] = set()
    placed = []
    for at, (item, under_way) in enumerate(zip(items, answers, strict=True)):
        weights = 0.0 if item.base in seen else item.weights_gib
        seen.add(item.base)
        cache = item.cache_gib * min(room_for(under_way), item.most_answers)
        placed.append(
            Placed(
                item.workload, item.name, weights, item.adapters_gib, cache, item.load,
                copies[at] if copies else 1, pinned[at] if pinned else False,
            )
        )  # fmt: skip
    more = sum(sorted((_of_base(items, base) for base in seen), reverse=True)[1:])
    return PackedChip(number, tuple(placed), box.kept_gib + more, box.capacity_gib)


def _of_base(items: Sequence[Item], base: str) -> float:
    return max(one.process_gib for one in items if one.base == base)


def room_for(answers: float) -> float:
    """Answers for which cache is kept where so many are under way on average: ``n + 3 sqrt(n) + 1``."""
    return float(answers + ROOM * answers**0.5 + 1.0)
