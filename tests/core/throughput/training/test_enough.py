"""How many chips hold a run: what is said is tried, and no smaller doubling would do."""

from __future__ import annotations

import pytest

from core.throughput.chips.fleet import fleet_of
from core.throughput.correction import NO_CORRECTIONS
from core.throughput.training.enough import DOUBLINGS, enough_chips
from core.throughput.training.predict import predict_training
from core.workload.jobs.kinds import PreTraining, TrainingJob
from core.workload.models.transformer import TransformerModel
from tests.core.throughput.fleet_samples import LLAMA_3_8B, LLAMA_3_70B, system

LONG = PreTraining(sequence_length=1_000_000, global_batch_sequences=16)


def _enough(model: TransformerModel, job: TrainingJob, n_chips: int) -> int:
    one = system("h100-sxm", n_chips)
    return enough_chips(model, job, [one], fleet_of([one], job.precision))[0]


def _fits(model: TransformerModel, job: TrainingJob, n_chips: int) -> bool:
    (answer,) = predict_training(model, job, [system("h100-sxm", n_chips)], NO_CORRECTIONS, None)
    return answer.fits


@pytest.mark.parametrize(("model", "n_chips"), [(LLAMA_3_8B, 8), (LLAMA_3_8B, 16), (LLAMA_3_70B, 64)])
def test_the_first_doubling_that_holds_long_sequences_is_told(model: TransformerModel, n_chips: int) -> None:
    enough = _enough(model, LONG, n_chips)
    assert not _fits(model, LONG, n_chips) and _fits(model, LONG, enough)
    assert enough == 2 * n_chips or not _fits(model, LONG, enough // 2)
    (answer,) = predict_training(model, LONG, [system("h100-sxm", n_chips)], NO_CORRECTIONS, None)
    assert str(answer.reasons[0].nearest_change).startswith(f"May fit with {enough} chips")


def test_systems_that_are_alike_are_asked_once_and_answered_each() -> None:
    systems = [system("h100-sxm", 8), system("h200-sxm", 8), system("h100-sxm", 8)]
    fleet = fleet_of(systems, LONG.precision)
    first, second, third = enough_chips(LLAMA_3_8B, LONG, systems, fleet)
    assert first == third >= second > 8
    assert enough_chips(LLAMA_3_8B, LONG, [], fleet.take([])) == []


def test_where_no_doubling_holds_it_none_is_told() -> None:
    vast = LLAMA_3_70B.model_copy(update={"n_layers": 100_000})
    assert _enough(vast, PreTraining(global_batch_sequences=4), 1) == 0
    assert 2**DOUBLINGS == 128


def test_a_question_that_was_asked_before_is_answered_alike() -> None:
    first = _enough(LLAMA_3_8B, LONG, 8)
    assert first == _enough(LLAMA_3_8B, LONG, 8) == _enough(LLAMA_3_8B, LONG.model_copy(), 8)
    shorter = LONG.model_copy(update={"sequence_length": 250_000})
    assert _enough(LLAMA_3_8B, shorter, 8) <= first, "another run is another question"
