"""Every layout of every system that fits, for the search: systems of as many chips in such domains share theirs."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from core.rows import Rows, numbered_rows, rows_of_groups
from core.throughput.chips.fleet import Fleet, Floats, Ints
from core.throughput.model_shape import ModelShape
from core.throughput.speeds import best_rows
from core.throughput.training.layouts import LEAST, N_CHOSEN, Layouts, training_layouts
from core.throughput.training.memory import Needs, needs_of, total_bytes_of
from core.throughput.types import Layout
from core.workload.jobs.kinds import TrainingJob
from core.workload.models.transformer import TransformerModel


@dataclass(frozen=True)
class Choices(Rows):
    """A layout of a system, shape (n rows,): ``row`` points into layouts that several systems share."""

    system: Ints
    row: Ints
    recompute: Floats

    def of(self, layouts: Layouts) -> Layouts:
        """The layouts, each with its system and recompute."""
        return replace(layouts.take(self.row), system=self.system, recompute=self.recompute)


@dataclass(frozen=True)
class Grid:
    """All choices of layouts, those that are worth timing, and the leanest one of each system, -1 without any."""

    layouts: Layouts
    every: Choices
    worth_timing: Ints
    leanest: Ints


def grid_of(fleet: Fleet, model: TransformerModel, shape: ModelShape, job: TrainingJob, given: Layout | None) -> Grid:
    """Looks at every layout of every system: at the least recompute that fits, full where none does."""
    place_of, firsts = numbered_rows(np.column_stack((fleet.n_chips, fleet.domain_chips, fleet.is_torus)))
    layouts = training_layouts(fleet.take(firsts), model, job, given)
    n_of_place = np.bincount(layouts.system, minlength=len(firsts))
    system, row = rows_of_groups(n_of_place, place_of)
    needs = needs_of(shape, job, layouts)
    if np.any(needs.paged_bytes):
        return _with_paging(needs, layouts, Choices(system, row, layouts.recompute[row]), fleet)
    capacity = fleet.memory_bytes[system]
    recompute, total_bytes, is_worth = _least_recompute(needs, layouts, row, capacity)
    leanest = best_rows(system, len(place_of), total_bytes)
    return Grid(layouts, Choices(system, row, recompute), np.flatnonzero(is_worth), leanest)


def holds(fleet: Fleet, model: TransformerModel, shape: ModelShape, job: TrainingJob) -> list[bool]:
    """Whether some layout finds room on each system, whatever it takes: all that may be recomputed is."""
    layouts = training_layouts(fleet, model, job, None)
    recompute = np.where(layouts.recompute == LEAST, N_CHOSEN - 1, layouts.recompute)
    fits = total_bytes_of(shape, job, replace(layouts, recompute=recompute)) <= fleet.memory_bytes[layouts.system]
    return [n > 0 for n in np.bincount(layouts.system[fits], minlength=len(fleet.n_chips)).tolist()]


def _with_paging(needs: Needs, layouts: Layouts, choices: Choices, fleet: Fleet) -> Grid:
    """With a paged optimiser each recompute up to the least that leaves room to all moments: more of it may be faster,
    as less moves."""
    each = choices.take(np.repeat(np.arange(len(choices.row)), N_CHOSEN))
    level, capacity = np.tile(np.arange(N_CHOSEN), len(choices.row)), fleet.memory_bytes[each.system]
    totals = np.stack(needs.total_bytes)
    holds_all = [total[each.row] + needs.paged_bytes[each.row] <= capacity for total in totals]
    most = np.select(holds_all, list(range(N_CHOSEN)), N_CHOSEN - 1)
    is_open = each.recompute == LEAST
    is_asked = np.where(is_open, level <= most, level == np.minimum(each.recompute, N_CHOSEN - 1))
    every = replace(each, recompute=np.where(is_open, level, each.recompute))
    total = totals[level, each.row]
    needless = (level == 0) & (needs.unsplit_bytes[each.row] + needs.paged_bytes[each.row] <= capacity)
    leanest = best_rows(each.system, len(fleet.n_chips), np.where(is_open | is_asked, total, np.inf))
    return Grid(layouts, every, np.flatnonzero(is_asked & (total <= capacity) & ~needless), leanest)


def _least_recompute(
    needs: Needs, layouts: Layouts, row: Ints, capacity_bytes: Floats
) -> tuple[Floats, Floats, np.ndarray[tuple[int], np.dtype[np.bool_]]]:
    """Recompute and bytes of each choice, and whether it is worth timing: it fits, and no faster twin does.

    Less recompute is never slower on the same layout, so that no faster row is lost.
    """
    none, selective, full = (total[row] for total in needs.total_bytes)
    wanted = layouts.recompute[row]
    least = np.where(none <= capacity_bytes, 0.0, np.where(selective <= capacity_bytes, 1.0, 2.0))
    recompute = np.where(wanted == LEAST, least, wanted)
    total = np.where(recompute == 0, none, np.where(recompute == 1, selective, full))
    needless = (recompute == 0) & (needs.unsplit_bytes[row] <= capacity_bytes)
    return recompute, total, (total <= capacity_bytes) & ~needless
