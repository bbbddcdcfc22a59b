"""What a measured row was: profile, system and layout to predict, or the reason why it cannot be."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from pydantic import ValidationError

from core.calibration.measured.finetuned_models import finetuned_model
from core.calibration.measured.finetuning import (
    finetuning_job,
    finetuning_layout,
    finetuning_stack,
    refusal_of_finetuning,
    unsaid_of,
)
from core.calibration.measured.model import hybrid_model, known_model, model_of
from core.calibration.measured.published_shapes import shape_elsewhere
from core.calibration.measured.reinforcement import ReinforcementCase, reinforcement_case
from core.calibration.measured.samples import SampleCase, is_sample_row, sample_case
from core.calibration.measured.serving import ServingCase, serving_case
from core.calibration.measured.system import measured_system
from core.calibration.measured.table import MeasuredRow
from core.calibration.measured.training import (
    layers_run,
    training_job,
    training_layout,
    training_stack,
    with_slack,
    with_stated_network,
    with_stated_slices,
)
from core.catalogue.catalogue import Catalogue
from core.throughput.types import Layout, System
from core.workload.models.transformer import TransformerModel
from core.workload.profile import Profile


@dataclass(frozen=True, slots=True)
class MeasuredCase:
    """A row ready to predict; ``layout`` degrees of 0 are searched."""

    row: MeasuredRow
    profile: Profile
    system: System
    layout: Layout | None
    unsaid: Mapping[str, str] = field(default_factory=dict)
    """Measured columns of which nothing can be said, with the reason."""
    slack: float = 1.0
    """Times the chip's memory that the system was given, since the run did fit."""


@dataclass(frozen=True, slots=True)
class Unpredictable:
    """A row that is not scored, and why."""

    row: MeasuredRow
    reason: str


AnyCase = MeasuredCase | ServingCase | SampleCase | ReinforcementCase | Unpredictable


def any_case_of(row: MeasuredRow, work: str, catalogue: Catalogue) -> AnyCase:
    """The case of a row of any kind of model, see :func:`case_of`, :func:`serving_case` and :func:`sample_case`.

    A row whose figures no model or job can have is told so; the rest of its table is not held up.
    """
    try:
        return _any_case_of(row, work, catalogue)
    except ValidationError as error:
        return Unpredictable(row, f"out of bounds: {'.'.join(str(part) for part in error.errors()[0]['loc'][:2])}")


def _any_case_of(row: MeasuredRow, work: str, catalogue: Catalogue) -> AnyCase:
    if work == "reinforcement":
        step = reinforcement_case(row, catalogue)
        return Unpredictable(row, step) if isinstance(step, str) else step
    if work == "finetune":
        return finetuning_case(row, catalogue)
    if is_sample_row(row, work):
        case = sample_case(row, work, catalogue)
        return Unpredictable(row, case) if isinstance(case, str) else case
    if work == "training":
        return case_of(row, catalogue)
    served = serving_case(row, catalogue)
    return Unpredictable(row, served) if isinstance(served, str) else served


def case_of(row: MeasuredRow, catalogue: Catalogue) -> MeasuredCase | Unpredictable:
    """The case of a training row. Raises InputError, naming file, row and field, for a cell that is no number."""
    n_chips, model = row.count("n_chips"), _model(row)
    refusal = _refusal(row, catalogue) or ("number of chips unknown" if n_chips is None else "")
    if refusal or n_chips is None:
        return Unpredictable(row, refusal)
    if isinstance(model, str):
        return Unpredictable(row, model)
    model = layers_run(row, model)
    system = measured_system(catalogue, row.text("hardware"), n_chips)
    profile = Profile(model=model, job=training_job(row, model, system))
    profile = profile.model_copy(update={"stack": training_stack(row)})
    system = with_slack(with_stated_slices(row, with_stated_network(row, system), catalogue))
    return MeasuredCase(row, profile, system, training_layout(row, system))


def finetuning_case(row: MeasuredRow, catalogue: Catalogue) -> MeasuredCase | Unpredictable:
    """The case of a fine-tuning row. Raises InputError, naming file, row and field, for a cell that is no number."""
    in_catalogue = row.text("hardware") in catalogue.accelerator_by_id
    refusal = refusal_of_finetuning(row) or ("" if in_catalogue else "hardware not in the catalogue")
    if refusal:
        return Unpredictable(row, refusal)
    model = finetuned_model(row)
    if isinstance(model, str):
        return Unpredictable(row, model)
    system = measured_system(catalogue, row.text("hardware"), row.count("n_chips") or 1)
    profile = Profile(model=model, job=finetuning_job(row), stack=finetuning_stack(row))
    roomy = with_slack(system)
    slack = roomy.accelerator.memory_gb / system.accelerator.memory_gb
    return MeasuredCase(row, profile, roomy, finetuning_layout(row), unsaid_of(row), slack)


def _model(row: MeasuredRow) -> TransformerModel | str:
    """The model of a row; one that it only names has the shape known of that name before a usual one."""
    name = row.text("model")
    if not row.text("n_layers") and known_model(name) is None:
        return hybrid_model(name) or shape_elsewhere(name) or model_of(row)
    model = model_of(row)
    return hybrid_model(name) or model if isinstance(model, str) else model


def _refusal(row: MeasuredRow, catalogue: Catalogue) -> str:
    """Why a row is left out before its model is looked at; empty when nothing speaks against it."""
    if row.text("hardware") not in catalogue.accelerator_by_id:
        return "hardware not in the catalogue"
    if row.text("quality") == "C":
        return "quality C"
    if "lora" in f"{row.text('model_family')} {row.text('measure_kind')}":
        return "LoRA"
    return ""
