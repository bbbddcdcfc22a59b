"""How many chips are worth predicting for an option."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

from core.catalogue.catalogue import Catalogue
from core.catalogue.entries import SliceShape
from core.comparison.search.options import Option
from core.constants import BYTES_PER_WIDE_VALUE, LEAST_TRAINING_BYTES_PER_PARAM, SECONDS_PER_DAY
from core.throughput.chips.run_formats import RunsIn
from core.throughput.training.finetuning import least_bytes_per_param
from core.workload.jobs.kinds import TrainingJob
from core.workload.models.network import NetworkModel
from core.workload.models.transformer import TransformerModel

_WIDEST_STEP = 16
_SINGLE_HOST_TPU_CHIPS = 8


def rentable_counts(option: Option, catalogue: Catalogue, max_chips: int) -> tuple[int, ...]:
    """Chip counts in which the option can be had, up to ``max_chips``, smallest first; empty when one host is too many.

    GPUs: whole hosts, doubled each time. TPUs: slice shapes, doubled each time, then several of the largest slice. Of
    what the user has, all of it as well, and no more.
    """
    held = option.offer.held_chips
    if held is None:
        return _doubled_counts(option, catalogue, max_chips)
    most = min(max_chips, held)
    whole = nearest_count(option, catalogue, most - most % option.chips_per_host)
    return tuple(sorted({*_doubled_counts(option, catalogue, most), *((whole,) if 0 < whole <= most else ())}))


def _doubled_counts(option: Option, catalogue: Catalogue, max_chips: int) -> tuple[int, ...]:
    if option.accelerator.torus_dims:
        return _slice_counts(option, catalogue.slices_by_accelerator.get(option.accelerator.id, ()), max_chips)
    host = option.chips_per_host
    steps = _doublings(host, max_chips) if host <= max_chips else 0
    return tuple(host << step for step in range(steps if option.grows else min(steps, 1)))


def slice_for(option: Option, catalogue: Catalogue, n_chips: int) -> SliceShape | None:
    """The slice of a TPU count: the shape with that many chips, else the largest one, of which several are taken."""
    shapes = catalogue.slices_by_accelerator.get(option.accelerator.id, ())
    same = [shape for shape in shapes if shape.n_chips == n_chips]
    if same:
        return min(same, key=lambda shape: max(shape.dims) - min(shape.dims))
    smaller = [shape for shape in shapes if shape.n_chips <= n_chips and n_chips % shape.n_chips == 0]
    return smaller[-1] if smaller else None


def nearest_count(option: Option, catalogue: Catalogue, n_chips: int, apart: bool = False) -> int:
    """The number of chips of an option that is nearest to one asked for, the larger of two as near.

    Whole hosts; slices, or several of a shape that divides the number. What does not join counts as one machine, but
    ``apart``, for work that machines do side by side.
    """
    sizes = _part_sizes(option, catalogue)
    if any(n_chips % size == 0 for size in sizes) and (apart or joins(option)):
        return n_chips
    return sizes[0] * (max(1, math.floor(n_chips / sizes[0] + 0.5)) if apart or joins(option) else 1)


def exact_unit_counts(
    option: Option, catalogue: Catalogue, n_chips: int, weight_bytes: float, n_models: int = 1
) -> tuple[int, ...]:
    """Sizes of one serving unit of which some come to the nearest number that can be had: the smallest that hold all
    weights."""
    total = nearest_count(option, catalogue, n_chips, apart=True)
    sizes = _part_sizes(option, catalogue)
    if joins(option) and not option.accelerator.torus_dims:
        sizes = tuple(sizes[0] * hosts for hosts in _divisors(total // sizes[0]))
    elif not joins(option):
        sizes = machines_apart(option, n_models, total)
    return unit_counts(tuple(size for size in sizes if total % size == 0), weight_bytes, option)


def machines_apart(option: Option, n_models: int, max_chips: int) -> tuple[int, ...]:
    """Chips of one machine, and of as many that are not joined as hold so many models in equal shares: five models take
    one, two (three of them on the fuller), three or five machines."""
    machines = sorted({-(-n_models // share) for share in range(1, n_models + 1)})
    sizes = tuple(option.chips_per_host * n for n in machines)
    return tuple(size for size in sizes if size <= max_chips) or sizes[:1]


def apart_counts(option: Option, n_models: int, max_chips: int, weight_bytes: float) -> tuple[int, ...]:
    """The same worth predicting: the fewest machines that can hold all weights, the next, and those with a model each;
    one machine where none can."""
    sizes = machines_apart(option, n_models, max_chips)
    needed = weight_bytes / (option.accelerator.memory_gb * 1e9)
    enough = [size for size in sizes if size >= needed]
    return tuple(sorted({*enough[:2], *enough[-1:]})) or sizes[:1]


def joins(option: Option) -> bool:
    """True where machines of an option become one cluster: whole servers that the seller joins, TPU slices."""
    is_single = option.accelerator.torus_dims > 0 and option.chips_per_host in (1, _SINGLE_HOST_TPU_CHIPS)
    return (option.grows or option.accelerator.torus_dims > 0) and not is_single


def _part_sizes(option: Option, catalogue: Catalogue) -> tuple[int, ...]:
    """Chips of a host, or of each slice that its hosts make up, smallest first."""
    shapes = catalogue.slices_by_accelerator.get(option.accelerator.id, ()) if joins(option) else ()
    sizes = {shape.n_chips for shape in shapes if shape.n_chips >= option.chips_per_host}
    if not option.grows:
        sizes.discard(_SINGLE_HOST_TPU_CHIPS)
    return tuple(sorted(sizes)) or (option.chips_per_host,)


@lru_cache(maxsize=1024)
def _divisors(number: int) -> tuple[int, ...]:
    return tuple(divisor for divisor in range(1, number + 1) if number % divisor == 0)


@dataclass(frozen=True, slots=True)
class RunSize:
    """Least bytes of a training run's state, its FLOPs in all, the precision asked for, and how that runs on a chip."""

    state_bytes: float
    flops: float
    precision: str
    runs_in: RunsIn


def run_size_of(model: TransformerModel | NetworkModel, job: TrainingJob, runs_in: RunsIn) -> RunSize:
    """State: weights as kept with LoRA, else at least 10 bytes each with Adam; work: 6 FLOPs a weight and token, 4 with
    LoRA."""
    per_token = 6 if job.adapter_rank is None else 4
    per_unit = 3 * model.forward_flops if isinstance(model, NetworkModel) else per_token * model.n_active_params
    return RunSize(_least_state_bytes(model, job), per_unit * job.n_tokens * job.n_runs, job.precision, runs_in)


@dataclass(frozen=True, slots=True)
class Least:
    """What a run asks of an option: chips that hold its state, its FLOPs, and how many a chip does in a second."""

    state_chips: float
    flops: float
    flops_per_s: float


def least_of(run: RunSize, option: Option) -> Least:
    """At full peak of the format that the run takes on the option's chip."""
    peak = max(run.runs_in(option.accelerator, run.precision).peak_flops, 1.0)
    return Least(run.state_bytes / (option.accelerator.memory_gb * 1e9), run.flops, peak)


def training_counts(counts: tuple[int, ...], least: Least, days: float | None) -> tuple[int, ...]:
    """The counts that can matter: from the fewest that hold the state and could make it in time to 16 times as many.

    ``days`` are left for the run; None looks at every count that holds the model.
    """
    floor = least.state_chips
    if days is not None:
        floor = max(floor, least.flops / (least.flops_per_s * days * SECONDS_PER_DAY))
    enough = [count for count in counts if count * 2 > floor]
    if not enough:
        return counts[-1:]
    return tuple(count for count in enough if days is None or count <= enough[0] * _WIDEST_STEP)


def unit_counts(counts: tuple[int, ...], weight_bytes: float, option: Option) -> tuple[int, ...]:
    """Sizes of one serving unit worth predicting: the smallest that can hold all weights and the next two."""
    needed = weight_bytes / (option.accelerator.memory_gb * 1e9)
    enough = [count for count in counts if count >= needed]
    return tuple(enough[:3]) or counts[-1:]


def _doublings(start: int, limit: int) -> int:
    return int(math.log2(limit // start)) + 1


def _slice_counts(option: Option, shapes: tuple[SliceShape, ...], max_chips: int) -> tuple[int, ...]:
    if option.chips_per_host in (1, _SINGLE_HOST_TPU_CHIPS):
        return (option.chips_per_host,) if option.chips_per_host <= max_chips else ()
    sizes = {
        shape.n_chips for shape in shapes if shape.n_chips >= option.chips_per_host and _is_power_of_two(shape.n_chips)
    }
    if not sizes:
        return ()
    if not option.grows:
        sizes.discard(_SINGLE_HOST_TPU_CHIPS)  # the seller has a host of its own for that
    largest = max(sizes)
    several = {largest << step for step in range(1, 8)}
    return tuple(sorted(size for size in sizes | several if size <= max_chips))


def _is_power_of_two(count: int) -> bool:
    return count & (count - 1) == 0


def _least_state_bytes(model: TransformerModel | NetworkModel, job: TrainingJob) -> float:
    if isinstance(model, NetworkModel):
        least = LEAST_TRAINING_BYTES_PER_PARAM * model.params_millions + BYTES_PER_WIDE_VALUE * model.table_millions
        return 1e6 * least
    least = LEAST_TRAINING_BYTES_PER_PARAM if job.finetuned is None else least_bytes_per_param(job.finetuned)
    return model.n_params * least
